/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-probe - what `motley check` starts on a cluster's nodes, a rank on each: who
 * is there, how fast they compute, and how fast messages go between them. Rank 0 prints
 * what was found as lines of JSON.
 */
#include "apps/common/app.h"
#include "lines.h"
#include "messages.h"
#include "node.h"
#include "options.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void introduce(int rank, int ranks)
{
    struct facts *facts = facts_gather();
    if (rank != 0)
        clock_answer();
    for (int other = 0; other < ranks && rank == 0; other++) {
        const struct clock clock = other == 0 ? clock_own() : clock_ask(other);
        line_rank(other, &facts[other], &clock);
    }
    free(facts);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void show_speeds(const struct work_node *node, int rank, int ranks)
{
    const struct speed mine = compute(node);
    struct speed *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for the speeds of %d ranks", ranks);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    for (int other = 0; other < ranks && rank == 0; other++)
        line_compute(other, &all[other]);
    free(all);
}

static bool check_options(void *self)
{
    return options_check(self);
}

static int run(void *self)
{
    const struct options *options = self;
    const int max_bytes = (int)options->max_bytes.value;
    int rank, ranks;
    struct work_node node;
    struct timing timings[TIMING_MOST_SIZES];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    work_node_init(&node, work_simulated);
    introduce(rank, ranks);
    if (options->compute)
        show_speeds(&node, rank, ranks);
    for (int i = 0; i < options->npairs; i++) {
        const struct pair *pair = &options->pairs[i];
        const int count = pingpong(&node, pair, max_bytes, timings);
        lines_pair(pair, timings, count);
        fflush(stdout);
    }
    if (options->alltoall) {
        const int count = alltoall(&node, max_bytes, timings);
        lines_alltoall(ranks, timings, count);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct options options = {
        .max_bytes = {.least = 1, .most = 1 << 30, .value = OPTIONS_MAX_BYTES}};
    struct poptOption table[] = {
        {"pairs", 'p', POPT_ARG_STRING, &options.list, 0,
         "ranks to send messages between, as 0-1,0-2", "LIST"},
        {"max-bytes", 'm', POPT_ARG_STRING, &options.max_bytes, MT_OPTION_NUMBER,
         "size of the largest messages (4194304)", "BYTES"},
        {"alltoall", 'a', POPT_ARG_NONE, &options.alltoall, 0,
         "send messages between all ranks at once", NULL},
        {"compute", 'c', POPT_ARG_NONE, &options.compute, 0,
         "measure processors and memory of all ranks at once", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {PROBE_NAME, table, check_options, run, &options};
    const int status = app_main(&app, argc, argv);
    options_clear(&options);
    return status;
}
