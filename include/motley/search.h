/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the exact search for the configurations that models predict to be the
 * best.
 *
 * T(configuration) = max over used groups of T_i(N, P | M_i) depends on P and the M_i
 * only. For each P the best choice is a bottleneck problem: the smallest threshold for
 * which the process counts of the groups whose time stays below it can add up to P.
 *
 * Where models have serial terms, T depends on the groups' shares of the ranks as well.
 * Then the best choice under each threshold is the one with the least serial seconds:
 * a linear cost of the process counts, which bounds the search.
 */
#ifndef MT_SEARCH_H
#define MT_SEARCH_H

#include "motley/error.h"
#include "motley/models.h"
#include "motley/plan.h"

#include <stdbool.h>

/*
 * The best configurations by the exact search: the best one for each of the `top` best
 * total process counts P, from the best on. Configurations that do not fit into memory,
 * that the program's `valid` excludes or that the models cannot predict are left out.
 * MT_EINFEASIBLE when nothing is left, with the constraint without which there would be
 * something. `plan` must be empty.
 */
MT_MUST_CHECK int mt_plan_search(struct mt_plan *plan, const struct mt_problem *problem,
                                 const struct mt_question *question,
                                 struct mt_error *err);
/*
 * The same answer by trying every configuration, to compare; `all` keeps all that are
 * feasible, ranked, instead of one for each P. MT_EINVAL above 10 million
 * configurations.
 */
MT_MUST_CHECK int mt_plan_exhaustive(struct mt_plan *plan,
                                     const struct mt_problem *problem,
                                     const struct mt_question *question, bool all,
                                     struct mt_error *err);
#endif
