/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - how the runs of a campaign are made, and whether they can be.
 */
#ifndef MT_CLI_SETTINGS_H
#define MT_CLI_SETTINGS_H

#include "cli/launch/launcher.h"
#include "lib/design/internal.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>

struct mt_progress;
struct mt_streak;

/* How runs are made by jobs that are handed in (submit.h). */
struct mt_submit {
    bool wanted;
    bool cancel; /* the jobs, if motley is asked to stop */
};

struct mt_campaign {
    struct mt_cluster *cluster;       /* borrowed; nodes that stop answering are left
                                         out of it */
    const struct mt_program *program; /* borrowed */
    struct mt_store *store;           /* borrowed; claimed */
    const double *weights;            /* borrowed; of each rank of its only run; NULL:
                                         all are 1 */
    unsigned seed; /* of the order of the runs and of the simulated noise */
    int jobs;      /* runs side by side; more than 1 only on simulated clusters, and
                      handed in to Slurm */
    struct mt_submit submit;
    double timeout;            /* of a run, seconds; 0: the program's */
    bool quiet;                /* no progress bar */
    struct mt_progress *whole; /* borrowed; the bar of several campaigns, which makes
                                  way for messages; NULL: there is none */
    struct mt_streak *streak;  /* borrowed; of several campaigns; NULL: its own */
    enum mt_patience patience;
    bool once; /* do not make a run again whose node died, where others could make it */
    bool part; /* one of several, each of a run: that it cannot be made is a run that
                  failed, and not an error */
    bool asks; /* before it takes long, as in consent.h: on a terminal, whether
                  to go on; else it ends */
    bool keep_folders; /* also those of runs that succeed */
    int echo;          /* a descriptor that also gets what the runs print; 0: none */
};

/* The time-out of its runs, seconds. */
double mt_campaign_timeout(const struct mt_campaign *campaign);

/* Whether the campaign can be carried out: its members but for the store fit together.
   MT_EINVAL says what does not. mt_campaign_run() checks it, too. */
MT_MUST_CHECK int mt_campaign_check(const struct mt_campaign *campaign,
                                    struct mt_error *err);

/*
 * Whether the runs that are left, at least one, can be made: the testbed is up, the job
 * of Slurm around motley is large enough for all, the launcher and the program are
 * there, and some run can have its job and its folder; else the reason is that of the
 * first one.
 */
MT_MUST_CHECK int mt_trial(const struct mt_campaign *campaign,
                           const struct mt_remaining *remaining, struct mt_error *err);

/* Whether what fails with this status is a matter of its run alone: there is no job or
   folder for it, but there may be for others. */
bool mt_trial_is_of_run(int status);

#endif
