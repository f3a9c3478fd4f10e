/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.h - the choice of components: forms are tried, and the simplest of those that
 * predict left-out runs best is chosen.
 */
#ifndef MT_LEARN_CHOOSE_H
#define MT_LEARN_CHOOSE_H

#include "folds.h"
#include "form.h"

#include "motley/error.h"

/* A form that was tried. */
struct mt_learn_tried {
    struct mt_learn_form form;
    struct mt_learn_values values;
    bool determined; /* false: too few runs; all below is unset */
    bool steps_told; /* false: too few working sets before or beyond its caches to
                        determine them */
    bool steps_seen; /* determined, except for a single working set before the first */
    bool law_told;   /* false: the runs do not distinguish its law from a simpler one */
    double misfit;   /* mean of |predicted / measured - 1| */
    double error;    /* the same in cross-validation, or `misfit` if that alone exceeds
                        others' error; NaN unless it is determined, its steps are seen
                        and its law is told */
    struct mt_learn_validation validation; /* none: errors beyond all chance */
};

/* Each law alone and overlapped, with none to several caches; then, in each round, each
   law and proportionality in twenty-four ways, again the caches, and steps at each set
   of the machine's caches with and without one more. */
enum {
    MT_LEARN_MOST_ROUNDS = 3,
    MT_LEARN_MOST_TRIED =
        2 * MT_NCONTENTIONS * (MT_MAX_CACHE_STEPS + 1) +
        MT_LEARN_MOST_ROUNDS * (24 * (MT_NCONTENTIONS + 1) + MT_MAX_CACHE_STEPS + 1 +
                                (2 << MT_MAX_CACHE_STEPS))
};

/* Empty if zeroed; nothing in it is owned. */
struct mt_learn_choice {
    struct mt_learn_tried tried[MT_LEARN_MOST_TRIED];
    int count;
    int chosen;
};

/*
 * Try the forms, first all laws with none to several caches, then everything else of
 * the network with the chosen caches, then other caches with that network, and so on.
 * MT_ERANK when not even the simplest is determined.
 */
MT_MUST_CHECK int mt_learn_choose(struct mt_learn_choice *choice,
                                  const struct mt_learn_data *data,
                                  struct mt_error *err);
/* Whether a form that was tried predicts about as well as the chosen one. */
bool mt_learn_rivals(const struct mt_learn_choice *choice, int tried);

#endif
