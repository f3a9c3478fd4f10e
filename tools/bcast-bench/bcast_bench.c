/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-bcast-bench - how long ranks spend in a broadcast to which some of them come
 * late: the program's own call, with whatever library is preloaded, against the MPI's
 * and two plain trees, all in one run.
 */
#include "apps/common/give_up.h"
#include "measure.h"
#include "results.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of the stock broadcast from first start to last end, with nobody late; on
   all ranks. */
static double stock_seconds(struct bench *bench, int bytes, struct series *series)
{
    const struct settings *settings = bench->settings;
    const struct pattern none = {.kind = PATTERN_NONE};
    const struct load load = {.bytes = bytes, .pattern = &none};
    bench_block(bench, &load, WAY_STOCK, 0, series);
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
static void judge(struct results *results, const struct series series[WAYS])
{
    const struct settings *settings = results->settings;
    for (int i = 0; i < settings->nways; i++) {
        const enum way way = settings->ways[i];
        outcome_of(&results->outcomes[way], &series[way]);
    }
    if (results->load.pattern->kind == PATTERN_NONE ||
        !results_have(results, WAY_STOCK))
        return;
    const struct spread *stock = results->outcomes[WAY_STOCK].metric;
    for (int i = 0; i < settings->nways; i++) {
        const enum way way = settings->ways[i];
        const struct spread *metric = results->outcomes[way].metric;
        tally_add(&results->all[way], metric[METRIC_IN_CALL].median,
                  stock[METRIC_IN_CALL].median);
        tally_add(&results->learned[way], metric[METRIC_IN_CALL_LEARNED].median,
                  stock[METRIC_IN_CALL_LEARNED].median);
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
        delay->relative ? stock_seconds(bench, bytes, &series[WAY_STOCK]) : 1;
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
        judge(&results, series);
        table_pattern(&results);
        if (file)
            json_pattern(file, &results);
    }
    if (bench->rank != 0 || results.all[WAY_STOCK].patterns < 2)
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
        give_up(BENCH_NAME, "cannot write '%s': %s", path, strerror(errno));
    return file;
}

static int run(const struct settings *settings)
{
    struct bench bench;
    struct series series[WAYS];
    bench_init(&bench, settings);
    for (int way = 0; way < WAYS; way++)
        if (series_init(&series[way], settings->calls, settings->repetitions,
                        settings->warm_up) != 0)
            give_up(BENCH_NAME, "no memory for the times of %d calls", settings->calls);
    FILE *file = open_json(&bench);
    if (bench.rank == 0)
        table_start(&(struct results){
            .settings = settings, .ranks = bench.ranks, .one_clock = bench.one_clock});
    for (int i = 0; i < settings->nsizes; i++)
        measure_size(&bench, settings->sizes[i], series, file);
    const bool right = data_was_right(&bench, series);
    if (file && fclose(file) != 0)
        give_up(BENCH_NAME, "cannot write '%s': %s", settings->json, strerror(errno));
    for (int way = 0; way < WAYS; way++)
        series_clear(&series[way]);
    bench_clear(&bench);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct settings settings;
    int code = EXIT_SUCCESS;
    switch (settings_read(&settings, argc, argv)) {
    case ARGUMENTS_RUN:
        code = run(&settings);
        break;
    case ARGUMENTS_HELPED:
        break;
    case ARGUMENTS_WRONG:
        code = 2;
        break;
    }
    settings_clear(&settings);
    MPI_Finalize();
    return code;
}
