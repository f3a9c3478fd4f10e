/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - the actions of 'motley strassen', and the options that they share.
 */
#ifndef MT_CLI_STRASSEN_H
#define MT_CLI_STRASSEN_H

#include "cli/common/action.h"

/* What the options ask for; NULL, 0: not given. */
struct mt_strassen_options {
    const char *sizes; /* measure */
    int repeat, dry_run, quiet;
    const char *size, *partition, *configuration; /* plan, run */
    int most;
    const char *write, *plot;   /* plan */
    const char *partition_file; /* run */
    int no_check;
    const char *timeout; /* measure, run */
    int seed;
};
extern struct mt_strassen_options mt_strassen_options;

/* Each is in cli/strassen_<name>.c, and is in the table of cli/strassen.c. */
extern const struct mt_action mt_strassen_measure, mt_strassen_plan, mt_strassen_run;

#endif
