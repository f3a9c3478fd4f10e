/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * senders.h - the ranks that may send, the earliest to be free first.
 */
#ifndef MT_BALANCE_SENDERS_H
#define MT_BALANCE_SENDERS_H

#include "cost.h"

struct senders;

/* NULL when memory is short. */
struct senders *senders_new(const struct network *network);
void senders_free(struct senders *senders);
void senders_clear(struct senders *senders);
/* One rank sends only so often. */
void senders_limit(struct senders *senders, int rank, int sends);
void senders_add(struct senders *senders, int rank, int64_t free_from);

/* Who is to be sent to, by which prices. */
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

#endif
