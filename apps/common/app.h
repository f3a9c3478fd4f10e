/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * app.h - what every measured program has around its work: MPI, options, a clock for
 * all ranks, and one voice, as it is started on many ranks.
 */
#ifndef MT_APPS_APP_H
#define MT_APPS_APP_H

#include <popt.h>
#include <stdbool.h>
#include <stdnoreturn.h>

struct app {
    const char *name;
    struct poptOption *options; /* without --help, which is added */
    /* After MPI_Init() and the options: whether they make sense together and on this
       many ranks; app_complain() says what is wrong. */
    bool (*check)(void *self);
    int (*run)(void *self); /* returns the exit status */
    void *self; /* what both get. On main()'s stack, as simulated ranks share what is
                   static */
};

/* All of main(), which gets the exit status back: that of `run`, 0 after --help, 2 for
   wrong options. Only rank 0 prints help and complaints. */
int app_main(const struct app *app, int argc, char **argv);

/* Print "NAME: what is wrong" on rank 0, and return false. */
bool app_complain(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Print "NAME: what is wrong" on stderr, and end all ranks with EXIT_FAILURE: on one
   rank's word, and so that its reason is read. */
noreturn void app_give_up(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Read the file of an option --weights: the weight of each rank, in the format of
   `apps/common/weights.h`; owned. Only rank 0 reads it and reports errors; every rank
   then gets NULL. */
double *app_weights(const char *name, const char *path);

/* How many threads a process may have: OMP_NUM_THREADS, or 1. Unlike OpenMP, which
   would take every core, also where other ranks compute. */
int app_threads(void);

/* The time when all ranks have come here. */
double app_start(void);
/* Seconds since then of the slowest rank, on rank 0; on the others 0. */
double app_seconds(double start);

#endif
