/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knowledge.h - all that is known about the times of a program on a cluster: its
 * models, the runs, and what runs beyond the training say about the models' errors.
 */
#ifndef MT_CLI_KNOWLEDGE_H
#define MT_CLI_KNOWLEDGE_H

#include "cli/common/command.h"
#include "models.h"

#include "motley/error.h"
#include "motley/evidence.h"
#include "motley/model.h"

#include <stdbool.h>

/* Zeroed is empty. It must not be moved: the evidence points to the models. */
struct mt_knowledge {
    struct mt_models models;
    struct mt_samples samples; /* all runs that succeeded */
    struct mt_evidence evidence;
    int corrections; /* runs beyond the training; 0: the models are not corrected */
};

/*
 * Get the models and the runs (as mt_models_ready(), with its failures), and take as
 * evidence for auto models those of several groups at once, which these are not fitted
 * from, and those at sizes that are not measure sizes of the program, which are few
 * among the runs that they are. The other kinds stay as the papers have them.
 * `knowledge` must be empty.
 */
MT_MUST_CHECK int mt_knowledge_ready(struct mt_knowledge *knowledge,
                                     const struct mt_inputs *inputs,
                                     enum mt_model_kind kind, struct mt_error *err);
void mt_knowledge_clear(struct mt_knowledge *knowledge);

/*
 * Whether run i of the samples is in the evidence: it is beyond the training, or it is
 * one of several at its configuration and size, or a run of several groups at this size
 * came before it. So what was run to verify a plan is evidence, too, where the models
 * are fitted from it.
 */
bool mt_knowledge_is_evidence(const struct mt_knowledge *knowledge,
                              const struct mt_inputs *inputs, int i);

/* As mt_models_predict(), corrected where there is evidence. */
MT_MUST_CHECK int mt_knowledge_predict(const struct mt_knowledge *knowledge,
                                       const struct mt_inputs *inputs,
                                       const struct mt_configuration *configuration,
                                       double size, struct mt_prediction *prediction,
                                       struct mt_error *err);

/* How many of the corrections were made at this size. */
int mt_knowledge_corrections_at(const struct mt_knowledge *knowledge,
                                const struct mt_inputs *inputs, double size);

#endif
