/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what work.h charges on the nodes of platform.xml. No variable is shared: the
 * ranks are one process. */
#include "apps/common/work.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* On the node of the given rank, what the work costs; the same on all ranks. */
static double cost(const struct work *work, int rank)
{
    int here;
    double seconds = 0;
    struct work_node node;
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    work_node_init(&node, false);
    if (here == rank) {
        const double start = MPI_Wtime();
        if (!work_run(&node, work)) /* not model only: the code is to be carried out */
            return NAN;
        seconds = MPI_Wtime() - start;
    }
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, rank, MPI_COMM_WORLD);
    return seconds;
}

/* Whether the seconds are not as expected; says so on rank 0. */
static int differs(double seconds, double expected, const char *what)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool good = fabs(seconds - expected) <= 1e-6 * expected;
    if (rank == 0)
        printf("%s %s: %g s, expected %g s\n", good ? "right" : "wrong", what, seconds,
               expected);
    return !good;
}

/* Of work that takes 1 s in the first cache. */
static double gradual_cost(double working_set)
{
    return cost(
        &(struct work){.flops = 2e9, .efficiency = 1, .working_set = working_set}, 6);
}

/* The shares of misses by bisection, elsewhere: 0.0197364 at 1.01 times the cache,
   0.5828116 at 1.5, 0.7968121 at twice. */
static int differs_gradually(void)
{
    int wrong = 0;
    wrong += differs(gradual_cost(1024), 1, "work that just fits");
    wrong += differs(gradual_cost(1034.24), 1.0098682, "work 1 % larger");
    wrong += differs(gradual_cost(1536), 1.2914058, "work half as large again");
    wrong += differs(gradual_cost(131072), 1.5 * 2.5936243, "work of both caches");
    wrong += differs(gradual_cost(1e9), 1.5 * 3, "work that hits no cache");
    for (double last = 1, size = 1024; size < 4096; size += 16) {
        const double here = gradual_cost(size);
        if (here < last)
            wrong += differs(here, last, "larger work that is faster");
        last = here;
    }
    return wrong;
}

/* Of an all-to-all on the node of rank 6, the only one that is told of incast. */
static double incast_cost(double bytes)
{
    const double start = MPI_Wtime();
    work_incast(bytes);
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 6, MPI_COMM_WORLD);
    return seconds;
}

/* Ranks: 0 on a, 1 on b, 2 and 3 on c, 4 and 5 on d, 6 on e. */
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct work product = {.flops = 2e9, .efficiency = 1};
    const struct work half = {.flops = 2e9, .efficiency = 0.5};
    const struct work small = {
        .flops = 2e9, .efficiency = 1, .working_set = 1000, .bytes = 1e9};
    const struct work medium = {
        .flops = 2e9, .efficiency = 1, .working_set = 2000, .bytes = 1e9};
    const struct work large = {
        .flops = 2e9, .efficiency = 1, .working_set = 1e6, .bytes = 1e9};
    const struct work compact = {
        .flops = 2e9, .efficiency = 1, .working_set = 1e6, .bytes = 1e8};
    const struct work half_cache = {
        .flops = 2e9, .efficiency = 1, .working_set = 40000, .bytes = 1e9};
    struct work half_cache_alone = half_cache, large_alone = large;
    half_cache_alone.alone = large_alone.alone = true;

    int wrong = 0;
    wrong += differs(cost(&product, 0), 1, "operations at the node's speed");
    wrong += differs(cost(&half, 0), 2, "a kernel of half the efficiency");
    wrong += differs(cost(&large, 0), 1, "a node without limits of its memory");
    wrong += differs(cost(&small, 1), 1, "work that fits into the first cache");
    wrong += differs(cost(&medium, 1), 1.5, "work that fits into the second cache");
    wrong += differs(cost(&large, 1), 10, "work that the memory's bandwidth limits");
    wrong += differs(cost(&compact, 1), 3, "work that has outgrown both caches");
    wrong += differs(cost(&product, 2), 5, "half a core, less the loss");
    wrong += differs(cost(&half_cache, 2), 10, "a core's cache in two processes");
    wrong += differs(cost(&half_cache_alone, 2), 5, "a core's cache in one of two");
    wrong += differs(cost(&large, 4), 10, "memory that two processes share");
    wrong += differs(cost(&large_alone, 4), 5, "memory while the other one waits");
    wrong += differs(1 + incast_cost(4095), 1, "messages too short to lose packets");
    wrong += differs(incast_cost(4096), 0.2, "messages that lose packets");
    wrong += differs(incast_cost(1e6), 0.5, "messages that lose more");
    wrong += differs_gradually();

    MPI_Finalize();
    return wrong != 0;
}
