/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * best.h - the tree for a broadcast.
 */
#ifndef MT_BALANCE_BEST_H
#define MT_BALANCE_BEST_H

#include "cost.h"

/*
 * The cheapest tree, by tree_cost(), that this module knows for a message of `bytes`
 * from `root`, when rank i enters the call ready[i] - ready[root] ns after the root
 * (negative: before it). Compared are: greedy trees, in which whoever has the message
 * first sends it to the next rank to be ready - which are flat, binomial or between the
 * two, as gap and hop have it - and, from 8 KiB, trees of k children that pass the
 * message on in segments (a chain for k = 1), with the ranks in order of readiness.
 * Where ranks share nodes, a node's ranks may come one after the other.
 * Messages of 2^31 bytes and more are always cut into segments. Late ranks are leaves,
 * or stand behind all that are earlier.
 *
 * `tree` is overwritten; 0, or -1 when memory is short, with `tree` zeroed.
 */
int tree_best(struct tree *tree, const struct network *network, int root, size_t bytes,
              const int64_t *ready);

#endif
