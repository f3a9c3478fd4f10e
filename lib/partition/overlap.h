/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - predictions of products in which the next phase's messages are on their
 * way while this one's products are computed.
 */
#ifndef MT_PARTITION_OVERLAP_H
#define MT_PARTITION_OVERLAP_H

#include "flow.h"
#include "work.h"

/* A prediction that is being made. */
struct mt_partition_prediction {
    const struct mt_partition *partition;       /* borrowed */
    const struct mt_partition_network *network; /* borrowed */
    struct mt_partition_work work;              /* owned */
    struct mt_partition_flows flows;            /* owned; none between phases */
    struct mt_partition_times *times;           /* owned; of every rank; zeroed */
    double seconds;                             /* of the whole */
};

/* Follow the ranks through the product, each by itself. */
MT_MUST_CHECK int mt_partition_predict_overlap(
    struct mt_partition_prediction *prediction, struct mt_error *err);

#endif
