/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapt.h - bcast=auto: which tree a broadcast takes, or that it is left to the MPI.
 *
 * All ranks agree on the answer at every call, because only what the home rank has
 * broadcast and the number of the call decide.
 */
#ifndef MT_BALANCE_ADAPT_H
#define MT_BALANCE_ADAPT_H

#include "call.h"
#include "context.h"
#include "preload/bcast/tree/tree.h"

struct adapt;

/* Collective over the context, which must outlive it; NULL on all ranks when memory is
   short on one. */
struct adapt *adapt_new(const struct context *context, bool verbose);
void adapt_free(struct adapt *adapt);

/*
 * The tree for this call; NULL: use the MPI's own broadcast. At some calls, the same on
 * all ranks, it hears the home rank's new plan first. A failure leaves its code in
 * `status`. The tree is valid until the next call.
 */
const struct tree *adapt_route(struct adapt *adapt, const struct call *call,
                               int *status);
/* Whether adapt_route() would do nothing but leave this call to the MPI, and its time
   is of no use: then adapt_learn() alone may follow, with any timing. */
bool adapt_is_idle(struct adapt *adapt, const struct call *call);
/* What came of it, also when the MPI's own broadcast was used. */
void adapt_learn(struct adapt *adapt, const struct call *call,
                 const struct timing *timing);
/* ns of rank time that this rank saved so far against the MPI's own, as measured. */
int64_t adapt_saved(const struct adapt *adapt);
/* MPI_Pcontrol: what this rank wants; all follow the home rank's wish. */
void adapt_switch(struct adapt *adapt, bool on);

#endif
