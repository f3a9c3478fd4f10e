/* SPDX-License-Identifier: BSD-3-Clause */
#include "patient.h"

#include "apps/common/work.h"

#include <math.h>
#include <sys/prctl.h>
#include <time.h>

/* MPIs look at the network in some of the tests only. */
enum { LOOKS = 8 };

/* Seconds. Awake for longer than small messages take: two ranks that nap wait for each
   other's naps. */
static const double awake = 300e-6, short_nap = 250e-6, long_nap = 5e-3;

void patient_begin(void)
{
    if (!work_simulated)
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

static void nap(double seconds)
{
    const struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

/* Naps grow with what was waited already, so that they add little to it. */
static void wait_for(MPI_Request *request, MPI_Status *status, double longest_nap)
{
    if (work_simulated) {
        MPI_Wait(request, status);
        return;
    }
    const double start = MPI_Wtime();
    for (;;) {
        int done = 0;
        for (int look = 0; look < LOOKS && !done; look++)
            MPI_Test(request, &done, status);
        if (done)
            return;
        const double waited = MPI_Wtime() - start;
        if (waited > awake)
            nap(fmin(waited / 16, longest_nap));
    }
}

void patient_wait(MPI_Request *request, MPI_Status *status)
{
    wait_for(request, status, short_nap);
}

void patient_idle(MPI_Request *request)
{
    wait_for(request, MPI_STATUS_IGNORE, long_nap);
}

void patient_barrier(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    patient_idle(&request);
}
