/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - mt_partition_predict() with a limit.
 */
#ifndef MT_PARTITION_STEPS_H
#define MT_PARTITION_STEPS_H

#include "internal.h"
#include "work.h"

/* When a prediction is not worth while: as soon as the time that has passed and what
   the rest of the steps takes at least come to `seconds`. */
struct mt_partition_limit {
    double seconds;
    const double *rest; /* borrowed; from every step on; see mt_partition_bound() */
};

/* As mt_partition_predict(), of a partition without overlap; but gives up, with
   infinite seconds, at the limit. */
MT_MUST_CHECK int mt_partition_predict_within(struct mt_partition_forecast *forecast,
                                              const struct mt_partition *partition,
                                              const struct mt_partition_task *task,
                                              const struct mt_partition_limit *limit,
                                              struct mt_error *err);

#endif
