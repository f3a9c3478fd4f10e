/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.h - who sends to whom in a reduction.
 *
 * In a reduction a rank waits for those below it. So those that come late stand near
 * the root, and nobody below comes later: only the root, which needs them all, waits
 * for them. Integers only: every rank builds the same tree.
 */
#ifndef MT_BALANCE_ROOTED_ORDER_H
#define MT_BALANCE_ROOTED_ORDER_H

#include "preload/bcast/tree/tree.h"

/* A rank, and by how much it comes after the earliest. */
struct entrant {
    int64_t late;   /* ns */
    int after_root; /* its number, counted from the root */
};

/* Memory to make trees in: allocated once, so that making one cannot fail. */
struct ordering {
    struct entrant *list; /* owned; [size] */
    int *rank_at, *order; /* owned; [size] */
};

/* 0, or -1 when memory is short. */
int ordering_init(struct ordering *ordering, int size);
void ordering_free(struct ordering *ordering);

/*
 * A tree of all ranks in which each parent comes no earlier than its children, when
 * rank i enters the call at `arrival[i]` ns. Ranks that are not late compared with the
 * latest stand in the order of their numbers, so that neighbours are often on the same
 * node. Children are listed in the order in which they are received from: the earliest
 * first.
 */
void reduce_tree(struct tree *tree, int root, const int64_t *arrival,
                 const struct ordering *ordering);

#endif
