/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one execution of a program on a configuration: what is kept of it.
 */
#ifndef MT_RUN_H
#define MT_RUN_H

#include "motley/error.h"

#include <stdbool.h>
#include <stdint.h>

enum mt_outcome {
    MT_RUN_OK,        /* seconds holds */
    MT_RUN_FAILED,    /* exited with a status other than 0, or could not be started */
    MT_RUN_SIGNALLED, /* killed by a signal */
    MT_RUN_TIMEOUT,   /* killed by motley after the program's time-out */
    MT_RUN_UNREAD     /* ended well, but its time could not be read from its output */
};

/* Zeroed is empty; mt_run_clear() makes it empty again. All strings are owned. */
struct mt_run {
    int64_t id; /* in the store; 0: not stored yet */
    char *cluster;
    char *program;
    char *configuration; /* canonical text */
    double size;
    int repetition; /* 1, 2, ... */
    enum mt_outcome outcome;
    double seconds; /* the program's time; 0 unless outcome is MT_RUN_OK */
    double wall;    /* from start to end, of the launcher's process, seconds */
    int exit_code;  /* of MT_RUN_FAILED; 127 and no output: it could not be started */
    int signal;     /* of MT_RUN_SIGNALLED */
    char *reason;   /* in words, when it did not succeed; otherwise NULL */
    char *output;   /* the end of what it printed; NULL: nothing */
    char *down;     /* nodes of it that did not answer afterwards, separated by blanks;
                         NULL: they answered, or were not asked */
    char *launcher;
    bool simulated;  /* the seconds are those of a simulated cluster */
    int64_t started; /* seconds since 1970-01-01 UTC */
};

void mt_run_clear(struct mt_run *run);
/* "ok", "failed", "signalled", "timeout", "unread": the word used in the store and in
   what is exported. */
const char *mt_outcome_name(enum mt_outcome outcome);
/* The outcome of that word; MT_EINVAL lists the words. */
MT_MUST_CHECK int mt_outcome_parse(enum mt_outcome *outcome, const char *name,
                                   struct mt_error *err);

#endif
