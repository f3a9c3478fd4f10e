/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work.h - the computation and messages of each rank in a partitioned product.
 */
#ifndef MT_PARTITION_WORK_H
#define MT_PARTITION_WORK_H

#include "motley/partition.h"

/* A product, and the ranks that make it. */
struct mt_partition_task {
    const struct mt_partition_product *product; /* borrowed */
    const struct mt_partition_cluster *cluster; /* borrowed */
};

/* Messages from one rank to another for the products of a phase: parts of A, or parts
   of B. */
struct mt_partition_parcel {
    int from;
    int messages;
    double bytes;
};

/* A message that a rank sends in a phase. */
struct mt_partition_message {
    int to;
    int number; /* its own, from 0 to nmessages - 1 */
    int after;  /* the number of the message that brings the sender this part; -1: it
                   owns or holds it */
    double bytes;
};

/* Empty if zeroed. */
struct mt_partition_work {
    int ranks, phases;
    double
        *seconds;  /* owned; that a rank computes in a phase: [phase * ranks + rank] */
    double *fresh; /* owned; extra seconds of a rank in a phase for memory used for the
                      first time; indexed as seconds */
    double bytes;  /* that all ranks get */
    /* With overlap, ranks send on request, in the order of requests: */
    struct mt_partition_parcel
        *parcels; /* owned; by phase, then by the rank that gets them */
    /* Without, they send their own parts, then those they forward: */
    struct mt_partition_message
        *messages; /* owned; by phase, sender, in order of sending */
    int nmessages;
    int *starts; /* owned; the start of those of [phase * ranks + rank]; one more */
};

void mt_partition_work_clear(struct mt_partition_work *work);
/* The partition must pass mt_partition_check(). MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_work_init(struct mt_partition_work *work,
                                         const struct mt_partition *partition,
                                         const struct mt_partition_task *task,
                                         struct mt_error *err);

#endif
