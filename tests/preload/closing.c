/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Only reads from the process manager call the worker of the MPI's UCX, and only while
 * its connections close. Run with the library for MPICH.
 */
#include "closing.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { LATE = 200 * 1000 /* us */ };

static int failures;

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "not so: %s\n", what);
}

static void on_alarm(int number)
{
    (void)number;
}

/* Signals that interrupt waits, every 5 ms. */
static void disturb(void)
{
    const struct itimerval often = {.it_interval.tv_usec = 5000,
                                    .it_value.tv_usec = 5000};
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

/* A letter that comes late, or is there already. Returns the descriptor to read it
   from. */
static int letter(bool late)
{
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    if (late && fork() != 0)
        return ends[0];
    if (late)
        usleep(LATE);
    if (write(ends[1], "x", 1) != 1)
        exit(1);
    if (late)
        _exit(0);
    return ends[0];
}

static bool reads(int descriptor)
{
    char got = ' ';
    return mpi_read(descriptor, &got, 1) == 1 && got == 'x';
}

static void name_manager(int descriptor)
{
    char number[16];
    snprintf(number, sizeof number, "%d", descriptor);
    setenv("PMI_FD", number, 1);
}

int main(void)
{
    void *own;
    const int manager = letter(true);
    name_manager(manager);
    ucp_worker_create(NULL, NULL, &own);
    const int *looks = mpi_create_worker();
    check(reads(letter(false)) && *looks == 0, "reads go on as ever");
    mpi_close_connections();
    disturb();
    check(reads(manager), "the manager's answer comes, signals or not");
    const int enough = *looks;
    check(enough >= 10, "who waits for the manager looks at its worker");
    check(reads(letter(false)) && *looks == enough, "other reads do not");
    check(*(int *)own == 0, "nobody looks at the program's own worker");
    mpi_destroy_worker();
    const int again = letter(true);
    dup2(again, manager);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    check(reads(manager) && *looks == enough, "nobody looks when it is destroyed");
    return failures > 0;
}
