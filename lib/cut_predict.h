/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_predict.h - the parts of mt_cut_predict().
 */
#ifndef MT_CUT_PREDICT_H
#define MT_CUT_PREDICT_H

#include "cut_flow.h"
#include "cut_work.h"

/* A prediction that is being made. */
struct mt_cut_prediction {
    const struct mt_cut *cut;             /* borrowed */
    const struct mt_cut_network *network; /* borrowed */
    struct mt_cut_work work;              /* owned */
    struct mt_cut_flows flows;            /* owned; none between phases */
    struct mt_cut_times *times;           /* owned; of every rank; zeroed */
    double seconds;                       /* of the whole */
};

/* Follow the ranks through the product: without overlap, all together from step to
   step; or each by itself, the next phase's messages on their way meanwhile. */
MT_MUST_CHECK int mt_cut_predict_steps(struct mt_cut_prediction *prediction,
                                       struct mt_error *err);
MT_MUST_CHECK int mt_cut_predict_overlap(struct mt_cut_prediction *prediction,
                                         struct mt_error *err);

/* How long ranks need to know that all of them have arrived. */
double mt_cut_barrier_seconds(const struct mt_cut_network *network, int ranks);

#endif
