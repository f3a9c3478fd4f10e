/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_rectangles.h - mt_cut_rectangles() where a unit of height and a unit of width do
 * not cost the same.
 */
#ifndef MT_CUT_RECTANGLES_H
#define MT_CUT_RECTANGLES_H

#include "motley/cut.h"

/* As mt_cut_rectangles(), but what is small is the sum of (the tile's height * height +
   its width * width). */
MT_MUST_CHECK int mt_cut_rectangles_of(struct mt_cut_tile *tiles, const double *shares,
                                       int count, double height, double width,
                                       struct mt_error *err);

#endif
