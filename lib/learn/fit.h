/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - the values of one form, by non-linear least squares from several
 * starts.
 */
#ifndef MT_LEARN_FIT_H
#define MT_LEARN_FIT_H

#include "form.h"

#include "motley/error.h"

/* Whether the samples determine the form's coefficients: there must be enough of them,
   on enough numbers of nodes, with messages of enough lengths. */
bool mt_learn_determined(const struct mt_learn_form *form,
                         const struct mt_learn_data *data);

/*
 * Fit a form that the samples determine. On entry, the values are those of a similar
 * form with as many caches.
 */
MT_MUST_CHECK int mt_learn_fit(struct mt_learn_values *values,
                               const struct mt_learn_form *form,
                               const struct mt_learn_data *data, struct mt_error *err);
/*
 * The same, where the values on entry are those of a form with one cache less: the new
 * one goes where it leaves the smallest squares, between measured working sets or
 * within an existing one.
 */
MT_MUST_CHECK int mt_learn_fit_one_more(struct mt_learn_values *values,
                                        const struct mt_learn_form *form,
                                        const struct mt_learn_data *data,
                                        struct mt_error *err);

/* The same, where the values on entry are those of the same form for more samples. */
MT_MUST_CHECK int mt_learn_refit(struct mt_learn_values *values,
                                 const struct mt_learn_form *form,
                                 const struct mt_learn_data *data,
                                 struct mt_error *err);

/* The mean of |predicted / measured - 1|. */
double mt_learn_error(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_data *data);

#endif
