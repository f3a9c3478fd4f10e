/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - predictions of products in which the next phase's messages are on their
 * way while this one's products are computed.
 *
 * A node's messages share its bandwidth fairly: no message could have more without
 * taking from one that has as much or less (max-min fairness, which TCP approximates
 * and SimGrid simulates).
 */
#ifndef MT_PARTITION_OVERLAP_H
#define MT_PARTITION_OVERLAP_H

#include "work.h"

#include "motley/partition.h"

/* Messages of equal size from one rank to another: they have equal speeds, and end
   together. */
struct mt_partition_flow {
    int from, to;
    int messages;
    int phase;    /* the receiver */
    int message;  /* its number, for the caller */
    double bytes; /* of all of them */
    double left;  /* not passed yet */
    double speed; /* bytes a second */
};

/* Empty if zeroed. */
struct mt_partition_flows {
    const struct mt_partition_network *network; /* borrowed */
    int ranks;
    struct mt_partition_flow *flows; /* owned; that pass now */
    int count, room;
    struct mt_partition_port
        *ports;       /* owned; a sending and a receiving port of each rank */
    int *busy, nbusy; /* owned; ports with bandwidth to share */
    int *next;        /* owned; a rank's next flow as sender, and as receiver */
    bool changed;     /* speeds are out of date */
};

MT_MUST_CHECK int mt_partition_flows_init(struct mt_partition_flows *flows, int ranks,
                                          const struct mt_partition_network *network,
                                          struct mt_error *err);
void mt_partition_flows_clear(struct mt_partition_flows *flows);
/* Let a flow begin; `left` and `speed` need not be set. */
MT_MUST_CHECK int mt_partition_flows_begin(struct mt_partition_flows *flows,
                                           const struct mt_partition_flow *flow,
                                           struct mt_error *err);
/* Seconds until the next flow ends; infinite if none. */
double mt_partition_flows_next(struct mt_partition_flows *flows);
/* The share of its bandwidth that the rank's messages have now. */
double mt_partition_flows_use(struct mt_partition_flows *flows, int rank);
/* Let `seconds` pass, at most until the next one ends. */
void mt_partition_flows_pass(struct mt_partition_flows *flows, double seconds);
/* Take out a flow that has ended; false: none. */
bool mt_partition_flows_take(struct mt_partition_flows *flows,
                             struct mt_partition_flow *ended);

/* The time of a barrier. */
double mt_partition_barrier_seconds(const struct mt_partition_network *network,
                                    int ranks);

/* The state of a prediction. */
struct mt_partition_prediction {
    const struct mt_partition *partition;       /* borrowed */
    const struct mt_partition_network *network; /* borrowed */
    struct mt_partition_work work;              /* owned */
    struct mt_partition_flows flows;            /* owned; none between phases */
    struct mt_partition_times *times;           /* owned; of every rank; zeroed */
    double seconds;                             /* of the whole */
};

/* Predict the product, each rank advancing independently. */
MT_MUST_CHECK int mt_partition_predict_overlap(
    struct mt_partition_prediction *prediction, struct mt_error *err);

#endif
