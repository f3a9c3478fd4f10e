/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folds.h - cross-validation: how well runs that were left out are predicted. All runs
 * on a number of nodes are left out together, to test predictions for more nodes, and
 * all runs of a working set, to test the places of caches.
 */
#ifndef MT_LEARN_FOLDS_H
#define MT_LEARN_FOLDS_H

#include "form.h"

#include "motley/error.h"

enum { MT_LEARN_MAX_FOLDS = 12 };

/* Empty if zeroed. */
struct mt_learn_folds {
    const struct mt_learn_data *data; /* borrowed */
    bool *out[MT_LEARN_MAX_FOLDS];    /* owned; which samples the fold leaves out */
    int count;
    struct mt_learn_sample *sorted; /* owned; room for the samples: those that a fold
                                       keeps, then the others */
};

MT_MUST_CHECK int mt_learn_folds_make(struct mt_learn_folds *folds,
                                      const struct mt_learn_data *data,
                                      struct mt_error *err);
void mt_learn_folds_clear(struct mt_learn_folds *folds);

/* How well a form predicts what was left out. */
struct mt_learn_validation {
    int count;                        /* of folds; 0: not validated */
    double means[MT_LEARN_MAX_FOLDS]; /* of |predicted / measured - 1|, each fold's */
};

/*
 * Cross-validate a form, `values` being the fit of all samples. A fold that keeps too
 * few samples to determine the form's coefficients counts as one and a half times the
 * error of that fit.
 */
MT_MUST_CHECK int mt_learn_folds_validate(struct mt_learn_validation *validation,
                                          struct mt_learn_folds *folds,
                                          const struct mt_learn_form *form,
                                          const struct mt_learn_values *values,
                                          struct mt_error *err);
/* The mean over the folds. */
double mt_learn_validation_error(const struct mt_learn_validation *validation);
/* How much two forms' errors may differ by chance: the standard error of the mean
   difference over the folds. */
double mt_learn_validation_chance(const struct mt_learn_validation *a,
                                  const struct mt_learn_validation *b);

#endif
