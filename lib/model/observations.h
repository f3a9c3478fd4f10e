/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observations.h - the runs that a fit sees, in order.
 */
#ifndef MT_OBSERVATIONS_H
#define MT_OBSERVATIONS_H

#include "fit_models.h"

/* Take the runs at the sizes that the task's options name; MT_ENOTFOUND: none has one.
 */
MT_MUST_CHECK int mt_observations_init(struct mt_observations *observations,
                                       const struct mt_fit_task *task,
                                       const struct mt_samples *samples,
                                       struct mt_error *err);
void mt_observations_clear(struct mt_observations *observations);
/* Take the glitches out, and list them in the task's models->dropped. */
MT_MUST_CHECK int mt_observations_drop_glitches(struct mt_observations *observations,
                                                const struct mt_fit_task *task,
                                                struct mt_error *err);
/* The end of the neighbours of `first` that share its configuration, or its group,
   processes and split. */
int mt_configuration_end(const struct mt_observation *all, int count, int first);
int mt_class_end(const struct mt_observation *all, int count, int first);

#endif
