/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_levels.h - in how many levels a product is cut.
 */
#ifndef MT_STRASSEN_LEVELS_H
#define MT_STRASSEN_LEVELS_H

#include "motley/strassen.h"

/* As the caller says, or as the tuning does. */
int mt_strassen_how_levels(const struct mt_strassen_how *how, int m, int n, int k,
                           double beta);

/* What a product in so many levels takes of its workspace, in doubles: for sums and, if
   those of the lowest level are the kernel's, for its copies behind them. */
struct room {
    size_t sums, copies;
};
struct room mt_strassen_how_room(const struct mt_strassen_how *how, size_t m, size_t n,
                                 size_t k, int levels);

#endif
