/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_auto.h - attempts at a cut into rectangles; mt_cut_choose_auto() makes many.
 *
 * mt_cut_predict() follows every message, which takes long for many ranks; so attempts
 * are compared by an estimate first.
 */
#ifndef MT_CUT_AUTO_H
#define MT_CUT_AUTO_H

#include "parts.h"
#include "rectangles.h"

/* Zeroed is empty. */
struct mt_cut_attempt {
    struct mt_cut_layout
        layout;        /* owned; empty when it is given, or edges were moved */
    struct mt_cut cut; /* owned */
    double seconds;    /* that the product takes */
    double *busy;      /* owned; seconds that a rank computes, and gets what it needs
                          without computing meanwhile */
};

void mt_cut_attempt_clear(struct mt_cut_attempt *attempt);
/* Rectangles with areas in proportion to `areas`, of every rank, in so many panels; a
   rank of area 0 has no tile. In the given layout, which was found for the same ranks,
   or, if it is NULL, in the best one. With the best levels for each tile, but without
   times. */
MT_MUST_CHECK int mt_cut_attempt_init(struct mt_cut_attempt *attempt,
                                      const struct mt_cut_task *task,
                                      const struct mt_cut_layout *layout,
                                      const double *areas, int panels,
                                      struct mt_error *err);
/* The same tiles, but with edges at multiples of `unit` rows and columns. Empty when a
   tile would vanish. */
MT_MUST_CHECK int mt_cut_attempt_snap(struct mt_cut_attempt *snapped,
                                      const struct mt_cut_attempt *attempt,
                                      const struct mt_cut_task *task, int unit,
                                      struct mt_error *err);
/* Find the times by mt_cut_predict(). */
MT_MUST_CHECK int mt_cut_attempt_predict(struct mt_cut_attempt *attempt,
                                         const struct mt_cut_task *task,
                                         struct mt_error *err);
/* Or as if each rank's messages passed by themselves, equally many in every step. */
void mt_cut_attempt_estimate(struct mt_cut_attempt *attempt,
                             const struct mt_cut_task *task);

#endif
