/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - who sends to whom in a broadcast, or a reduction.
 */
#ifndef MT_BALANCE_TREE_H
#define MT_BALANCE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree {
    int size;
    int *parent; /* owned, with the three arrays behind it; [size] -1 for the root */
    int *first;  /* [size] child served first; -1: a leaf */
    int *next;   /* [size] sibling served next; -1: none */
    bool *late;  /* [size] expected only after its message has come: its parent does not
                    wait for it */
    size_t segment; /* bytes of a segment; 0: the whole message */
    int64_t cost;   /* ns, by tree_cost() */
};

/* 0 and a tree of single ranks, or -1 when memory is short, with `tree` zeroed. */
int tree_init(struct tree *tree, int size);
void tree_free(struct tree *tree);
/* Make `tree` equal to one of the same size. */
void tree_copy(struct tree *tree, const struct tree *from);

/* Set the children from the parents: those of one parent are served in their order in
   `order`, which begins with the root. */
void tree_link(struct tree *tree, const int *order, int count);

/*
 * The binomial tree of MPICH over virtual ranks: `place[rank]` is a rank's virtual one,
 * relative to the root's, and the parent of v is v without its lowest set bit. Cost and
 * late are not set. NULL means place[rank] = rank; `order` ([size]) is overwritten.
 */
void tree_binomial(struct tree *tree, int root, const int *place, int *order);

/* A rank, and its lateness after the earliest. */
struct entrant {
    int64_t late;   /* ns */
    int after_root; /* its number, counted from the root */
};
enum { TREE_REDUCE_BYTES = sizeof(struct entrant) + sizeof(int) };

/*
 * Build a tree for a reduction in which rank i enters the call at `arrival[i]` ns. A
 * rank waits for those below it, so each parent comes no earlier than its children, and
 * only the root, which needs them all, waits for late ones. Ranks that are not late
 * compared with the latest are in the order of their numbers, so that neighbours are
 * often on the same node. Children are listed in the order in which they are received
 * from: the earliest first. Integers only: every rank builds the same tree. `memory`
 * has TREE_REDUCE_BYTES for each rank, and is overwritten.
 */
void tree_reduce(struct tree *tree, int root, const int64_t *arrival, void *memory);

/* Swap two ranks in the tree, for another root. */
void tree_swap(struct tree *tree, int a, int b);

#endif
