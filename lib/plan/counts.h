/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - the inner problem of a plan: how many nodes of each group, with how
 * many processes on each, add up to exactly P processes at the least weight?
 *
 * Minimise sum weight_g * p_g subject to sum m_g * p_g = P, 0 <= p_g <= nodes_g,
 * sum side_g * p_g <= side limit for each of the side weights, with one m_g a group,
 * out of its choices, each with weights of its own. Weights are whole numbers, so
 * nothing is rounded. Solved by a depth-first search with the bound that comes from
 * letting p_g be a fraction (every group at its largest m_g, and each process at the
 * least weight of a choice).
 */
#ifndef MT_PLAN_COUNTS_H
#define MT_PLAN_COUNTS_H

#include "motley/cluster.h"

#include <stdint.h>

enum { MT_COUNTS_UNREACHABLE = -1, MT_COUNTS_SIDES = 2 };

/* A group as the bound sees it: nodes that hold up to `most` processes each. */
struct mt_share {
    int64_t nodes;
    int64_t most;   /* >= 1 */
    int64_t weight; /* of a node, >= 0 */
};

/* Bring the shares into the order of their weight per process. */
void mt_shares_sort(struct mt_share *shares, int count);
/* At least this weight is needed for `total` processes on sorted shares, or
   MT_COUNTS_UNREACHABLE when they have no room for so many. */
int64_t mt_shares_least(const struct mt_share *shares, int count, int64_t total);

/* A way to use the nodes of a group. */
struct mt_counts_choice {
    int processes;                 /* m */
    int64_t weight;                /* of a node, >= 0 */
    int64_t side[MT_COUNTS_SIDES]; /* likewise */
};

/* A group of the inner problem. */
struct mt_counts_group {
    int group;                              /* its index in the cluster */
    int nodes;                              /* that may be used */
    const struct mt_counts_choice *choices; /* borrowed; by m, descending */
    int nchoices;                           /* >= 1 */
};

struct mt_counts {
    struct mt_counts_group groups[MT_MAX_GROUPS];
    int ngroups;
    int64_t total;                       /* P */
    int64_t limit;                       /* the weight may not be more */
    int nsides;                          /* side weights that are limited */
    int64_t side_limit[MT_COUNTS_SIDES]; /* they may not be more */
    int64_t enough;                      /* a weight that need not be improved */
    int *room;       /* borrowed scratch: (ngroups + 1) * all choices of m */
    int64_t *visits; /* borrowed; steps of the search that may still be made;
                        counted down */
};

struct mt_counts_answer {
    bool found;
    bool proven; /* nothing better exists; nothing at all if not found */
    int64_t weight;
    struct mt_configuration configuration;
};

void mt_counts_solve(const struct mt_counts *counts, struct mt_counts_answer *answer);

#endif
