/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attempt.h - attempts at a partition into rectangles; mt_partition_choose() makes
 * many.
 *
 * mt_partition_predict() follows every message, which takes long for many ranks; so
 * attempts are compared by an estimate first.
 */
#ifndef MT_PARTITION_ATTEMPT_H
#define MT_PARTITION_ATTEMPT_H

#include "rectangles.h"
#include "work.h"

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
/* In which steps. */
struct mt_partition_steps {
    int panels;
    bool overlap; /* of the next one's messages with a step's products */
};
/* Rectangles with areas in proportion to `areas`, of every rank; a rank of area 0 has
   no tile. In the given layout, which was found for the same ranks,
   or, if it is NULL, in the best one. With the best levels for each tile, but without
   times. */
MT_MUST_CHECK int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                                            const struct mt_partition_task *task,
                                            const struct mt_partition_layout *layout,
                                            const double *areas,
                                            struct mt_partition_steps steps,
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

enum { MT_PARTITION_MOST_PANELS = 64, MT_PARTITION_PANEL_COUNTS = 20 };

/*
 * Numbers of panels that are worth a try, from `least`, 1 or 2, to
 * MT_PARTITION_MOST_PANELS, but at most k, each at most twice the one before; among
 * their neighbours those which part k into panels that can be halved often. How many
 * there are.
 */
int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k);

#endif
