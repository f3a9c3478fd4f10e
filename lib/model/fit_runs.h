/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_runs.h - the runs that a fit sees, in order.
 */
#ifndef MT_FIT_RUNS_H
#define MT_FIT_RUNS_H

#include "fit_models.h"

/* Take the runs at the sizes that the task's options name; MT_ENOTFOUND: none has one.
 */
MT_MUST_CHECK int mt_fit_runs_init(struct mt_fit_runs *runs,
                                   const struct mt_fit_task *task,
                                   const struct mt_samples *samples,
                                   struct mt_error *err);
void mt_fit_runs_clear(struct mt_fit_runs *runs);
/* Take the glitches out, and list them in the task's models->dropped. */
MT_MUST_CHECK int mt_fit_runs_drop_glitches(struct mt_fit_runs *runs,
                                            const struct mt_fit_task *task,
                                            struct mt_error *err);
/* The end of the neighbours of `first` that share its configuration, or its group,
   layout and split. */
int mt_configuration_end(const struct mt_fit_run *all, int count, int first);
/* The same, of which the sizes are equal, too: repetitions, the fastest first. */
int mt_repetitions_end(const struct mt_fit_run *all, int count, int first);
int mt_class_end(const struct mt_fit_run *all, int count, int first);

#endif
