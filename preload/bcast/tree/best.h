/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * best.h - the tree for a broadcast.
 */
#ifndef MT_BALANCE_BEST_H
#define MT_BALANCE_BEST_H

#include "search.h"

/*
 * The cheapest tree, by tree_cost(), that this module knows for a message of `bytes`
 * from `root`, when rank i enters the call ready[i] - ready[root] ns after the root
 * (negative: before it). Compared are: greedy trees, in which whoever has the message
 * first sends it to the next rank to be ready - which are flat, binomial or between the
 * two, as gap and hop have it - and, from 8 KiB, trees of k children that pass the
 * message on in segments (a chain for k = 1), with the ranks in order of readiness.
 * Where ranks share nodes, a node's ranks may come one after the other.
 * Late ranks are leaves, or stand behind all that are earlier.
 *
 * `tree`, of the network's size, is overwritten.
 */
void tree_best(struct tree *tree, struct search *search, int root, size_t bytes,
               const int64_t *ready);

#endif
