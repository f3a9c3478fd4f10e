/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.h - a binomial tree over the ranks in a shuffled order, a new one at each call,
 * so that each rank is sometimes a parent and its lateness is seen. A rank finds its
 * neighbours in the tree without storing or building it.
 */
#ifndef MT_BALANCE_REPORT_ORDER_H
#define MT_BALANCE_REPORT_ORDER_H

#include <stdint.h>

struct order {
    int size, root;
    int64_t stride, inverse, shift; /* of the ranks other than the root */
};

/* The order at a call, by its number: the same on all ranks. */
struct order order_at(int size, int root, int64_t call);

/* The place of a rank in the tree, 0 for the root, and the rank at a place. */
int order_place(const struct order *order, int rank);
int order_rank(const struct order *order, int place);

#endif
