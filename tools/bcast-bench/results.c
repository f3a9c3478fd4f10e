/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

#include "machine.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

bool results_have(const struct results *results, enum way way)
{
    const struct settings *settings = results->settings;
    for (int i = 0; i < settings->nways; i++)
        if (settings->ways[i] == way)
            return true;
    return false;
}

/* The best of the others in a metric; WAYS: there are no others. */
static enum way best_rival(const struct results *results, enum way way,
                           enum metric metric)
{
    const struct settings *settings = results->settings;
    enum way best = WAYS;
    for (int i = 0; i < settings->nways; i++) {
        const enum way other = settings->ways[i];
        if (other != way &&
            (best == WAYS || results->outcomes[other].metric[metric].median <
                                 results->outcomes[best].metric[metric].median))
            best = other;
    }
    return best;
}

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
           root, settings->no_barrier ? "no barrier before" : "a barrier before",
           settings->spin ? "spinning" : "sleeping", settings->calls,
           settings->repetitions, settings->warm_up);
    if (!results->one_clock)
        printf("overall times are approximate: clocks of several nodes, set to 0 when "
               "the rank leaves the barrier\n");
}

/* What the table shows of a metric. */
enum part { MEDIAN, P10, P90, TO_NATIVE };

static const struct {
    const char *title;
    int width;
    enum metric metric;
    enum part part;
} columns[] = {
    {"in call", 10, METRIC_IN_CALL, MEDIAN},
    {"p10", 10, METRIC_IN_CALL, P10},
    {"p90", 10, METRIC_IN_CALL, P90},
    {"learned", 10, METRIC_IN_CALL_LEARNED, MEDIAN},
    {"rounds", 8, METRIC_ROUNDS, MEDIAN},
    {"longest", 10, METRIC_LONGEST, MEDIAN},
    {"overall", 10, METRIC_OVERALL, MEDIAN},
    {"wall", 10, METRIC_WALL, MEDIAN},
    {"to stock", 9, METRIC_IN_CALL, TO_NATIVE},
    {"learned", 9, METRIC_IN_CALL_LEARNED, TO_NATIVE},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void write_cell(char text[UNITS_TEXT], const struct results *results,
                       enum way way, int column)
{
    const enum metric metric = columns[column].metric;
    const struct spread *spread = &results->outcomes[way].metric[metric];
    const double values[] = {
        [MEDIAN] = spread->median, [P10] = spread->p10, [P90] = spread->p90};
    const bool is_ratio = columns[column].part == TO_NATIVE;
    snprintf(text, UNITS_TEXT, "-");
    if (is_ratio && results_have(results, WAY_NATIVE))
        snprintf(text, UNITS_TEXT, "%.3f",
                 spread->median / results->outcomes[WAY_NATIVE].metric[metric].median);
    else if (!is_ratio && metric != METRIC_ROUNDS)
        seconds_text(values[columns[column].part], text);
    else if (!is_ratio && spread->median < results->settings->calls)
        snprintf(text, UNITS_TEXT, "%.0f", spread->median);
}

static void print_way(const struct results *results, enum way way)
{
    char text[UNITS_TEXT];
    printf("%-8s", way_name(way));
    for (int i = 0; i < COLUMNS; i++) {
        write_cell(text, results, way, i);
        printf("%*s", columns[i].width, text);
    }
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
    printf("%-8s", "way");
    for (int i = 0; i < COLUMNS; i++)
        printf("%*s", columns[i].width, columns[i].title);
    putchar('\n');
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
           size, results->all[WAY_NATIVE].patterns);
    printf("%-10s%-8s%16s%16s%16s\n", "way", "calls", "below 0.95 of", "above 1.05 of",
           "highest ratio");
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        if (way == WAY_NATIVE)
            continue;
        print_tally(way, "all", &results->all[way]);
        print_tally(way, "learned", &results->learned[way]);
    }
    fflush(stdout);
}

