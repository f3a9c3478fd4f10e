/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * app.h - the frame of every measured program: MPI, options, a clock for all ranks, and
 * messages printed once for all ranks.
 */
#ifndef MT_APPS_APP_H
#define MT_APPS_APP_H

#include <popt.h>
#include <stdbool.h>
#include <stdnoreturn.h>

struct app {
    const char *name;
    struct poptOption *options; /* without --help, which is added */
    /* After MPI_Init() and the options: whether they are consistent and possible on
       this many ranks; app_complain() prints the reason. */
    bool (*check)(void *self);
    int (*run)(void *self); /* returns the exit status */
    void *self; /* the argument of both. On main()'s stack, as simulated ranks share
                   static data */
};

/* All of main(). Returns the exit status: that of `run`, 0 after --help, 2 for wrong
   options. Only rank 0 prints help and complaints. */
int app_main(const struct app *app, int argc, char **argv);

/* Print "NAME: REASON" on rank 0, and return false. */
bool app_complain(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Print "NAME: REASON" on stderr, and end all ranks with EXIT_FAILURE. One rank
   suffices; its reason is printed before the abort. */
noreturn void app_give_up(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Read the file of an option --weights: the weight of each rank, in the format of
   `apps/common/weights.h`; owned. Only rank 0 reads it and reports errors; every rank
   then gets NULL. */
double *app_weights(const char *name, const char *path);

/* The number of threads of a process: OMP_NUM_THREADS, or 1. OpenMP's default would
   take every core, even those of other ranks. */
int app_threads(void);

/* Wait for all ranks, and return the time. */
double app_start(void);
/* Seconds since then of the slowest rank, on rank 0; on the others 0. */
double app_seconds(double start);

#endif
