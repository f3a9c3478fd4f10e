/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.h - the cost of a broadcast along a tree.
 *
 * Times are whole nanoseconds, and all arithmetic is on integers: every rank builds the
 * tree from the same numbers and must get the same one, which floating point does not
 * guarantee across processors.
 */
#ifndef MT_BALANCE_COST_H
#define MT_BALANCE_COST_H

#include "tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Arithmetic on times. No sum of them can overflow: all times are within +-FOREVER,
   where plus() and repeated() stop. */
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

/* An event at a rank; ordered by time, then by rank. */
struct event {
    int64_t time;
    int rank;
};

static inline bool before(struct event a, struct event b)
{
    return a.time < b.time || (a.time == b.time && a.rank < b.rank);
}

/* A time that grows with the bytes of a message. */
struct line {
    int64_t base;    /* ns, of an empty message */
    int64_t per_mib; /* ns for each MiB */
};

/* The cost of a message (the o + L + G of the LogGP model, joined). */
struct costs {
    struct line hop; /* from the start of sending until the receiver may send it on */
    struct line gap; /* until the sender may start with the next one; <= hop */
};

/* The machine that a tree is for. */
struct network {
    int size;          /* ranks */
    const int *node;   /* [size] lowest rank on the same node; NULL: each has its own */
    struct costs far;  /* between nodes */
    struct costs near; /* within a node */
    bool oversubscribed; /* some node has more ranks than cores: each segment would cost
                            a context switch */
};

/* The line's value, ns, for a message of that many bytes. */
int64_t line_at(const struct line *line, size_t bytes);

/* The cost of a message of one size. */
struct price {
    int64_t hop, gap;
    int64_t shared; /* the part of the gap due to the bytes */
};

struct prices {
    struct price far, near;
};

/* The cost of a segment, or of another message that travels together with others. */
struct prices prices_at(const struct network *network, size_t bytes);
/* The cost of a whole message. */
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

/* The broadcast to plan, and when each rank is ready. */
struct problem {
    const struct network *network; /* borrowed */
    int root;
    size_t bytes;
    int64_t *ready; /* [size] ns after the root has entered the call */
    int waiting;    /* ranks that wait for the root */
};

/* Fill in everything except the network and the pointer `ready`; the given times may
   have any origin. */
void problem_set(struct problem *problem, int root, size_t bytes, const int64_t *ready);

/* A rank's times in a broadcast. */
struct passage {
    int64_t arrival; /* of the first segment */
    int64_t start;   /* it has the message, and has entered the call */
    int64_t period;  /* between arriving segments */
    int64_t leave;
};

/*
 * Follow the message through the tree, which need not reach all ranks. Returns the ns
 * from when a rank enters the call until it leaves it, summed over the ranks, and fills
 * in `passage` of each rank that is reached.
 *
 * A rank that has the message, or a segment, and has entered the call, sends it to its
 * children in their order, a gap each. It would be with the first a hop after it was
 * sent; but all are on their way at once, and share the time that their bytes take,
 * except for whole messages from 128 KiB, which go to other nodes in turn. A rank
 * leaves when it has the message and has sent it. It is held up until a child has
 * entered the call (and, in segments, received the message) that comes after the
 * message has, unless the child is marked as late. Segments follow each other as fast
 * as the slowest rank on their way sends one to all its children. Late children take
 * no part in that: they get copies of the whole message when all segments have passed.
 */
int64_t tree_follow(struct passage *passage, const struct problem *problem,
                    const struct tree *tree);

#endif