/* The beginning of each object: what was measured. No text in it needs escapes. */
static void write_case(FILE *file, const char *bench, const struct results *results,
                       enum way way)
{
    const struct settings *settings = results->settings;
    fprintf(file,
            "{\"schema\": \"motley/bcast-bench\", \"version\": 1, \"bench\": \"%s\", "
            "\"simulated\": %s, \"ranks\": %d, \"bytes\": %d, "
            "\"late\": %.9g, ",
            bench, machine_simulated ? "true" : "false", results->ranks,
            results->load.bytes, results->load.late);
    if (settings->rotates)
        fprintf(file, "\"root\": null, ");
    else
        fprintf(file, "\"root\": %d, ", settings->root);
    fprintf(file,
            "\"barrier\": %s, \"delay_by\": \"%s\", \"calls\": %d, "
            "\"repetitions\": %d, \"warm_up\": %d, \"checked\": %s, \"way\": \"%s\", ",
            settings->no_barrier ? "false" : "true", settings->spin ? "spin" : "sleep",
            settings->calls, settings->repetitions, settings->warm_up,
            results->checked ? "true" : "false", way_name(way));
}

static void write_metric(FILE *file, const struct results *results, enum way way,
                         enum metric metric, enum way rival)
{
    const struct spread *spread = &results->outcomes[way].metric[metric];
    char pattern[PATTERN_TEXT];
    pattern_text(results->load.pattern, pattern);
    write_case(file, "bcast", results, way);
    fprintf(file,
            "\"arrival\": \"%s\", \"wait_for_root\": %.9g, \"metric\": \"%s\", "
            "\"value\": %.9g, \"unit\": \"%s\", \"p10\": %.9g, \"p90\": %.9g, ",
            pattern,
            results->load.late *
                pattern_wait_for_root(results->load.pattern,
                                      (uint64_t)results->settings->seed, results->ranks,
                                      0),
            metric_name(metric), spread->median, metric_unit(metric), spread->p10,
            spread->p90);
    if (spread->median > 0)
        fprintf(file, "\"spread\": %.6g, ",
                (spread->p90 - spread->p10) / spread->median);
    else
        fprintf(file, "\"spread\": null, ");
    const double other =
        rival == WAYS ? 0 : results->outcomes[rival].metric[metric].median;
    if (other > 0)
        fprintf(file, "\"rival\": \"%s\", \"rival_value\": %.9g, \"ratio\": %.6g}\n",
                way_name(rival), other, spread->median / other);
    else
        fprintf(file, "\"rival\": null, \"rival_value\": null, \"ratio\": null}\n");
}

void json_pattern(FILE *file, const struct results *results)
{
    const bool have_native = results_have(results, WAY_NATIVE);
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        const enum way rival = have_native && way != WAY_NATIVE ? WAY_NATIVE : WAYS;
        for (int metric = 0; metric < METRICS; metric++) {
            const enum way best = best_rival(results, way, (enum metric)metric);
            write_metric(file, results, way, (enum metric)metric, rival);
            if (way == WAY_BALANCE && best != WAYS && best != rival)
                write_metric(file, results, way, (enum metric)metric, best);
        }
    }
    fflush(file);
}

static void write_share(FILE *file, const struct results *results, enum way way,
                        const char *metric, double value)
{
    write_case(file, "bcast-patterns", results, way);
    fprintf(file,
            "\"patterns\": %d, \"metric\": \"%s\", \"value\": %.9g, \"unit\": \"1\", "
            "\"rival\": \"stock\"}\n",
            results->all[way].patterns, metric, value);
}

void json_tally(FILE *file, const struct results *results)
{
    for (int i = 0; i < results->settings->nways; i++) {
        const enum way way = results->settings->ways[i];
        const struct tally *all = &results->all[way], *learned = &results->learned[way];
        const double patterns = all->patterns;
        if (way == WAY_NATIVE)
            continue;
        write_share(file, results, way, "better", all->better / patterns);
        write_share(file, results, way, "worse", all->worse / patterns);
        write_share(file, results, way, "highest", all->highest);
        write_share(file, results, way, "better, learned", learned->better / patterns);
        write_share(file, results, way, "worse, learned", learned->worse / patterns);
        write_share(file, results, way, "highest, learned", learned->highest);
    }
    fflush(file);
}
