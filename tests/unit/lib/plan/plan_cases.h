/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_cases.h - random clusters, programs, models and questions, for the tests and
 * the benchmark of plans. The same number gives the same case everywhere.
 */
#ifndef MT_PLAN_CASES_H
#define MT_PLAN_CASES_H

#include "motley/model.h"
#include "motley/plan.h"

#include <stdint.h>

struct plan_case {
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_models models;
    struct mt_question question;
    uint64_t state; /* of the random numbers */
};

/* The question of the case. */
static inline struct mt_problem plan_case_problem(const struct plan_case *plan_case)
{
    return (struct mt_problem){&plan_case->cluster, &plan_case->program,
                               &plan_case->models};
}

/* A cluster of at most some thousands of configurations, with any constraint. */
void plan_case_small(struct plan_case *plan_case, uint64_t number);
/* Likewise, with models of terms that are not monotone, jump, or have no value at some
   P, and some that know one P only. */
void plan_case_strange(struct plan_case *plan_case, uint64_t number);
/* As plan_case_small(), where some groups are to be used alone. */
void plan_case_lone(struct plan_case *plan_case, uint64_t number);
/* Likewise, with auto models of up to three hypotheses. */
void plan_case_auto(struct plan_case *plan_case, uint64_t number);
/* As plan_case_lone(), with up to three numbers of threads, and two bindings. */
void plan_case_threads(struct plan_case *plan_case, uint64_t number);
/* `nodes` nodes in `groups` groups, each with 1 to `choices` processes on a node, and
   models a/P + b P + c + d log P with coefficients like those of real programs. */
void plan_case_large(struct plan_case *plan_case, uint64_t number, int nodes,
                     int groups, int choices);
/* Let auto models of one hypothesis that has serial work take the place of those of a
   large case. */
void plan_case_make_auto(struct plan_case *plan_case);
/* A large case with these models. */
void plan_case_large_auto(struct plan_case *plan_case, uint64_t number, int nodes,
                          int groups, int choices);
/* Let processes have 1, 2, 4, ... threads, in `numbers` ways, which share their work
   well or badly: each layout gets others, and models. */
void plan_case_give_threads(struct plan_case *plan_case, int numbers);
void plan_case_clear(struct plan_case *plan_case);

#endif
