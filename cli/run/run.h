/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - makes the runs of a campaign: starts them, on this machine (here.c) or as
 * jobs of Slurm (submit.c), watches them, and stores each as it ends.
 */
#ifndef MT_CLI_RUN_H
#define MT_CLI_RUN_H

#include "cli/common/progress.h"
#include "cli/launch/launcher.h"
#include "cli/process/process.h"
#include "handed.h"
#include "lib/design/internal.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"
#include "record.h"
#include "remaining.h"

#include <stdbool.h>

/* How to make runs by submitted jobs (submit.h). */
struct mt_submit {
    bool wanted;
    bool cancel; /* cancel the jobs if motley is asked to stop */
};

struct mt_campaign {
    struct mt_cluster *cluster;       /* borrowed; loses nodes that stop answering */
    const struct mt_program *program; /* borrowed */
    struct mt_store *store;           /* borrowed; claimed */
    const double *weights;            /* borrowed; of each rank of its only run; NULL:
                                         all are 1 */
    unsigned seed; /* of the order of the runs and of the simulated noise */
    int jobs;      /* concurrent runs; more than 1 only on simulated clusters, and
                      submitted to Slurm */
    struct mt_submit submit;
    double timeout;            /* of a run, seconds; 0: the program's */
    bool quiet;                /* no progress bar */
    struct mt_progress *whole; /* borrowed; the progress bar of several campaigns,
                                  cleared before messages; NULL: none */
    struct mt_streak *streak;  /* borrowed; of several campaigns; NULL: its own */
    enum mt_patience patience;
    bool once; /* do not repeat a run whose node died, even if other nodes could make
                  it */
    bool part; /* one of several campaigns with a run each: an impossible run is a
                  failed run, not an error */
    bool asks; /* ask on a terminal before a long campaign; without consent it ends */
    bool keep_folders; /* keep folders also of runs that succeed */
    int echo;          /* a descriptor for a copy of the runs' output; 0: none */
};

/* What came of it. */
struct mt_campaign_result {
    int done;        /* runs that succeeded now */
    int failed;      /* runs that failed now */
    int skipped;     /* tasks whose run was in the store already */
    int left_out;    /* tasks for which too few nodes answer */
    int interrupted; /* the signal that asked to stop; 0: none */
    double too_long; /* expected seconds, if it ended because it was too long; 0:
                        otherwise */
};

/* The time-out of its runs, seconds. */
double mt_campaign_timeout(const struct mt_campaign *campaign);

/* Whether the campaign can be carried out: its members except the store fit together.
   MT_EINVAL: the reason. */
MT_MUST_CHECK int mt_campaign_check(const struct mt_campaign *campaign,
                                    struct mt_error *err);

struct mt_runner;

/* A way to make runs. `busy` of them are in progress. */
struct mt_runner_ops {
    /* Find runs left by an earlier motley. */
    int (*begin)(struct mt_runner *runner, struct mt_error *err);
    /* Prepare for `jobs` concurrent runs; NULL: nothing to do. */
    int (*open)(struct mt_runner *runner, struct mt_error *err);
    int (*start)(struct mt_runner *runner, const struct mt_task *task, bool *taken,
                 struct mt_error *err);
    int (*wait)(struct mt_runner *runner, struct mt_error *err);
    /* Abandon runs in progress, end the watch, and report their fate. */
    int (*leave)(struct mt_runner *runner, int status, struct mt_error *err);
    void (*clear)(struct mt_runner *runner);
};
extern const struct mt_runner_ops mt_runs_here, mt_runs_by_slurm;

/* Makes runs. Zero it, set the members of the first part, and begin it. */
struct mt_runner {
    const struct mt_campaign *campaign; /* borrowed */
    struct mt_campaign_result *result;  /* borrowed; counts the runs */
    struct mt_progress *bar;            /* borrowed; which messages end */
    struct mt_estimate *estimate;       /* borrowed; learns how long runs take */

    const struct mt_runner_ops *ops;
    bool open;
    int jobs;                   /* concurrent; 0: it was not opened */
    int busy;                   /* runs in progress */
    double spent;               /* seconds on ended runs, concurrent ones counted
                                   once */
    bool full;                  /* no more can be started until one has ended */
    bool over;                  /* do not wait for runs in progress */
    const struct mt_task *lost; /* borrowed; the task whose run failed because nodes
                                   were down, which are left out of the cluster; the
                                   caller resets it to NULL */
    regex_t pattern;            /* of the program's time */
    bool has_pattern;
    struct mt_watch watch;
    struct mt_failures failures;
    struct mt_streak own_streak, *streak;

    struct mt_slot *slots;       /* here: owned; one a job */
    struct mt_process **running; /* owned; their processes */
    bool silent;                 /* no node answered, so further pings are useless */
    int heeded;                  /* requests to stop passed on to runs in progress */

    struct mt_handed_list handed; /* by Slurm: jobs that are not in the store yet */
    bool vain;                    /* all wait for reasons that do not pass by
                                     themselves */
    double began;                 /* to be waited for; on mt_clock() */
};

/* Find runs in progress, and record those of an earlier motley that have ended. The
   caller must end it, whatever this returns. */
MT_MUST_CHECK int mt_runner_begin(struct mt_runner *runner, struct mt_error *err);
/*
 * Prepare to make the remaining runs. Fails if none can be made: the testbed is not up,
 * the job of Slurm around motley is too small for some, the launcher or the program is
 * missing, or no run can have its job and its folder; then the reason is that of the
 * first one.
 */
MT_MUST_CHECK int mt_runner_open(struct mt_runner *runner,
                                 const struct mt_remaining *remaining,
                                 struct mt_error *err);
/* Whether a run may be started now: there is room, motley was not asked to stop, and
   runs can succeed. */
bool mt_runner_has_room(const struct mt_runner *runner);
/* Start the run of the task, which must outlive it; `*taken` is false if there was not
   enough room after all. A run that fails before its process starts is recorded. */
MT_MUST_CHECK int mt_runner_start(struct mt_runner *runner, const struct mt_task *task,
                                  bool *taken, struct mt_error *err);
/* Whether there are runs in progress to wait for. */
bool mt_runner_is_busy(const struct mt_runner *runner);
/* Wait a while, until runs have ended or motley is asked to stop, and record ended
   runs. */
MT_MUST_CHECK int mt_runner_wait(struct mt_runner *runner, struct mt_error *err);
/*
 * End it, after `status`: stops runs on this machine; jobs of Slurm stay in the queue
 * or are cancelled. Lists failed runs on stderr; `unstarted`: there are tasks whose
 * runs were not started. Returns `status`, unless something else fails.
 */
MT_MUST_CHECK int mt_runner_end(struct mt_runner *runner, bool unstarted, int status,
                                struct mt_error *err);

/* For the ways to make runs: store an ended run and count it. `run` is empty
   afterwards. Runs that the store does not take are rescued. */
MT_MUST_CHECK int mt_runner_keep(struct mt_runner *runner, struct mt_run *run,
                                 struct mt_error *err);
/* The launch of a task's run. */
struct mt_launch mt_runner_launch(const struct mt_runner *runner,
                                  const struct mt_task *task);
/* Whether a failure with this status concerns its run alone: it has no job or folder,
   but others may have. */
bool mt_is_of_run(int status);

#endif
