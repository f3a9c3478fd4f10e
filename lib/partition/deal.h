/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deal.h - partitions into blocks of a grid: deals them to ranks, bounds and predicts
 * their time, and keeps the best.
 */
#ifndef MT_PARTITION_DEAL_H
#define MT_PARTITION_DEAL_H

#include "work.h"

/* The number of blocks of each rank, and of pieces of left-over blocks. */
struct mt_partition_shares {
    int grid;          /* blocks a side */
    const int *blocks; /* borrowed; of every rank */
    int parts;         /* pieces a side of a left-over block; 0: none */
    const int *pieces; /* borrowed; of every rank; unless `parts` is 0 */
};

/* The order in which ranks take the blocks of a grid: by rows, by columns, or by rows
   in alternating directions. */
enum mt_partition_order {
    MT_PARTITION_ROWS,
    MT_PARTITION_COLUMNS,
    MT_PARTITION_TO_AND_FRO
};
enum { MT_PARTITION_ORDERS = MT_PARTITION_TO_AND_FRO + 1 };

/* A block of a grid, and a function to find it by its place in an order. */
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
 * only for their own messages, and those of left-over blocks are free. They exceed the
 * prediction only by the rounding of sizes.
 */
MT_MUST_CHECK int mt_partition_bound(double *rest, const struct mt_partition_task *task,
                                     const struct mt_partition_shares *shares,
                                     enum mt_partition_order order,
                                     struct mt_error *err);

/* The seconds in which the rank computes one of `grid` x `grid` blocks, in `grid`
   steps. */
double mt_partition_block_seconds(const struct mt_partition_task *task, int rank,
                                  int grid);

/* The best partition so far. None yet: zeroed except `task` and `seconds`, which is
   infinite. */
struct mt_partition_search {
    const struct mt_partition_task *task; /* borrowed */
    struct mt_partition partition;        /* owned */
    double seconds;
};

/* Predict the partitions with these shares, in all orders, and keep the best one. */
MT_MUST_CHECK int mt_partition_try(struct mt_partition_search *search,
                                   enum mt_partition_kind kind,
                                   const struct mt_partition_shares *shares,
                                   struct mt_error *err);

#endif
