/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deal.h - partitions into blocks of a grid: given to ranks in some order, bounded from
 * below, predicted, and the best of them kept.
 */
#ifndef MT_PARTITION_DEAL_H
#define MT_PARTITION_DEAL_H

#include "work.h"

/* How many blocks of a grid each rank has, and of the pieces into which every block
   that is left over is cut again. */
struct mt_partition_shares {
    int grid;          /* blocks a side */
    const int *blocks; /* borrowed; of every rank */
    int parts;         /* pieces a side of a left-over block; 0: none */
    const int *pieces; /* borrowed; of every rank; unless `parts` is 0 */
};

/* In which order the ranks take the blocks of a grid: by rows, by columns, or by rows
   to and fro. */
enum mt_partition_order {
    MT_PARTITION_ROWS,
    MT_PARTITION_COLUMNS,
    MT_PARTITION_TO_AND_FRO
};
enum { MT_PARTITION_ORDERS = MT_PARTITION_TO_AND_FRO + 1 };

/* A block of a grid, and the one at a place in an order. */
struct mt_partition_block {
    int grid, row, column;
};
struct mt_partition_block mt_partition_find_block(int grid,
                                                  enum mt_partition_order order,
                                                  int place);

/* Give each rank its blocks, consecutive ones in the order; the last ones are left
   over. `partition` is empty except for its kind. */
MT_MUST_CHECK int mt_partition_deal(struct mt_partition *partition,
                                    const struct mt_partition_task *task,
                                    const struct mt_partition_shares *shares,
                                    enum mt_partition_order order,
                                    struct mt_error *err);

/*
 * Lower bounds, from each step on (counted from 0), of the seconds of the product with
 * these shares; 0 after the last step. They rule out bad partitions cheaply: ranks wait
 * only for messages of their own node, and those of left-over blocks are free. They
 * exceed the prediction only by the rounding of sizes.
 */
MT_MUST_CHECK int mt_partition_bound(double *rest, const struct mt_partition_task *task,
                                     const struct mt_partition_shares *shares,
                                     enum mt_partition_order order,
                                     struct mt_error *err);

/* What the rank computes in all, seconds, for one of `grid` x `grid` blocks in as many
   steps. */
double mt_partition_block_seconds(const struct mt_partition_task *task, int rank,
                                  int grid);

/* The best partition that was found so far. None yet: zeroed except `task` and
   `seconds`, which is infinite. */
struct mt_partition_search {
    const struct mt_partition_task *task; /* borrowed */
    struct mt_partition partition;        /* owned */
    double seconds;
};

/* Predict the partitions with these shares, in all orders, and keep what is better than
   the best. */
MT_MUST_CHECK int mt_partition_try(struct mt_partition_search *search,
                                   enum mt_partition_kind kind,
                                   const struct mt_partition_shares *shares,
                                   struct mt_error *err);

#endif
