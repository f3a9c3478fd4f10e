/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank.h - the nodes, money and energy of configurations, and choices in order of
 * merit. Resources of nodes add up; money and energy also depend on the time.
 */
#ifndef MT_PLAN_RANK_H
#define MT_PLAN_RANK_H

#include "motley/plan.h"

#include <stdint.h>

enum mt_resource {
    MT_NODES,
    MT_PRICE, /* by the hour, in millionths */
    MT_POWER, /* watts, in millionths */
    MT_RESOURCES
};

/* What the objective minimises together with time; MT_NODES: the time alone. */
enum mt_resource mt_objective_resource(enum mt_objective objective);

/* The resources of a node of the group, and of a configuration's nodes. In whole
   millionths, so that sums of equal prices are equal. */
int64_t mt_node_takes(const struct mt_group *group, enum mt_resource resource);
int64_t mt_configuration_takes(const struct mt_configuration *configuration,
                               const struct mt_cluster *cluster,
                               enum mt_resource resource);

/* The cost or the joules of these seconds on nodes that take `takes`; MT_NODES: the
   seconds. */
double mt_resource_value(enum mt_resource resource, double seconds, int64_t takes);

/* The most that the nodes may take so that a run of these seconds takes at most
   `value`; `value` 0: no limit, INT64_MAX. */
int64_t mt_resource_limit(enum mt_resource resource, double value, double seconds);

/* The most that the question allows the nodes of a run of these seconds to take;
   INT64_MAX: no limit. */
int64_t mt_question_allows(const struct mt_question *question,
                           enum mt_resource resource, double seconds);

/*
 * Whether a is better (< 0) or worse (> 0) than b. A choice that is behind is worse;
 * then the objective's value, seconds, nodes and P decide; then, group after group in
 * the cluster's order, the one with more nodes there, or more processes on each of
 * them. Never 0 for two configurations that differ.
 */
int mt_choice_compare(enum mt_objective objective, const struct mt_choice *a,
                      const struct mt_choice *b);

/* Fill in a choice whose configuration is set, by mt_predictor_predict(). */
MT_MUST_CHECK int mt_choice_predict(struct mt_choice *choice,
                                    const struct mt_predictor *predictor,
                                    const struct mt_question *question,
                                    struct mt_error *err);
/* The same with the prediction's seconds alone, which cost a hundredth. */
MT_MUST_CHECK int mt_choice_rank(struct mt_choice *choice,
                                 const struct mt_predictor *predictor,
                                 const struct mt_question *question,
                                 struct mt_error *err);
/* Fill what follows from a choice's configuration and predicted seconds. */
void mt_choice_complete(struct mt_choice *choice, const struct mt_cluster *cluster);
/* Its cost if it takes these seconds. */
double mt_choice_cost_at(const struct mt_choice *choice,
                         const struct mt_cluster *cluster, double seconds);

/* MT_EINFEASIBLE: `nothing` ("no configuration") keeps the deadline (`of` MT_FASTEST)
   or the budget (MT_CHEAPEST); `best` takes the least. */
int mt_question_fail(const struct mt_question *question,
                     const struct mt_cluster *cluster, const char *nothing,
                     enum mt_objective of, const struct mt_choice *best,
                     struct mt_error *err);

/* Rank a configuration and keep it, as mt_plan_keep() does with `top`, if it may run
   and its predicted seconds are allowed. Configurations that the models cannot predict
   are left out; those that always failed at this size are counted in the plan. */
MT_MUST_CHECK int mt_plan_consider(struct mt_plan *plan,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question, int top,
                                   const struct mt_configuration *configuration,
                                   struct mt_error *err);

/* Add a choice to the plan, which keeps the best of each P and of these the best
   `top`, in order; 0: keeps all, unordered. */
MT_MUST_CHECK int mt_plan_keep(struct mt_plan *plan, enum mt_objective objective,
                               int top, const struct mt_choice *choice,
                               struct mt_error *err);

/* Whether a configuration is among the choices. */
bool mt_plan_has(const struct mt_plan *plan,
                 const struct mt_configuration *configuration);

/* Put all choices in order. */
void mt_plan_sort(struct mt_plan *plan, enum mt_objective objective);

#endif
