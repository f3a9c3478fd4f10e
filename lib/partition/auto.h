/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * auto.h - attempts at a partition into rectangles; mt_partition_choose_auto() makes
 * many.
 *
 * mt_partition_predict() follows every message, which takes long for many ranks; so
 * attempts are compared by an estimate first.
 */
#ifndef MT_PARTITION_AUTO_H
#define MT_PARTITION_AUTO_H

#include "parts.h"
#include "rectangles.h"

/* Zeroed is empty. */
struct mt_partition_attempt {
    struct mt_partition_layout
        layout; /* owned; empty when it is given, or edges were moved */
    struct mt_partition partition; /* owned */
    double seconds;                /* that the product takes */
    double *busy; /* owned; seconds that a rank computes, and gets what it needs
                     without computing meanwhile */
};

void mt_partition_attempt_clear(struct mt_partition_attempt *attempt);
/* Rectangles with areas in proportion to `areas`, of every rank, in so many panels; a
   rank of area 0 has no tile. In the given layout, which was found for the same ranks,
   or, if it is NULL, in the best one. With the best levels for each tile, but without
   times. */
MT_MUST_CHECK int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                                            const struct mt_partition_task *task,
                                            const struct mt_partition_layout *layout,
                                            const double *areas, int panels,
                                            struct mt_error *err);
/* The same tiles, but with edges at multiples of `unit` rows and columns. Empty when a
   tile would vanish. */
MT_MUST_CHECK int mt_partition_attempt_snap(struct mt_partition_attempt *snapped,
                                            const struct mt_partition_attempt *attempt,
                                            const struct mt_partition_task *task,
                                            int unit, struct mt_error *err);
/* Find the times by mt_partition_predict(). */
MT_MUST_CHECK int mt_partition_attempt_predict(struct mt_partition_attempt *attempt,
                                               const struct mt_partition_task *task,
                                               struct mt_error *err);
/* Or as if each rank's messages passed by themselves, equally many in every step. */
void mt_partition_attempt_estimate(struct mt_partition_attempt *attempt,
                                   const struct mt_partition_task *task);

#endif
