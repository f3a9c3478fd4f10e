/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search.h - the search for the best tree: the best so far, the one on trial, and the
 * orders in which ranks are served.
 */
#ifndef MT_BALANCE_SEARCH_H
#define MT_BALANCE_SEARCH_H

#include "cost.h"
#include "senders.h"

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

/* 0, or -1 when memory is short, with nothing to be freed. */
int search_init(struct search *search, const struct network *network, int root,
                size_t bytes, const int64_t *ready);
void search_free(struct search *search);

/* Take the trial for the best if it costs less. */
void search_compare(struct search *search);

/* Set the order: as they are ready. */
void search_order_all(struct search *search);
/* The first rank of each node to be ready, then all others. */
void search_order_first_of_nodes(struct search *search);
/* The first `count` ranks, those of a node together; nodes as their first rank is
   ready, and so their ranks. */
void search_order_nodes(struct search *search, int count);

#endif
