/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lengths.h - what messages of some lengths take, as it was measured between two nodes,
 * as lengths that would take as long if times grew in proportion.
 */
#ifndef MT_LEARN_LENGTHS_H
#define MT_LEARN_LENGTHS_H

#include "motley/machine.h"

/* What messages between two nodes cost. Zeroed: not known. */
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
