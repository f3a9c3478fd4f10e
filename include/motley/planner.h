/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.h - plan by all that is known: the models propose candidates, the calibration
 * ranks them anew, and what failed is not proposed again. What `motley plan` answers.
 */
#ifndef MT_PLANNER_H
#define MT_PLANNER_H

#include "motley/calibration.h"
#include "motley/error.h"
#include "motley/models.h"
#include "motley/plan.h"
#include "motley/predictor.h"
#include "motley/samples.h"

#include <stdbool.h>

/*
 * The best configurations, as mt_plan_search() gives them; where runs correct the
 * models, they do the plan, too, and what failed at this size is left out. `all`: try
 * every configuration, and keep all that are allowed. `plan` must be empty; failures as
 * of mt_question_check() and mt_plan_search().
 */
MT_MUST_CHECK int mt_plan_make(struct mt_plan *plan,
                               const struct mt_predictor *predictor,
                               const struct mt_question *question, bool all,
                               struct mt_error *err);

/*
 * All configurations among which to choose, corrected by the runs that are known and
 * ranked; without those whose runs at this size all failed, which plan->failed counts.
 * `plan` must be empty.
 */
MT_MUST_CHECK int mt_plan_candidates(struct mt_plan *plan,
                                     const struct mt_predictor *predictor,
                                     const struct mt_question *question,
                                     struct mt_error *err);

/*
 * The first step of that. The configurations among which the best one is looked for,
 * ranked by the models: all that may run where the cluster has up to 20,000; otherwise
 * the best one of each of the best 200 P, and what was run at sizes near this one. The
 * question's deadline and budget are left to mt_plan_calibrate(). `plan` must be empty;
 * failures as of mt_plan_search().
 */
MT_MUST_CHECK int mt_plan_propose(struct mt_plan *plan,
                                  const struct mt_problem *problem,
                                  const struct mt_samples *samples,
                                  const struct mt_question *question,
                                  struct mt_error *err);

/*
 * The second step. Predict every choice anew, by mt_calibration_predict(); leave out
 * what the question does not allow now; and rank again. MT_EINFEASIBLE when nothing is
 * left. On failure the plan is to be cleared.
 */
MT_MUST_CHECK int mt_plan_calibrate(struct mt_plan *plan,
                                    const struct mt_calibration *calibration,
                                    const struct mt_question *question,
                                    struct mt_error *err);

/* Operations per second of a choice at that size; NaN: the program does not say its
   work. And this speed over the sum of those that its nodes reached alone; NaN: one of
   them never ran alone. */
double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size);
double mt_plan_efficiency(const struct mt_predictor *predictor,
                          const struct mt_choice *choice, double size);

#endif
