/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the search for the best tree: the best so far, the one on trial, and the
 * orders in which ranks are served.
 *
 * All memory that a search needs is allocated once, where the ranks of a communicator
 * agree that each of them has it: a search itself cannot fail.
 */
#ifndef MT_BALANCE_SEARCH_H
#define MT_BALANCE_SEARCH_H

#include "cost.h"

/* The ranks that may send, the earliest to be free first. */
struct senders;

/* NULL when memory is short. */
struct senders *senders_new(const struct network *network);
void senders_free(struct senders *senders);
void senders_clear(struct senders *senders);
/* One rank sends only so often. */
void senders_limit(struct senders *senders, int rank, int sends);
void senders_add(struct senders *senders, int rank, int64_t free_from);

/* A candidate for the next message, and its prices. */
struct receiver {
    const struct problem *problem;
    const struct prices *prices;
    int rank;
};

/* Let the first sender to be free, of all or of the receiver's node, send to it,
   whichever costs less: sets its parent in `tree`, and whether it is late. Then it is a
   sender, too. */
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
    int *order;        /* [size] of the trial: in which ranks are served */
    int *place;        /* [size] of a node; of a leaf */
    bool *busy;        /* [size] sends to a rank that is not late */
};

/* Prepare for the network, whose size and nodes are read now and which must outlive the
   search. 0, or -1 if out of memory, with nothing to free. */
int search_init(struct search *search, const struct network *network);
void search_free(struct search *search);

/* Begin with no tree, for a message of `bytes` from `root`; ready[i]: when rank i
   enters the call, ns from any origin. */
void search_begin(struct search *search, int root, size_t bytes, const int64_t *ready);

/* Take the trial for the best if it costs less. */
void search_compare(struct search *search);

/* Set the order: as they are ready. */
void search_order_all(struct search *search);
/* The first rank of each node to be ready, then all others. */
void search_order_first_of_nodes(struct search *search);
/* The first `count` ranks, those of a node together; nodes as their first rank is
   ready, and so their ranks. */
void search_order_nodes(struct search *search, int count);

/* The predicted cost of any tree on that network, as tree_follow() computes it.
   `search` lends its memory. */
int64_t tree_cost(const struct tree *tree, struct search *search, int root,
                  size_t bytes, const int64_t *ready);

/* hop[i] ([size]): ns from when the parent of rank i may send on what it has until the
   first bytes of it are at rank i, if no rank is late; 0 for the root. */
void tree_hops(int64_t *hop, const struct tree *tree, struct search *search, int root,
               size_t bytes);

/*
 * In best.c: the cheapest tree, by tree_cost(), that this module knows for a message of
 * `bytes` from `root`, when rank i enters the call ready[i] - ready[root] ns after the
 * root (negative: before it). Compared are: greedy trees, in which whoever has the
 * message first sends it to the next rank to be ready - which are flat, binomial or
 * between the two, as gap and hop have it - and, from 8 KiB, trees of k children that
 * pass the message on in segments (a chain for k = 1), with the ranks in order of
 * readiness. Where ranks share nodes, a node's ranks may come one after the other. Late
 * ranks are leaves, or stand behind all that are earlier.
 *
 * `tree`, of the network's size, is overwritten.
 */
void tree_best(struct tree *tree, struct search *search, int root, size_t bytes,
               const int64_t *ready);

#endif
