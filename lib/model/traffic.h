/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - how the cost of messages between networks may grow with N and P, and what
 * measured links say of it before any run.
 */
#ifndef MT_TRAFFIC_H
#define MT_TRAFFIC_H

#include "internal.h"
#include "motley/program.h"

struct mt_link_prior {
    bool known; /* false: they say nothing of it, and the rest is not set */
    struct mt_networks networks;
    double messages, bytes; /* so many times as long as inside a group: a short message
                               between two networks, and a byte of a long one; >= 1 */
};

/*
 * Messages between two groups are compared with those inside the one of the two whose
 * network is slower. Unless the cluster's file names networks, groups are on one
 * network when both latency and bandwidth are about the same between them; of the pairs
 * of groups that are not the mean counts, by their pairs of nodes. `links` may be NULL.
 * Nothing is known where no link is slower than inside the groups: a link that several
 * pairs of nodes share is slower than any pair of them alone.
 */
void mt_link_prior_find(struct mt_link_prior *prior, const struct mt_cluster *cluster,
                        const struct mt_link_figures *links);

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
