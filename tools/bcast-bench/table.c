/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

#include "machine.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

void table_start(const struct results *results)
{
    const struct settings *settings = results->settings;
    const char *wish = getenv("MOTLEY_BALANCE");
    char version[MPI_MAX_LIBRARY_VERSION_STRING], root[32] = "rotating";
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = 0;
    for (char *tab; (tab = strchr(version, '\t'));)
        *tab = ' ';
    if (!settings->rotates)
        snprintf(root, sizeof root, "%d", settings->root);
    printf("%d ranks%s, %s, MOTLEY_BALANCE=%s\n", results->ranks,
           machine_simulated ? " (simulated)" : "", version, wish ? wish : "");
    printf("root %s, %s each call, delays by %s, %d calls %d times, %d not counted\n",
           root, settings->barrier ? "a barrier before" : "no barrier before",
           settings->spin ? "spinning" : "sleeping", settings->calls,
           settings->repetitions, settings->warm_up);
    if (!results->one_clock)
        printf("overall times are approximate: clocks of several nodes, set to 0 when "
               "the rank leaves the barrier\n");
}

static void print_time(double seconds, int width)
{
    char text[UNITS_TEXT];
    seconds_text(seconds, text);
    printf("%*s", width, text);
}

static void print_ratio(const struct results *results, enum way way, enum metric metric,
                        int width)
{
    if (results_have(results, WAY_STOCK))
        printf("%*.3f", width,
               results->outcomes[way].metric[metric].median /
                   results->outcomes[WAY_STOCK].metric[metric].median);
    else
        printf("%*s", width, "-");
}

static void print_way(const struct results *results, enum way way)
{
    const struct spread *metric = results->outcomes[way].metric;
    const double rounds = metric[METRIC_ROUNDS].median;
    printf("%-8s", way_name(way));
    print_time(metric[METRIC_IN_CALL].median, 10);
    print_time(metric[METRIC_IN_CALL].p10, 10);
    print_time(metric[METRIC_IN_CALL].p90, 10);
    print_time(metric[METRIC_IN_CALL_LEARNED].median, 10);
    if (rounds < results->settings->calls)
        printf("%8.0f", rounds);
    else
        printf("%8s", "-");
    print_time(metric[METRIC_LONGEST].median, 10);
    print_time(metric[METRIC_OVERALL].median, 10);
    print_time(metric[METRIC_WALL].median, 10);
    print_ratio(results, way, METRIC_IN_CALL, 9);
    print_ratio(results, way, METRIC_IN_CALL_LEARNED, 9);
    putchar('\n');
}

void table_pattern(const struct results *results)
{
    const struct load *load = &results->load;
    char size[UNITS_TEXT], late[UNITS_TEXT], pattern[PATTERN_TEXT];
    bytes_text(load->bytes, size);
    seconds_text(load->late, late);
    pattern_text(load->pattern, pattern);
    printf("\n%s, arrival %s", size, pattern);
    if (load->pattern->kind != PATTERN_NONE)
        printf(", late by up to %s", late);
    printf("%s\n", results->checked ? "" : " (the data is not checked: too large)");
    printf("%-8s%10s%10s%10s%10s%8s%10s%10s%10s%9s%9s\n", "way", "in call", "p10",
           "p90", "learned", "rounds", "longest", "overall", "wall", "to stock",
           "learned");
    for (int i = 0; i < results->settings->nways; i++)
        print_way(results, results->settings->ways[i]);
    fflush(stdout);
}

static void print_tally(enum way way, const char *calls, const struct tally *tally)
{
    printf("%-10s%-8s%14.1f %%%14.1f %%%16.3f\n", way_name(way), calls,
           100.0 * tally->better / tally->patterns,
           100.0 * tally->worse / tally->patterns, tally->highest);
}

void table_tally(const struct results *results)
{
    char size[UNITS_TEXT];
    bytes_text(results->load.bytes, size);
    printf("\n%s, %d patterns of arrival, mean time in the call against stock's\n",
           size, results->all[WAY_STOCK].patterns);
    printf("%-10s%-8s%16s%16s%16s\n", "way", "calls", "below 0.95 of", "above 1.05 of",
           "highest ratio");
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        if (way == WAY_STOCK)
            continue;
        print_tally(way, "all", &results->all[way]);
        print_tally(way, "learned", &results->learned[way]);
    }
    fflush(stdout);
}
