/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.h - the three kinds of partitions into equal blocks: the papers' Strassen,
 * H-Strassen and H-Strassen-R (Ohtaki, Takahashi, Boku and Sato 2004). `partition` is
 * empty except for its kind; `most`: blocks a side, at most.
 */
#ifndef MT_PARTITION_BLOCKS_H
#define MT_PARTITION_BLOCKS_H

#include "work.h"

MT_MUST_CHECK int mt_partition_choose_equal(struct mt_partition *partition,
                                            const struct mt_partition_task *task,
                                            struct mt_error *err);
MT_MUST_CHECK int mt_partition_choose_greedy(struct mt_partition *partition,
                                             const struct mt_partition_task *task,
                                             int most, struct mt_error *err);
MT_MUST_CHECK int mt_partition_choose_recursive(struct mt_partition *partition,
                                                const struct mt_partition_task *task,
                                                int most, struct mt_error *err);

/*
 * Algorithm 1 of Ohtaki, Takahashi, Boku and Sato (2004): each block in turn goes to
 * the rank that would end first with it; ties go to the first. `seconds`: a block's
 * time on each rank; `counts` receives the number of blocks of each.
 */
void mt_partition_share_out(int *counts, const double *seconds, int ranks, int blocks);

#endif
