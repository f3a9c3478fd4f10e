/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - who sends to whom in a broadcast, and what that costs.
 *
 * Times are whole nanoseconds, and all arithmetic is on integers: every rank builds the
 * tree for itself from the same numbers and must come to the same one, whatever its
 * processor makes of a multiplication and an addition in floating point.
 */
#ifndef MT_BALANCE_TREE_H
#define MT_BALANCE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time that grows with the bytes of a message. */
struct line {
    int64_t base;    /* ns, of an empty message */
    int64_t per_mib; /* ns for each MiB */
};

/* What a message costs (the o + L + G of the LogGP model, joined). */
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
    bool crowded; /* some node has more ranks than processors: segments would cost a
                     change of process each */
};

struct tree {
    int size;
    int *parent; /* [size] -1 for the root */
    int *first;  /* [size] child that is sent to first; -1: a leaf */
    int *next;   /* [size] sibling that is sent to next; -1: none */
    bool *late; /* [size] expected only after its message has come: who sends to it does
                   not wait for it */
    size_t segment; /* bytes that are sent on as one; 0: the whole message */
    int64_t cost;   /* ns: as tree_cost() has it */
};

/* ns that the line gives for a message of that many bytes. */
int64_t line_at(const struct line *line, size_t bytes);

/*
 * The cheapest tree, by tree_cost(), that this module knows for a message of `bytes`
 * from `root`, when rank i enters the call ready[i] - ready[root] ns after the root
 * (negative: before it). Compared are: greedy trees, in which whoever has the message
 * first sends it to the next rank to be ready - which are flat, binomial or between the
 * two, as gap and hop have it - and, from 64 KiB, trees of k children that pass the
 * message on in segments (a chain for k = 1), with the ranks in order of readiness.
 * Where ranks share nodes, a node's ranks may come one after the other.
 * Messages of 2^31 bytes and more are always cut into segments. Late ranks are leaves,
 * or stand behind all that are earlier.
 *
 * `tree` is overwritten; 0, or -1 when memory is short, with `tree` zeroed.
 */
int tree_best(struct tree *tree, const struct network *network, int root, size_t bytes,
              const int64_t *ready);

/*
 * The binomial tree of MPICH over virtual ranks: `place[rank]` is a rank's virtual one,
 * relative to the root's, and the parent of v is v without its lowest set bit. Cost and
 * late are not set. NULL stands for place[rank] = rank.
 */
int tree_binomial(struct tree *tree, int size, int root, const int *place);

/*
 * ns from when a rank enters the call until it leaves it, summed over the ranks: what
 * is expected of any tree on that network. INT64_MAX when memory is short.
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
int64_t tree_cost(const struct tree *tree, const struct network *network, int root,
                  size_t bytes, const int64_t *ready);

/*
 * hop[i] ([size]): ns from when the parent of rank i may send on what it has until the
 * first bytes of it are at rank i, if nobody is late; 0 for the root. 0, or -1 when
 * memory is short.
 */
int tree_hops(int64_t *hop, const struct tree *tree, const struct network *network,
              int root, size_t bytes);

/* The same tree with two ranks in each other's places; for another root. */
void tree_swap(struct tree *tree, int a, int b);

void tree_free(struct tree *tree);

#endif
