/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - make the runs of a campaign: start them, on this machine (here.c) or as jobs
 * of Slurm (submit.c), watch them, and keep each in the store as it ends.
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
                                  way for messages; NULL: none */
    struct mt_streak *streak;  /* borrowed; of several campaigns; NULL: its own */
    enum mt_patience patience;
    bool once; /* do not make a run again whose node died, where others could make it */
    bool part; /* one of several, each of a run: that it cannot be made is a run that
                  failed, and not an error */
    bool asks; /* before it takes long, on a terminal, whether to go on; else it ends */
    bool keep_folders; /* also those of runs that succeed */
    int echo;          /* a descriptor that also gets what the runs print; 0: none */
};

/* What came of it. */
struct mt_campaign_result {
    int done;        /* runs that succeeded now */
    int failed;      /* runs that failed now */
    int skipped;     /* tasks whose run was in the store already */
    int left_out;    /* tasks for which too few nodes answer */
    int interrupted; /* the signal that asked to stop; 0: none */
    double
        too_long; /* seconds that it would have taken, ended for that; 0: it was not */
};

/* The time-out of its runs, seconds. */
double mt_campaign_timeout(const struct mt_campaign *campaign);

/* Whether the campaign can be carried out: its members except the store fit together.
   MT_EINVAL says what does not. */
MT_MUST_CHECK int mt_campaign_check(const struct mt_campaign *campaign,
                                    struct mt_error *err);

struct mt_runner;

/* One of the ways to make runs. Those under way are `busy` in number. */
struct mt_runner_ops {
    /* Find what an earlier motley has left. */
    int (*begin)(struct mt_runner *runner, struct mt_error *err);
    /* Get ready for `jobs` runs side by side; NULL: nothing to do. */
    int (*open)(struct mt_runner *runner, struct mt_error *err);
    int (*start)(struct mt_runner *runner, const struct mt_task *task, bool *taken,
                 struct mt_error *err);
    int (*wait)(struct mt_runner *runner, struct mt_error *err);
    /* Leave what is under way, end the watch, and tell what becomes of it. */
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
    int jobs;                   /* side by side; 0: it was not opened */
    int busy;                   /* runs that are under way */
    double spent;               /* seconds on runs that ended, side by side */
    bool full;                  /* no more can be started until one has ended */
    bool over;                  /* those under way are not waited for */
    const struct mt_task *lost; /* borrowed; nodes of its run, which has failed, turned
                                   out to be down, and are left out of the cluster;
                                   whoever has taken note sets it to NULL */
    regex_t pattern;            /* of the program's time */
    bool has_pattern;
    struct mt_watch watch;
    struct mt_failures failures;
    struct mt_streak own_streak, *streak;

    struct mt_slot *slots;       /* here: owned; one a job */
    struct mt_process **running; /* owned; their processes */
    bool silent; /* no node answered any more, so that asking is in vain */
    int heeded;  /* requests to stop that those under way have heard of */

    struct mt_handed_list handed; /* by Slurm: jobs that are not in the store yet */
    bool vain;                    /* they wait for what does not come by itself */
    double began;                 /* to be waited for; on mt_clock() */
};

/* Find what is under way, and keep what has ended since an earlier motley. It is to be
   ended whatever this returns. */
MT_MUST_CHECK int mt_runner_begin(struct mt_runner *runner, struct mt_error *err);
/*
 * Get ready to make those runs that are left. Fails where none can be made: the testbed
 * is not up, the job of Slurm around motley is too small for some, the launcher or the
 * program is missing, or no run can have its job and its folder; then the reason is
 * that of the first one.
 */
MT_MUST_CHECK int mt_runner_open(struct mt_runner *runner,
                                 const struct mt_remaining *remaining,
                                 struct mt_error *err);
/* Whether a run may be started now: there is room, nobody asked motley to stop, and
   there is hope. */
bool mt_runner_has_room(const struct mt_runner *runner);
/* Start the run of the task, which must outlive it; `*taken` is false if there was not
   enough room after all. A run that fails before its process is there is kept. */
MT_MUST_CHECK int mt_runner_start(struct mt_runner *runner, const struct mt_task *task,
                                  bool *taken, struct mt_error *err);
/* Whether runs are under way that are worth waiting for. */
bool mt_runner_is_busy(const struct mt_runner *runner);
/* Wait a while, until runs have ended or motley is asked to stop, and keep what has
   ended. */
MT_MUST_CHECK int mt_runner_wait(struct mt_runner *runner, struct mt_error *err);
/*
 * End it, after `status`: what is under way here is stopped, jobs of Slurm stay in the
 * queue or are cancelled. Lists the runs that failed on stderr; `unstarted`: there are
 * tasks whose runs were not started. Returns `status`, unless something else fails.
 */
MT_MUST_CHECK int mt_runner_end(struct mt_runner *runner, bool unstarted, int status,
                                struct mt_error *err);

/* For the ways to make runs: put a run that has ended into the store and into the
   figures. `run` is empty afterwards. What the store does not take is rescued. */
MT_MUST_CHECK int mt_runner_keep(struct mt_runner *runner, struct mt_run *run,
                                 struct mt_error *err);
/* What starts the run of a task. */
struct mt_launch mt_runner_launch(const struct mt_runner *runner,
                                  const struct mt_task *task);
/* Whether a failure with this status concerns its run alone: it has no job or folder,
   but others may have. */
bool mt_is_of_run(int status);

#endif
