/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link_prior.h - what figures of links say of the network between groups, before any
 * run of several groups.
 */
#ifndef MT_LINK_PRIOR_H
#define MT_LINK_PRIOR_H

#include "internal.h"

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

#endif
