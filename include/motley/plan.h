/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - a plan: the best configurations of a cluster for a problem size. search.h
 * finds them by the models alone, planner.h by all that is known.
 */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/models.h"
#include "motley/program.h"

#include <stdbool.h>

/* What decides. Half a choice's deviation is added to it, so that what was run is
   preferred to what is merely expected to be as good. Ties go to fewer nodes, then to
   fewer processes, then, group by group in the cluster's order, to more nodes there and
   more processes on each of them. */
enum mt_objective {
    MT_FASTEST, /* least seconds */
    MT_CHEAPEST /* least cost; ties: least seconds */
};

/* What is asked. Zeroed members do not restrict. */
struct mt_question {
    double size; /* N; > 0 */
    enum mt_objective objective;
    double deadline; /* seconds */
    double budget;   /* cost of the run: seconds / 3600 * sum of the nodes' prices, each
                        of them rounded to a millionth */
    int max_nodes;
    int top; /* how many choices are wanted; 0: 1 */
};

/* One configuration of the answer. */
struct mt_choice {
    struct mt_configuration configuration;
    struct mt_prediction prediction;
    double deviation; /* of the logarithm of its true seconds, when the plan is
                         corrected; otherwise 0 */
    int ranks;        /* P */
    int nodes;
    double cost;   /* 0 when no group that is used has a price */
    double joules; /* 0 when no group that is used has watts */
};

/* Zeroed is empty; mt_plan_clear() makes it empty again. */
struct mt_plan {
    struct mt_choice *choices; /* owned; from the best on */
    int count;
    bool exact;     /* proven: no configuration is better than the first */
    double bound;   /* no configuration is below these seconds (or this cost) */
    bool corrected; /* by runs; see planner.h */
    int failed; /* configurations left out because all their runs at this size failed */
    double configurations; /* in the search space */
    double evaluated;      /* values of models that were computed */
};

void mt_plan_clear(struct mt_plan *plan);

/* Seconds, or cost, of the first choice; INFINITY when there is none. */
double mt_plan_best_value(const struct mt_plan *plan, enum mt_objective objective);

/* Of a ranked plan keep the best choice of each P, and of these the best `top`. */
void mt_plan_keep_top(struct mt_plan *plan, int top);

/* Whether the cluster can answer the question: MT_EINVAL when prices are to decide and
   no group has one. */
MT_MUST_CHECK int mt_question_check(const struct mt_question *question,
                                    const struct mt_cluster *cluster,
                                    struct mt_error *err);

/* Whether the program may run there: its `valid`, and the memory of the nodes. */
bool mt_plan_fits(const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_configuration *configuration, double size);

#endif
