/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work.h - what the ranks have to compute and to send in a product that is cut.
 */
#ifndef MT_PARTITION_WORK_H
#define MT_PARTITION_WORK_H

#include "motley/partition.h"

/* What is to be multiplied, and by whom. */
struct mt_partition_task {
    const struct mt_partition_product *product; /* borrowed */
    const struct mt_partition_cluster *cluster; /* borrowed */
};

/* Messages from a rank that another one needs for the products of a phase: parts of A,
   or parts of B. */
struct mt_partition_parcel {
    int from;
    int messages;
    double bytes;
};

/* A message that a rank sends in a phase. */
struct mt_partition_message {
    int to;
    int number; /* its own, from 0 to nmessages - 1 */
    int after;  /* the number of the one by which the sender gets what it sends; -1: it
                   owns or holds that */
    double bytes;
};

/* Zeroed is empty. */
struct mt_partition_work {
    int ranks, phases;
    double
        *seconds;  /* owned; that a rank computes in a phase: [phase * ranks + rank] */
    double *fresh; /* owned; that a rank takes longer in a phase because memory of its
                      panels is used for the first time; as seconds */
    double bytes;  /* that all ranks get */
    /* With overlap, ranks send when and in what order they are asked: */
    struct mt_partition_parcel
        *parcels; /* owned; by phase, then by the rank that gets them */
    /* Without, what they own, then what they send on: */
    struct mt_partition_message
        *messages; /* owned; by phase, sender, in order of sending */
    int nmessages;
    int *starts; /* owned; where those of [phase * ranks + rank] start; one more */
};

void mt_partition_work_clear(struct mt_partition_work *work);
/* The partition must pass mt_partition_check(). MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_work_init(struct mt_partition_work *work,
                                         const struct mt_partition *partition,
                                         const struct mt_partition_task *task,
                                         struct mt_error *err);

#endif
