/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planning.h - what plan and run share: the options that ask for a plan.
 */
#ifndef MT_CLI_PLANNING_H
#define MT_CLI_PLANNING_H

#include "cli/common/command.h"
#include "knowledge.h"

#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

/* --model, --objective, --deadline, --budget, --max-nodes, and --size with one size, or
   with one or several: to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_planning_options[];
extern struct poptOption mt_planning_size_option[], mt_planning_sizes_option[];

/* What these options ask; `question->top` is left to the command. */
MT_MUST_CHECK int mt_planning_read(struct mt_question *question,
                                   enum mt_model_kind *kind, struct mt_error *err);
/* The same but for the size, which is left 0, as there may be several. */
MT_MUST_CHECK int mt_planning_read_limits(struct mt_question *question,
                                          enum mt_model_kind *kind,
                                          struct mt_error *err);
/* The sizes that are given, which the caller frees; none: NULL. */
MT_MUST_CHECK int mt_planning_read_sizes(double **sizes, int *count,
                                         struct mt_error *err);

/*
 * Get all ready that is known. When there are no models, the reason says what to
 * measure; what has to be left out for want of a model is said on stderr. `knowledge`
 * must be empty.
 */
MT_MUST_CHECK int mt_planning_ready(struct mt_knowledge *knowledge,
                                    const struct mt_inputs *inputs,
                                    enum mt_model_kind kind,
                                    const struct mt_question *question,
                                    struct mt_error *err);

/*
 * All configurations among which to choose, corrected by the runs that are known and
 * ranked; without the `failed` ones whose runs at this size all failed. `plan` must be
 * empty.
 */
MT_MUST_CHECK int mt_planning_candidates(struct mt_plan *plan, int *failed,
                                         const struct mt_knowledge *knowledge,
                                         const struct mt_inputs *inputs,
                                         const struct mt_question *question,
                                         struct mt_error *err);

/*
 * Search by what is known; where runs beyond the training correct the models, so they
 * do the plan. `plan` must be empty. `all`: try every configuration, and keep all.
 * `failed` is how many were left out because all their runs at this size failed.
 */
MT_MUST_CHECK int mt_planning_find(struct mt_plan *plan, int *failed,
                                   const struct mt_knowledge *knowledge,
                                   const struct mt_inputs *inputs,
                                   const struct mt_question *question, bool all,
                                   struct mt_error *err);

/* Both; what was left out because it failed is said on stderr. */
MT_MUST_CHECK int mt_planning_search(struct mt_plan *plan,
                                     struct mt_knowledge *knowledge,
                                     const struct mt_inputs *inputs,
                                     enum mt_model_kind kind,
                                     const struct mt_question *question, bool all,
                                     struct mt_error *err);

#endif
