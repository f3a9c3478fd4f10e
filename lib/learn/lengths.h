/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lengths.h - measured times of messages between two nodes, converted to effective
 * lengths: those with the same time if times were proportional to length.
 */
#ifndef MT_LEARN_LENGTHS_H
#define MT_LEARN_LENGTHS_H

#include "motley/machine.h"

/* The cost of messages between two nodes. Zeroed: unknown. */
struct mt_learn_link {
    double latency; /* of the fastest, seconds */
    double byte;    /* seconds, of the longest */
    struct mt_length lengths[MT_MAX_LENGTHS];
    int nlengths; /* 0: times are in proportion */
};

/* Learn the link from the times of messages by length. Some must be shorter than 1 KiB
   and others longer; else nothing is known. */
void mt_learn_find_link(struct mt_learn_link *link, const struct mt_link_point *points,
                        int npoints);

#endif
