/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planning.h - what plan, run and predict share: the options that ask for a plan, and
 * what is said on the way to one.
 */
#ifndef MT_CLI_PLANNING_H
#define MT_CLI_PLANNING_H

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

/* --model, which mt_planning_options has, too; not given: MT_MODEL_AUTO. */
extern struct poptOption mt_model_option[];
MT_MUST_CHECK int mt_model_option_read(enum mt_model_kind *kind, struct mt_error *err);

/* --model, --objective, --deadline, --budget, --max-nodes, and --size
   with one size, or with one or several: to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_planning_options[];
extern struct poptOption mt_planning_size_option[], mt_planning_sizes_option[];

/* An interval is wide when its ends are so many times apart. */
enum { MT_WIDE_INTERVAL = 2 };

/* How an objective is spoken of. */
struct mt_objective_words {
    const char *best;   /* "cheapest" */
    const char *better; /* what is predicted "cheaper" */
    const char *what;   /* there is to be least of: "cost" */
};
const struct mt_objective_words *mt_objective_words(enum mt_objective objective);

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

/* Make the cluster what is planned for: without the nodes that are known not to answer,
   and with the prices that the options say. */
MT_MUST_CHECK int mt_planning_cluster(struct mt_cluster *cluster, struct mt_error *err);

/* Say on stderr how many runs do not count because the cluster does not have their
   configurations any more. */
void mt_planning_say_left_out(const struct mt_samples *samples,
                              const struct mt_cluster *cluster);

/*
 * Get ready to predict from the store that the --db option names: mt_predictor_load(),
 * and new models are kept there; what has to be left out is said on stderr. `predictor`
 * must be empty, and is to be cleared in any case.
 */
MT_MUST_CHECK int mt_planning_load(struct mt_predictor *predictor,
                                   const struct mt_inputs *inputs,
                                   enum mt_model_kind kind, struct mt_error *err);

/* The same for a plan: where there are no models, the reason says what to measure, and
   what is left out for want of a model is said, too. */
MT_MUST_CHECK int mt_planning_ready(struct mt_predictor *predictor,
                                    const struct mt_inputs *inputs,
                                    enum mt_model_kind kind,
                                    const struct mt_question *question,
                                    struct mt_error *err);

/* Say on stderr how many configurations are left out because they failed, if any. */
void mt_planning_say_failed(int failed);

/* mt_plan_make(); how many configurations are left out because they failed is said on
   stderr. */
MT_MUST_CHECK int mt_planning_make(struct mt_plan *plan,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question, bool all,
                                   struct mt_error *err);

#endif
