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

#endif
