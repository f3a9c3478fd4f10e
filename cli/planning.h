/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planning.h - what plan and run share: the options that ask for a plan.
 */
#ifndef MT_CLI_PLANNING_H
#define MT_CLI_PLANNING_H

#include "command.h"
#include "knowledge.h"

#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

/* --size, --model, --objective, --deadline, --budget, --max-nodes: to be put into a
   command's own table with POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_planning_options[];

/* What these options ask; `question->top` is left to the command. */
MT_MUST_CHECK int mt_planning_read(struct mt_question *question,
                                   enum mt_model_kind *kind, struct mt_error *err);

/*
 * Get all ready that is known, and search; where runs beyond the training correct the
 * models, so they do the plan. When there are no models, the reason says what to
 * measure; what had to be left out for want of a model is said on stderr. `knowledge`
 * and `plan` must be empty. `all`: try every configuration, and keep all.
 */
MT_MUST_CHECK int mt_planning_search(struct mt_plan *plan,
                                     struct mt_knowledge *knowledge,
                                     const struct mt_inputs *inputs,
                                     enum mt_model_kind kind,
                                     const struct mt_question *question, bool all,
                                     struct mt_error *err);

#endif
