/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.h - the parts of mt_partition_predict().
 */
#ifndef MT_PARTITION_PREDICT_H
#define MT_PARTITION_PREDICT_H

#include "flow.h"
#include "work.h"

/* When a prediction is not worth while: as soon as the time that has passed and what
   the rest of the steps takes at least come to so many seconds. */
struct mt_partition_limit {
    double seconds;
    const double *rest; /* borrowed; from every step on; see mt_partition_bound() */
};

/* As mt_partition_predict(), of a partition without overlap; but gives up, with
   infinite seconds, at the limit. */
MT_MUST_CHECK int mt_partition_predict_within(
    struct mt_partition_forecast *forecast, const struct mt_partition *partition,
    const struct mt_partition_product *product,
    const struct mt_partition_cluster *cluster, const struct mt_partition_limit *limit,
    struct mt_error *err);

/* A prediction that is being made. */
struct mt_partition_prediction {
    const struct mt_partition_limit *limit;     /* borrowed; NULL: none */
    const struct mt_partition *partition;       /* borrowed */
    const struct mt_partition_network *network; /* borrowed */
    struct mt_partition_work work;              /* owned */
    struct mt_partition_flows flows;            /* owned; none between phases */
    struct mt_partition_times *times;           /* owned; of every rank; zeroed */
    double seconds;                             /* of the whole */
};

/* Follow the ranks through the product: without overlap, all together from step to
   step; or each by itself, the next phase's messages on their way meanwhile. */
MT_MUST_CHECK int mt_partition_predict_steps(struct mt_partition_prediction *prediction,
                                             struct mt_error *err);
MT_MUST_CHECK int mt_partition_predict_overlap(
    struct mt_partition_prediction *prediction, struct mt_error *err);

/* How long ranks need to know that all of them have arrived. */
double mt_partition_barrier_seconds(const struct mt_partition_network *network,
                                    int ranks);

#endif
