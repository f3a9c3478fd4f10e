/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - Slurm's queue: why jobs wait, how they ended, and cancelling them.
 */
#ifndef MT_CLI_QUEUE_H
#define MT_CLI_QUEUE_H

#include "motley/error.h"

#include <stdbool.h>

enum mt_queue_state {
    MT_QUEUE_GONE,    /* Slurm does not know it (any longer) */
    MT_QUEUE_PENDING, /* it waits for its nodes */
    MT_QUEUE_RUNNING,
    MT_QUEUE_ENDED
};

/* A job. Set its number; a heterogeneous one has that of its first component. */
struct mt_queued {
    long job;
    enum mt_queue_state state;
    char word[32];    /* Slurm's for the state: "PENDING", "CANCELLED", "TIMEOUT" */
    char reason[128]; /* in Slurm's words, as "Priority"; "None": it gives none */
};

/* Look up `count` jobs. MT_ENOTFOUND: squeue is missing; MT_EIO: it does not answer. */
MT_MUST_CHECK int mt_queue_look(struct mt_queued *jobs, int count,
                                struct mt_error *err);
/* Whether a job that waits for that reason does so until an administrator acts. */
bool mt_queue_in_vain(const struct mt_queued *job);
/* Submit a job by sbatch, with --parsable in `argv`, in the environment `env`
   (script.h); `*job` becomes its number. MT_EINFEASIBLE: Slurm refuses it; the reason
   quotes Slurm. MT_EIO: Slurm does not answer, and the job may exist or not. */
MT_MUST_CHECK int mt_queue_add(long *job, char *const *argv, char *const *env,
                               struct mt_error *err);
/* Find the job of that name, of which there is one at most; 0 if none. Errors as those
   of mt_queue_look(). */
MT_MUST_CHECK int mt_queue_find(long *job, const char *name, struct mt_error *err);
/* Cancel jobs, also running ones. */
MT_MUST_CHECK int mt_queue_cancel(const long *jobs, int count, struct mt_error *err);

#endif
