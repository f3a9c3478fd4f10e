/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * consent.h - how long a campaign will take, and whether it may take so long.
 */
#ifndef MT_CLI_CONSENT_H
#define MT_CLI_CONSENT_H

#include "cli/common/progress.h"
#include "lib/design/internal.h"

#include <stdbool.h>

/* Seconds that nobody is surprised by. */
#define MT_LONG_CAMPAIGN 3600.0

/* Say how long all runs are expected to take, and ask whether to make those that are
   left. No where nobody can be asked, as standard input and error are no terminal, or a
   signal comes. */
bool mt_consent_ask(double seconds, int left);

/* What a campaign has used, and what is left of it. */
struct mt_workload {
    const struct mt_remaining *remaining; /* borrowed */
    double spent;                         /* seconds on runs that have ended */
    int next;                             /* the first that was not started */
    int ended;                            /* how many have ended */
    int jobs;                             /* side by side */
};

/* The seconds that those take which have not ended. */
double mt_workload_left(const struct mt_workload *workload);

/* Zeroed: nobody was asked. */
struct mt_consent {
    bool given;
    double refused; /* seconds that all would take, but may not; 0: they may */
};

/*
 * Whether the next run may be made: all are expected to take no more than
 * MT_LONG_CAMPAIGN, or the answer of mt_consent_ask(), once, is yes; the progress bar
 * makes way for the question.
 */
bool mt_consent_get(struct mt_consent *consent, const struct mt_workload *workload,
                    struct mt_progress *progress);

#endif
