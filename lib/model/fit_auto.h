/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_auto.h - the default kind of model.
 */
#ifndef MT_FIT_AUTO_H
#define MT_FIT_AUTO_H

#include "fit_models.h"

/* Add the models that the runs of one group give; those that they do not give are
   refused, with the reason. */
MT_MUST_CHECK int mt_fit_auto(const struct mt_fit_task *task, struct mt_error *err);

#endif
