/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of predictors and plans beyond the public
 * headers.
 */
#ifndef MT_PLAN_INTERNAL_H
#define MT_PLAN_INTERNAL_H

#include "motley/plan.h"

#include <stdbool.h>

/* Predictors. */

/* Take in one more run, and fit the models again. On failure `predictor` is to be
   cleared. */
MT_MUST_CHECK int mt_predictor_add(struct mt_predictor *predictor,
                                   const struct mt_sample *sample,
                                   struct mt_error *err);
/* Whether nothing like a configuration ran, at any size: groups that never ran
   together, or a group alone on less than half the fewest, or more than twice the most
   processes that it ran with. Only for auto models; the papers' are as they are. */
bool mt_predictor_guesses(const struct mt_predictor *predictor,
                          const struct mt_configuration *configuration);

/* Plans. */

/* The value of the first choice; INFINITY without one. */
double mt_plan_best_value(const struct mt_plan *plan, enum mt_objective objective);

/* An upper bound of the saving of any configuration, as a share of the first choice's
   value, by the predictions; 0: it is proven to be the best; 1: unknown. */
double mt_plan_gap(const struct mt_plan *plan, enum mt_objective objective);

/*
 * The same answer as mt_plan_make() by trying every configuration; `all` keeps all that
 * are feasible, ranked, instead of one for each P. MT_EINVAL above 10 million
 * configurations.
 */
MT_MUST_CHECK int mt_plan_exhaustive(struct mt_plan *plan,
                                     const struct mt_predictor *predictor,
                                     const struct mt_question *question, bool all,
                                     struct mt_error *err);

/* The efficiency of a run of one second, as of mt_plan_efficiency(). */
double mt_plan_worth(const struct mt_predictor *predictor,
                     const struct mt_configuration *configuration, double size);

/* Whether there is a limit that a run keeps with some chance. */
bool mt_question_limits(const struct mt_question *question);
/* Whether a choice keeps these limits with the question's confidence, and its number of
   nodes. */
bool mt_choice_allowed(const struct mt_choice *choice,
                       const struct mt_predictor *predictor,
                       const struct mt_question *question);

/*
 * Rivals of a plan: what users run without one.
 */

/* The rivals of a plan; a missing one uses no nodes. */
struct mt_rivals {
    struct mt_choice all;   /* all nodes together, each group in the layout that is the
                               fastest when it is alone; not on clusters of one group */
    struct mt_choice group; /* all nodes of the group that is the fastest alone */
    int only_group;         /* which that is */
    struct mt_choice last;  /* what ran last at this size, with its measured seconds */
};

/* Rivals that cannot be predicted, may not run or always failed at this size are
   missing. */
void mt_rivals_find(struct mt_rivals *rivals, const struct mt_predictor *predictor,
                    double size);

/*
 * The best configuration for each of several problem sizes, and the decision map: the
 * best configuration for each range of sizes.
 */

/* The best configuration for a size. */
struct mt_map_point {
    double size;
    bool possible;           /* false: nothing is allowed at this size */
    bool exact;              /* proven that none is better */
    double gap;              /* as of mt_plan_gap() */
    struct mt_choice choice; /* when possible */
};

/* Empty if zeroed. */
struct mt_plan_map {
    const struct mt_predictor *predictor; /* borrowed */
    struct mt_question question; /* the limits for each size; its size is not used */
    struct mt_map_point *points; /* owned; the sizes that were asked for, ascending */
    int npoints;
    /* Owned; each is the best from its size on, up to the next one's; the first is that
       of the smallest size. */
    struct mt_map_point *changes;
    int nchanges;
    double configurations;   /* in the search space */
    bool coarse;             /* changes between the sizes were not searched */
    struct mt_error why_not; /* nothing is allowed at the first impossible point */
};

/*
 * Plan at each of the `count` sizes, which are distinct, and between any two neighbours
 * with different answers for the whole numbers from which on another one is the best.
 * Changes that follow each other within 1 % of N are taken for one. With more than a
 * million configurations another one is the best at almost every size: there, only
 * changes from one of the sizes to the next are listed. Failures as of mt_plan_make(),
 * when nothing is allowed at any of the sizes. `map` must be empty.
 */
MT_MUST_CHECK int mt_plan_map_find(struct mt_plan_map *map,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question,
                                   const double *sizes, int count,
                                   struct mt_error *err);
void mt_plan_map_clear(struct mt_plan_map *map);

#endif
