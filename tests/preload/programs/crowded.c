/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts, with so much work in between that ranks on one core keep each other
   from it most of the time. */
#include "check.h"

#include <time.h>

/* 5 ms of processor time. */
static void work(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec <
           5000000);
}

int main(int argc, char **argv)
{
    char buffer[16];
    MPI_Init(&argc, &argv);
    for (uint32_t i = 0; i < 60; i++) {
        check_bcast(buffer, sizeof buffer, 0, MPI_COMM_WORLD, i);
        work();
    }
    return check_finish();
}
