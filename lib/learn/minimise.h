/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_minimise.h - coefficients of a form by non-linear least squares, from a start
 * that is near; the only user of cminpack.
 */
#ifndef MT_LEARN_MINIMISE_H
#define MT_LEARN_MINIMISE_H

#include "form.h"

#include "motley/error.h"

/*
 * Bring the coefficients to a minimum of the sum of the squares of predicted / measured
 * - 1, where what is far off counts less. There are at least as many samples as
 * coefficients.
 */
MT_MUST_CHECK int mt_learn_minimise(double *coefficients,
                                    const struct mt_learn_form *form,
                                    const struct mt_learn_sample *samples, int nsamples,
                                    struct mt_error *err);

#endif
