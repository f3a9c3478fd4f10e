/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hundreds of broadcasts of all sizes while ranks are late in changing patterns, so
 * that a library that adapts goes through all its states.
 */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

enum { LARGEST = 4 << 20 };

static uint64_t state = 1; /* the same on all ranks */
static uint32_t number;
static char *buffer;

/* Mostly small ones, including the limits at which MPIs change protocols. */
static int draw_size(void)
{
    static const int limits[] = {1, 2048, 4096, 8192, 16384, 65536, 1 << 20};
    if (draw(&state, 4) == 0)
        return limits[draw(&state, 7)] + (int)draw(&state, 3) - 1;
    const uint32_t bits = draw(&state, draw(&state, 4) == 0 ? 22 : 13);
    return (int)((1U << bits) + draw(&state, 1U << bits));
}

enum pattern { NOBODY, ONE, ROOT, RANDOM, ASCENDING };

static void delay(enum pattern pattern, int late, int rank, int ranks)
{
    const uint32_t us = draw(&state, 2000);
    const int chosen = (int)draw(&state, (uint32_t)ranks);
    if ((pattern == ONE && rank == late) || (pattern == ROOT && rank == 0) ||
        (pattern == RANDOM && rank == chosen))
        usleep(us);
    if (pattern == ASCENDING)
        usleep(us * (uint32_t)rank / (uint32_t)ranks);
}

static void broadcasts(int n, enum pattern pattern, int late, bool together)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < n; i++) {
        const int root = i % 4 == 3 ? (int)draw(&state, (uint32_t)ranks) : 0;
        const int bytes = draw_size();
        delay(pattern, late % ranks, rank, ranks);
        check_bcast(buffer, bytes, root, MPI_COMM_WORLD, number++);
        if (together)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    buffer = malloc(LARGEST);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 1);
    broadcasts(40, ROOT, 0, false); /* all others wait, so there is reason to adapt */
    broadcasts(50, NOBODY, 0, false);
    broadcasts(60, ONE, 1, false);
    broadcasts(40, ONE, ranks / 2, true);
    broadcasts(150, NOBODY, 0, false);
    broadcasts(40, RANDOM, 0, false);
    broadcasts(40, ASCENDING, 0, true);
    broadcasts(150, NOBODY, 0, true);
    broadcasts(60, ONE, ranks - 1, false);
    free(buffer);
    return check_finish();
}
