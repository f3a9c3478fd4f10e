/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failures.h - the list, at the end of a campaign, of the runs that failed: what each
 * was, the reason, and the end of what it printed.
 */
#ifndef MT_CLI_FAILURES_H
#define MT_CLI_FAILURES_H

#include "motley/run.h"

#include <stdio.h>

enum { MT_FAILURES_SHOWN = 10 };

/* The first failures and the number of all. Zeroed is empty. */
struct mt_failures {
    struct mt_run shown[MT_FAILURES_SHOWN]; /* owned */
    int count;
};

/* Add a run that failed, which becomes the list's: `run` is empty afterwards. */
void mt_failures_add(struct mt_failures *failures, struct mt_run *run);
/* Print the list; nothing when it is empty. */
void mt_failures_print(const struct mt_failures *failures, FILE *stream);
void mt_failures_clear(struct mt_failures *failures);

#endif
