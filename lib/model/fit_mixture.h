/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_mixture.h - what runs of several groups say beside the models of each alone.
 */
#ifndef MT_FIT_MIXTURE_H
#define MT_FIT_MIXTURE_H

#include "fit_models.h"

/*
 * Find lambda, K and the networks of task->models->mixture from the runs of several
 * groups that the models can predict: by least squares of the relative errors, none of
 * the unknowns negative, large errors bounded. Which of them are taken, leave-one-out
 * cross-validation decides; few runs leave all at 0, or K at what figures of links say,
 * where there are any: it is expected there, before any run, and corrected by them.
 */
MT_MUST_CHECK int mt_fit_mixture(const struct mt_fit_task *task, struct mt_error *err);

#endif
