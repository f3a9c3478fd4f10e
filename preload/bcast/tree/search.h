/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the search for the best tree: the best so far, the one on trial, and the
 * orders in which ranks are served.
 *
 * All memory of a search is allocated once, where the ranks of a communicator agree
 * that each of them has it, so a search itself cannot fail.
 */
#ifndef MT_BALANCE_SEARCH_H
#define MT_BALANCE_SEARCH_H

#include "cost.h"

/* The ranks that may send, ordered by when they are free. */
struct senders;

/* NULL when memory is short. */
struct senders *senders_new(const struct network *network);
void senders_free(struct senders *senders);
void senders_clear(struct senders *senders);
/* One rank sends at most this often. */
void senders_limit(struct senders *senders, int rank, int sends);
void senders_add(struct senders *senders, int rank, int64_t free_from);

/* A candidate for the next message, and its prices. */
struct receiver {
    const struct problem *problem;
    const struct prices *prices;
    int rank;
};

/* Let the first free sender, of all or of the receiver's node, send to the receiver,
   whichever costs less: sets the receiver's parent in `tree`, and whether it is late.
   The receiver becomes a sender, too. */
void senders_serve(struct senders *senders, struct tree *tree,
                   const struct receiver *receiver);

struct search {
    struct problem problem;
    struct tree best, trial; /* best.cost: INT64_MAX until there is one */
    int nodes;               /* of the network */
    /* owned, as are problem.ready and the arrays */
    struct senders *senders;
    struct passage *passage; /* [size] */
    struct event *entries;   /* [size] ranks, to be sorted */
    int *by_readiness; /* [size] the root, and the others as they enter the call */
    int *order;        /* [size] of the trial: the order in which ranks are served */
    int *place;        /* [size] of a node; of a leaf */
    bool *busy;        /* [size] sends to a rank that is not late */
};

/* Prepare for the network, whose size and nodes are read now and which must outlive the
   search. 0, or -1 if out of memory, with nothing to free. */
int search_init(struct search *search, const struct network *network);
void search_free(struct search *search);

/* Start without a tree, for a message of `bytes` from `root`; ready[i]: when rank i
   enters the call, ns from any origin. */
void search_begin(struct search *search, int root, size_t bytes, const int64_t *ready);

/* Make the trial the best tree if it costs less. */
void search_compare(struct search *search);

/* Set the order: by readiness. */
void search_order_all(struct search *search);
/* The first ready rank of each node, then all others. */
void search_order_first_of_nodes(struct search *search);
/* The first `count` ranks, grouped by node; nodes by their first ready rank, and ranks
   of a node by readiness. */
void search_order_nodes(struct search *search, int count);

/* The predicted cost of any tree on that network, by tree_follow(). Uses the memory of
   `search`. */
int64_t tree_cost(const struct tree *tree, struct search *search, int root,
                  size_t bytes, const int64_t *ready);

/* hop[i] ([size]): ns from when the parent of rank i may send on what it has until the
   first bytes of it are at rank i, if no rank is late; 0 for the root. */
void tree_hops(int64_t *hop, const struct tree *tree, struct search *search, int root,
               size_t bytes);

/*
 * In best.c: the cheapest tree, by tree_cost(), that this module knows for a message of
 * `bytes` from `root`, when rank i enters the call ready[i] - ready[root] ns after the
 * root (negative: before it). It compares greedy trees, in which the first rank with
 * the message sends it to the next ready rank (these are flat, binomial or in between,
 * depending on gap and hop) and, from 8 KiB, trees of k children that forward the
 * message in segments (a chain for k = 1), with the ranks in order of readiness. If
 * ranks share nodes, a node's ranks may be consecutive. Late ranks are leaves, or come
 * after all earlier ones.
 *
 * `tree`, of the network's size, is overwritten.
 */
void tree_best(struct tree *tree, struct search *search, int root, size_t bytes,
               const int64_t *ready);

#endif
