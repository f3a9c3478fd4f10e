/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-bcast-bench - how long ranks spend in a broadcast to which some of them come
 * late: the program's own call, with whatever library is preloaded, against the MPI's
 * and two plain trees, all in one run.
 */
#include "apps/common/app.h"
#include "measure.h"
#include "results.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of the native broadcast from first start to last end, with nobody late; on
   all ranks. */
static double native_seconds(struct bench *bench, int bytes, struct series *series)
{
    const struct settings *settings = bench->settings;
    const struct pattern none = {.kind = PATTERN_NONE};
    const struct load load = {.bytes = bytes, .pattern = &none};
    bench_block(bench, &load, WAY_NATIVE, 0, series);
    double seconds = spread_of(series->overall, settings->calls).median;
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

/* Blocks of all ways, repetition after repetition; who begins changes. */
static void measure_ways(struct bench *bench, const struct load *load,
                         struct series series[WAYS])
{
    const struct settings *settings = bench->settings;
    for (int repetition = 0; repetition < settings->repetitions; repetition++)
        for (int turn = 0; turn < settings->nways; turn++) {
            const enum way way = settings->ways[(turn + repetition) % settings->nways];
            bench_block(bench, load, way, repetition, &series[way]);
        }
}

/* On rank 0: what the series come to. */
static void sum_up(struct results *results, const struct series series[WAYS])
{
    const struct settings *settings = results->settings;
    for (int i = 0; i < settings->nways; i++) {
        const enum way way = settings->ways[i];
        outcome_of(&results->outcomes[way], &series[way]);
    }
    if (results->load.pattern->kind == PATTERN_NONE ||
        !results_have(results, WAY_NATIVE))
        return;
    const struct spread *native = results->outcomes[WAY_NATIVE].metric;
    for (int i = 0; i < settings->nways; i++) {
        const enum way way = settings->ways[i];
        const struct spread *metric = results->outcomes[way].metric;
        tally_add(&results->all[way], metric[METRIC_IN_CALL].median,
                  native[METRIC_IN_CALL].median);
        tally_add(&results->learned[way], metric[METRIC_IN_CALL_LEARNED].median,
                  native[METRIC_IN_CALL_LEARNED].median);
    }
}

/* The patterns of one size. `file`: for JSON, or NULL. */
static void measure_size(struct bench *bench, int bytes, struct series series[WAYS],
                         FILE *file)
{
    const struct settings *settings = bench->settings;
    const struct delay *delay = &settings->delay;
    bench_resize(bench, bytes);
    const double unit =
        delay->relative ? native_seconds(bench, bytes, &series[WAY_NATIVE]) : 1;
    struct results results = {.settings = settings,
                              .ranks = bench->ranks,
                              .one_clock = bench->one_clock,
                              .checked = bench->checked};
    for (int i = 0; i < settings->npatterns; i++) {
        const struct pattern *pattern = &settings->patterns[i];
        const bool nobody = pattern->kind == PATTERN_NONE;
        results.load = (struct load){.bytes = bytes,
                                     .pattern = pattern,
                                     .late = nobody ? 0 : delay->amount * unit};
        measure_ways(bench, &results.load, series);
        if (bench->rank != 0)
            continue;
        sum_up(&results, series);
        table_pattern(&results);
        if (file)
            json_pattern(file, &results);
    }
    if (bench->rank != 0 || results.all[WAY_NATIVE].patterns < 2)
        return;
    table_tally(&results);
    if (file)
        json_tally(file, &results);
}

static bool data_was_right(const struct bench *bench, const struct series series[WAYS])
{
    bool right = true;
    for (int way = 0; way < WAYS; way++)
        if (series[way].wrong > 0) {
            right = false;
            if (bench->rank == 0)
                fprintf(stderr, "%s: wrong data in %d receptions by %s\n", BENCH_NAME,
                        series[way].wrong, way_name((enum way)way));
        }
    return right;
}

static FILE *open_json(const struct bench *bench)
{
    const char *path = bench->settings->json;
    if (!path || bench->rank != 0)
        return NULL;
    FILE *file = fopen(path, "w");
    if (!file)
        app_give_up(BENCH_NAME, "cannot write '%s': %s", path, strerror(errno));
    return file;
}

static bool check_settings(void *self)
{
    return settings_check(self);
}

static int run(void *self)
{
    const struct settings *settings = self;
    struct bench bench;
    struct series series[WAYS];
    bench_init(&bench, settings);
    for (int way = 0; way < WAYS; way++)
        if (series_init(&series[way], settings->calls, settings->repetitions,
                        settings->warm_up) != 0)
            app_give_up(BENCH_NAME, "no memory for the times of %d calls",
                        settings->calls);
    FILE *file = open_json(&bench);
    if (bench.rank == 0)
        table_start(&(struct results){
            .settings = settings, .ranks = bench.ranks, .one_clock = bench.one_clock});
    for (int i = 0; i < settings->nsizes; i++)
        measure_size(&bench, settings->sizes[i], series, file);
    const bool right = data_was_right(&bench, series);
    if (file && (ferror(file) | (fclose(file) != 0)))
        app_give_up(BENCH_NAME, "cannot write '%s': %s", settings->json,
                    strerror(errno));
    for (int way = 0; way < WAYS; way++)
        series_clear(&series[way]);
    bench_clear(&bench);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct settings settings = {
        .delay = {.amount = 10, .relative = true},
        .words = {.calls = {.least = 2, .most = MT_MOST_COUNT, .value = 50},
                  .warm_up = {.most = MT_MOST_COUNT},
                  .repetitions = {.least = 1, .most = MT_MOST_COUNT, .value = 3},
                  .random = {.most = MT_MOST_COUNT},
                  .seed = {.most = MT_MOST_SEED}}};
    struct settings_words *words = &settings.words;
    struct poptOption table[] = {
        {"sizes", 's', POPT_ARG_STRING, &words->sizes, 0,
         "of the messages (1,1KiB,64KiB,1MiB)", "LIST"},
        {"arrival", 'a', POPT_ARG_STRING, &words->arrival, 0,
         "who is late: none (default), one:PLACE, one:all, ascending, descending, "
         "bell, random, random:CALLS",
         "LIST"},
        {"patterns", '\0', POPT_ARG_STRING, &words->random, MT_OPTION_NUMBER,
         "so many random patterns of arrival", "NUMBER"},
        {"delay", 'd', POPT_ARG_STRING, &words->delay, 0,
         "of the latest rank: 10ms, or 10x the stock broadcast without delays (10x)",
         "TIME"},
        {"delay-by", '\0', POPT_ARG_STRING, &words->delay_by, 0,
         "sleep (default), spin", "WORD"},
        {"root", 'r', POPT_ARG_STRING, &words->root, 0, "a rank (0), or rotating",
         "RANK"},
        {"no-barrier", '\0', POPT_ARG_NONE, &settings.no_barrier, 0,
         "ranks do not wait for each other before each call", NULL},
        {"ways", 'w', POPT_ARG_STRING, &words->ways, 0,
         "to compare (balance,stock,binomial,flat)", "LIST"},
        {"calls", 'c', POPT_ARG_STRING, &words->calls, MT_OPTION_NUMBER,
         "in a row (50)", "NUMBER"},
        {"warm-up", '\0', POPT_ARG_STRING, &words->warm_up, MT_OPTION_NUMBER,
         "first calls that are not counted (0)", "NUMBER"},
        {"repetitions", '\0', POPT_ARG_STRING, &words->repetitions, MT_OPTION_NUMBER,
         "of them (3)", "NUMBER"},
        {"seed", '\0', POPT_ARG_STRING, &words->seed, MT_OPTION_NUMBER,
         "of random patterns (0)", "NUMBER"},
        {"json", '\0', POPT_ARG_STRING, &settings.json, 0, "write the results to FILE",
         "FILE"},
        POPT_TABLEEND,
    };
    const struct app app = {BENCH_NAME, table, check_settings, run, &settings};
    const int status = app_main(&app, argc, argv);
    settings_clear(&settings);
    return status;
}
