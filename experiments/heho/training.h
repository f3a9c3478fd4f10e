/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * training.h - which runs a model is fitted from.
 */
#ifndef HEHO_TRAINING_H
#define HEHO_TRAINING_H

#include "replay.h"

#include "motley/model.h"

enum training_design {
    TRAINING_OF_KIND, /* DESIGNED for auto, ALL for the papers' models */
    TRAINING_ALL,     /* as in the papers: all that the model can be fitted from */
    TRAINING_BASE, /* the base of the library's design; see motley/design.h, and probes
                      of several groups at a size that has truth */
    TRAINING_DESIGNED /* what else the design adds, up to a tenth of NP-T's time */
};

/* The design itself, where it is that of the kind. */
enum training_design training_resolve(enum training_design design,
                                      enum mt_model_kind kind);
/* "all", "base", "designed". */
const char *training_name(enum training_design design);

/* Zeroed is empty. */
struct training {
    struct mt_sample *runs; /* owned */
    int count;
    double seconds; /* that they take */
};

/* Make the runs for a kind of model, a designed training of up to `runs` (0: no limit).
   `training` must be empty. */
MT_MUST_CHECK int training_make(struct training *training, const struct replay *replay,
                                enum training_design design, enum mt_model_kind kind,
                                int runs, struct mt_error *err);
void training_clear(struct training *training);

/* What the papers' NP-T models are trained by: runs, and seconds without noise. */
void training_of_papers(const struct recorded *recorded, int *runs, double *seconds);

#endif
