/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_parts.h - what the ways to choose a cut share; see cut.h.
 */
#ifndef MT_CUT_PARTS_H
#define MT_CUT_PARTS_H

#include "motley/cut.h"

/* What is to be multiplied, by whom, and into at most how many blocks a side it may be
   cut. */
struct mt_cut_task {
    const struct mt_cut_product *product; /* borrowed */
    const struct mt_cut_cluster *cluster; /* borrowed */
    int most;
};

/* One for each kind; `cut` is empty but for its kind. */
MT_MUST_CHECK int mt_cut_choose_equal(struct mt_cut *cut,
                                      const struct mt_cut_task *task,
                                      struct mt_error *err);

/* A block of a grid that cuts the whole into `grid` x `grid`. */
struct mt_cut_block {
    int grid, row, column;
};

/* Add the block as a tile of the rank, with the levels that are best for it when the
   product is made in `panels` parts. */
MT_MUST_CHECK int mt_cut_add_block(struct mt_cut *cut, const struct mt_cut_task *task,
                                   const struct mt_cut_block *block, int panels,
                                   int rank, int turn, struct mt_error *err);

#endif
