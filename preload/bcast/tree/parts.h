/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_parts.h - what the files of the module tree share, and nobody else uses.
 *
 * No sum of times can overflow: all times are within +-FOREVER, where plus() and
 * repeated() stop.
 */
#ifndef MT_BALANCE_TREE_PARTS_H
#define MT_BALANCE_TREE_PARTS_H

#include "tree.h"

#define FOREVER (INT64_MAX / 4)

static inline int64_t within_bounds(int64_t time)
{
    return time > FOREVER ? FOREVER : time < -FOREVER ? -FOREVER : time;
}

static inline int64_t plus(int64_t a, int64_t b)
{
    return within_bounds(a + b);
}

static inline int64_t repeated(int64_t factor, int64_t time)
{
    int64_t product;
    return __builtin_mul_overflow(factor, time, &product) ? FOREVER
                                                          : within_bounds(product);
}

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Something happens to a rank; ordered by time, then by rank. */
struct event {
    int64_t time;
    int rank;
};

static inline bool before(struct event a, struct event b)
{
    return a.time < b.time || (a.time == b.time && a.rank < b.rank);
}

/* What one message of a certain size costs. */
struct price {
    int64_t hop, gap;
    int64_t shared; /* the part of the gap that is for the bytes */
};

struct prices {
    struct price far, near;
};

/* Of a segment, or another message that is on its way together with others. */
struct prices prices_at(const struct network *network, size_t bytes);
/* Of a whole message. */
struct prices prices_of_whole(const struct network *network, size_t bytes);

static inline int node_of(const struct network *network, int rank)
{
    return network->node ? network->node[rank] : rank;
}

static inline const struct price *price_between(const struct prices *prices,
                                                const struct network *network, int a,
                                                int b)
{
    return node_of(network, a) == node_of(network, b) ? &prices->near : &prices->far;
}

/* What is to be broadcast, and who is there when. */
struct problem {
    const struct network *network; /* borrowed */
    int root;
    size_t bytes;
    int64_t *ready; /* owned; [size] ns after the root has entered the call */
    int waiting;    /* ranks that wait for the root to enter */
};

/* 0, or -1 when memory is short. */
int problem_init(struct problem *problem, const struct network *network, int root,
                 size_t bytes, const int64_t *ready);
void problem_free(struct problem *problem);

/* How a rank fares in a broadcast. */
struct passage {
    int64_t arrival; /* of the first segment */
    int64_t start;   /* it has that, and has entered the call */
    int64_t period;  /* between the segments that reach it */
    int64_t leave;
};

/* Follow the message through the tree, which need not reach all ranks: the sum of the
   times in the call, and `passage` of each rank that is reached. */
int64_t tree_follow(struct passage *passage, const struct problem *problem,
                    const struct tree *tree);

/* 0 and a tree of single ranks, or -1 when memory is short, with `tree` zeroed. */
int tree_init(struct tree *tree, int size);

/* Set the children from the parents: those of one parent are sent to in the order in
   which they stand in `order`, which begins with the root. */
void tree_link(struct tree *tree, const int *order, int count);

/* Who may send, the earliest to be free first. */
struct senders;

/* NULL when memory is short. */
struct senders *senders_new(const struct network *network);
void senders_free(struct senders *senders);
void senders_clear(struct senders *senders);
/* One rank sends only so often. */
void senders_limit(struct senders *senders, int rank, int sends);
void senders_add(struct senders *senders, int rank, int64_t free_from);

/* Let the first to be free, of all or of its node, send to `rank`, whichever costs
   less: sets its parent, and whether it is late. Then it is a sender, too. */
void senders_serve(struct senders *senders, struct tree *tree,
                   const struct problem *problem, const struct prices *prices,
                   int rank);

/* The candidates for the best tree. */
struct search {
    struct problem problem;
    struct tree best, trial; /* best.cost: INT64_MAX until there is one */
    int nodes;               /* of the network */
    struct senders *senders;
    struct passage *passage; /* [size] */
    int *by_readiness; /* [size] the root, and the others as they enter the call */
    int *order;        /* [size] of the trial: in which ranks are served */
    int *place;        /* [size] of a node; of a leaf */
    bool *busy;        /* [size] sends to a rank that is not late */
};

/* Take the trial for the best if it costs less. */
void search_compare(struct search *search);

/* Fill in by_readiness; 0, or -1 when memory is short. */
int search_sort(struct search *search);
/* Set the order: as they are ready. */
void search_order_all(struct search *search);
/* The first rank of each node to be ready, then all others. */
void search_order_first_of_nodes(struct search *search);
/* The first `count` ranks, those of a node together; nodes as their first rank is
   ready, and so their ranks. */
void search_order_nodes(struct search *search, int count);

/* Try to send the whole message, greedily. */
void search_greedy(struct search *search);
/* Try to pass it on in segments. */
void search_pipelines(struct search *search);

#endif
