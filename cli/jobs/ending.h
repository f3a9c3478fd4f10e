/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ending.h - how a job that was handed in has ended, and the run that it made.
 */
#ifndef MT_CLI_ENDING_H
#define MT_CLI_ENDING_H

#include "cli/launch/queue.h"
#include "handed.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <regex.h>
#include <stdbool.h>

/* What is needed to read a job's time. All borrowed. */
struct mt_ending_program {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const regex_t *pattern; /* of its time; NULL: it has none */
};
/*
 * If the job has ended, by what it has written or by its state in the queue, make the
 * empty `run` what is to be kept of it; `*ended` says whether. A job that was cancelled
 * or reached its time limit is a run that failed.
 */
MT_MUST_CHECK int mt_ending_read(struct mt_handed *handed,
                                 const struct mt_queued *queued,
                                 const struct mt_ending_program *program,
                                 struct mt_run *run, bool *ended, struct mt_error *err);
#endif
