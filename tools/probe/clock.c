/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include "apps/common/work.h"
#include "patient.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <time.h>

enum { ROUNDS = 20, TAG = 1 };

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
    for (int round = 0; round < ROUNDS && !work_simulated; round++) {
        MPI_Request question, answer;
        int64_t theirs;
        MPI_Irecv(&theirs, 1, MPI_INT64_T, rank, TAG, MPI_COMM_WORLD, &answer);
        const int64_t before = now();
        MPI_Isend(NULL, 0, MPI_INT64_T, rank, TAG, MPI_COMM_WORLD, &question);
        patient_wait(&question, MPI_STATUS_IGNORE);
        patient_wait(&answer, MPI_STATUS_IGNORE);
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
    for (int round = 0; round < ROUNDS && !work_simulated; round++) {
        MPI_Request question, answer;
        MPI_Irecv(NULL, 0, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, &question);
        if (round == 0)
            patient_idle(&question);
        else
            patient_wait(&question, MPI_STATUS_IGNORE);
        const int64_t mine = now();
        MPI_Isend(&mine, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, &answer);
        patient_wait(&answer, MPI_STATUS_IGNORE);
    }
}
