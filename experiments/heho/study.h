/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study.h - every combination that is asked for of cluster, app, noise and kind of
 * model.
 */
#ifndef HEHO_STUDY_H
#define HEHO_STUDY_H

#include "list.h"
#include "trial.h"

#include <stdio.h>

struct study {
    const char *folder; /* of the recorded truth */
    struct list clusters, apps, noises, models;
    enum training_design design;
    int runs;   /* of auto's training; 0: no limit */
    int verify; /* also verify auto by so many runs; 0: do not */
    int seeds;
    bool detail; /* a line for each seed and size, instead of their figures */
};

/* Print a line of JSON, or the details, of each. Truth that is not recorded is passed
   over, and said on stderr; MT_ENOTFOUND: none is. */
MT_MUST_CHECK int study_run(const struct study *study, FILE *stream,
                            struct mt_error *err);

#endif
