/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - find the best configurations of a cluster for a problem size.
 *
 * T(configuration) = max over used groups of T_i(N, P | M_i) depends on P and the M_i
 * only. For each P the best choice is a bottleneck problem: the smallest threshold for
 * which the process counts of the groups whose time stays below it can add up to P.
 *
 * Where models have serial terms, T depends on the groups' shares of the ranks as well.
 * Then the best choice under each threshold is the one with the least serial seconds:
 * a linear cost of the process counts, which bounds the search.
 */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"

#include <stdbool.h>

/* Each counts with half its deviation more, so that what was run goes before what may
   be as good. Ties go on to fewer nodes, fewer processes, and then, group after group
   in the cluster's order, to more nodes there and more processes on each of them. */
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
    bool exact; /* proven: no configuration is better than the first */
    double
        bound; /* when not exact: no configuration is below these seconds (or cost) */
    bool corrected;        /* by runs; see correct.h */
    double configurations; /* in the search space */
    double evaluated;      /* values of models that were computed */
};

/*
 * The best configurations by the exact search: the best one for each of the `top` best
 * total process counts P, from the best on. Configurations that do not fit into memory,
 * that the program's `valid` excludes or that the models cannot predict are left out.
 * MT_EINFEASIBLE when nothing is left, with the constraint without which there would be
 * something. `plan` must be empty.
 */
MT_MUST_CHECK int mt_plan_search(struct mt_plan *plan, const struct mt_cluster *cluster,
                                 const struct mt_program *program,
                                 const struct mt_models *models,
                                 const struct mt_question *question,
                                 struct mt_error *err);
/*
 * The same answer by trying every configuration, to compare; `all` keeps all that are
 * feasible, ranked, instead of one for each P. MT_EINVAL above 10 million
 * configurations.
 */
MT_MUST_CHECK int mt_plan_exhaustive(struct mt_plan *plan,
                                     const struct mt_cluster *cluster,
                                     const struct mt_program *program,
                                     const struct mt_models *models,
                                     const struct mt_question *question, bool all,
                                     struct mt_error *err);
void mt_plan_clear(struct mt_plan *plan);

/* Whether the program may run there: its `valid`, and the memory of the nodes. */
bool mt_plan_fits(const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_configuration *configuration, double size);

#endif
