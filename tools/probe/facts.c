/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include "apps/common/app.h"
#include "apps/common/work.h"
#include "options.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int allowed_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                               : 0;
}

static double load_of_last_minute(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

/* The first line; MPICH's has a tab. */
static void read_version(char mpi[FACTS_TEXT])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    snprintf(mpi, FACTS_TEXT, "%.*s", FACTS_TEXT - 1, version);
}

static struct facts facts_here(void)
{
    struct facts facts = {.cores = 0, .load = NAN};
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    snprintf(facts.host, sizeof facts.host, "%.*s", FACTS_TEXT - 1, host);
    read_version(facts.mpi);
    if (!work_simulated) {
        facts.cores = allowed_cores();
        facts.load = load_of_last_minute();
    }
    return facts;
}

struct facts *facts_gather(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct facts here = facts_here();
    struct facts *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for what %d ranks say", ranks);
    MPI_Gather(&here, sizeof here, MPI_BYTE, all, sizeof here, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    return all;
}

enum { CLOCK_ROUNDS = 20, TAG_CLOCK = 1 };

/* Nanoseconds. */
static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct clock clock_own(void)
{
    const double nothing = work_simulated ? NAN : 0;
    return (struct clock){.ahead = nothing, .error = nothing};
}

struct clock clock_ask(int rank)
{
    struct clock best = {.ahead = NAN, .error = NAN};
    for (int round = 0; round < CLOCK_ROUNDS && !work_simulated; round++) {
        MPI_Request answer;
        int64_t theirs;
        MPI_Irecv(&theirs, 1, MPI_INT64_T, rank, TAG_CLOCK, MPI_COMM_WORLD, &answer);
        const int64_t before = now();
        MPI_Send(NULL, 0, MPI_INT64_T, rank, TAG_CLOCK, MPI_COMM_WORLD);
        MPI_Wait(&answer, MPI_STATUS_IGNORE);
        const int64_t after = now();
        const double error = 0.5e-9 * (double)(after - before);
        if (!(error >= best.error))
            best = (struct clock){.ahead = 1e-9 * (double)(theirs - before) - error,
                                  .error = error};
    }
    return best;
}

void clock_answer(void)
{
    for (int round = 0; round < CLOCK_ROUNDS && !work_simulated; round++) {
        MPI_Recv(NULL, 0, MPI_INT64_T, 0, TAG_CLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const int64_t mine = now();
        MPI_Send(&mine, 1, MPI_INT64_T, 0, TAG_CLOCK, MPI_COMM_WORLD);
    }
}
