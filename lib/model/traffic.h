/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - how the cost of messages between networks may grow with N and P.
 */
#ifndef MT_TRAFFIC_H
#define MT_TRAFFIC_H

#include "internal.h"
#include "motley/program.h"

enum { MT_MOST_TRAFFIC = 12 };

/* One shape of that cost: a sum of terms of N and P, with their weights. All owned. */
struct mt_traffic {
    char *text;
    struct mt_terms *terms;
    double weights[MT_MAX_TERMS];
    bool of_models; /* what the models say of the network of a group, as a whole */
    bool of_links;  /* the same for links between groups that were checked */
};

/* Zeroed is empty. */
struct mt_traffic_list {
    struct mt_traffic all[MT_MOST_TRAFFIC];
    int count;
};

/*
 * The shapes that are tried for a program, the more likely ones first: what the fitted
 * models say of the network inside a group, as the network between them may be like it,
 * so many times slower; what the program's `surface` says of its messages; its data;
 * and messages of no length, one, a tree of them, or one to each process.
 */
MT_MUST_CHECK int mt_traffic_list_make(struct mt_traffic_list *list,
                                       const struct mt_models *models,
                                       const struct mt_program *program,
                                       struct mt_error *err);
/* Add, where there is the first of these, what it comes to between networks whose
   messages take so many times as long as inside a group: what that is more, the terms
   of N by `bytes`, the others by `messages`; nothing is added where it is no more. */
MT_MUST_CHECK int mt_traffic_list_add_links(struct mt_traffic_list *list,
                                            double messages, double bytes,
                                            struct mt_error *err);
void mt_traffic_list_drop(struct mt_traffic_list *list);

/* The value at (N, P), of one process a node; NaN: it has none. */
double mt_traffic_seconds(const struct mt_traffic *traffic, double size, int ranks);

#endif
