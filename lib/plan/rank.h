/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank.h - choices in their order of merit.
 */
#ifndef MT_PLAN_RANK_H
#define MT_PLAN_RANK_H

#include "motley/plan.h"

/* A predicted value as plans count it: higher by half the deviation of its logarithm,
   so that what ran is preferred to what may be as good. */
double mt_with_caution(double value, double deviation);

/*
 * Whether a is better (< 0) or worse (> 0) than b. A choice that is behind is worse;
 * then the objective's value, seconds, nodes and P decide; then, group after group in
 * the cluster's order, the one with more nodes there, or more processes on each of
 * them. Never 0 for two configurations that differ.
 */
int mt_choice_compare(enum mt_objective objective, const struct mt_choice *a,
                      const struct mt_choice *b);

/* Fill in a choice whose configuration is set, by all that is known: as of
   mt_predictor_predict(). */
MT_MUST_CHECK int mt_choice_predict(struct mt_choice *choice,
                                    const struct mt_predictor *predictor,
                                    const struct mt_question *question,
                                    struct mt_error *err);
/* Fill what follows from a choice's configuration and predicted seconds. */
void mt_choice_complete(struct mt_choice *choice, const struct mt_cluster *cluster);
/* Its cost if it takes so long. */
double mt_choice_cost_at(const struct mt_choice *choice,
                         const struct mt_cluster *cluster, double seconds);

/* MT_EINFEASIBLE as `nothing` ("no configuration") keeps the deadline (`of` MT_FASTEST)
   or the budget (MT_CHEAPEST), of which `best` takes the least. */
int mt_question_fail(const struct mt_question *question,
                     const struct mt_cluster *cluster, const char *nothing,
                     enum mt_objective of, const struct mt_choice *best,
                     struct mt_error *err);

/* Predict a configuration and keep it, as mt_plan_keep() does with `top`, if it may run
   and is allowed. What the models cannot predict is left out. */
MT_MUST_CHECK int mt_plan_consider(struct mt_plan *plan,
                                   const struct mt_problem *problem,
                                   const struct mt_question *question, int top,
                                   const struct mt_configuration *configuration,
                                   struct mt_error *err);

/* Add a choice to the plan, which keeps the best of each P and of these the best
   `top`, in order; 0: keeps all, unordered. */
MT_MUST_CHECK int mt_plan_keep(struct mt_plan *plan, enum mt_objective objective,
                               int top, const struct mt_choice *choice,
                               struct mt_error *err);

/* Put all choices in order. */
void mt_plan_sort(struct mt_plan *plan, enum mt_objective objective);

#endif
