/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - mt_partition_predict() with a limit.
 */
#ifndef MT_PARTITION_STEPS_H
#define MT_PARTITION_STEPS_H

#include "internal.h"
#include "work.h"

/* When to give up a prediction: once the time so far plus a lower bound on the
   remaining steps reaches `seconds`. */
struct mt_partition_limit {
    double seconds;
    const double *rest; /* borrowed; lower bounds from each step on; see
                           mt_partition_bound() */
};

/* Like mt_partition_predict(), but without overlap it gives up at the limit, with
   infinite seconds. */
MT_MUST_CHECK int mt_partition_predict_within(struct mt_partition_forecast *forecast,
                                              const struct mt_partition *partition,
                                              const struct mt_partition_task *task,
                                              const struct mt_partition_limit *limit,
                                              struct mt_error *err);

#endif
