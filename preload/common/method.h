/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * method.h - a way to choose the trees of a communicator's broadcasts: bcast=auto,
 * bcast=paper.
 *
 * For each call, a method routes the message along a tree, and then learns from the
 * call's time. All ranks of the communicator ask it at the same calls, and it answers
 * the same on all of them.
 */
#ifndef MT_BALANCE_METHOD_H
#define MT_BALANCE_METHOD_H

#include "context.h"
#include "message.h"

struct tree;

/* The state of a method for one communicator, on one rank. */
struct method {
    const struct method_kind *kind;
};

struct method_kind {
    /* Collective over the context, which must outlive the method; NULL on all ranks
       when memory is short on one. */
    struct method *(*create)(const struct context *context, bool verbose);
    /* Receives the method's own messages that are still in transit. With bcast=auto it
       waits only for ranks that have not made all calls yet, as ranks may free
       communicators in another order; bcast=paper: collective. */
    void (*finish)(struct method *method);
    /* The tree for this call, valid until the next one; NULL: use the MPI's own
       broadcast. A failure leaves its code in `status`. */
    const struct tree *(*route)(struct method *method, const struct bcast_call *call,
                                int *status);
    /* Learn from the call, also when the MPI's own broadcast was used. */
    void (*learn)(struct method *method, const struct bcast_call *call,
                  const struct bcast_timing *timing);

    /* Optional functions of a method. */

    /* Whether route() would only leave this call to the MPI, and its time is not
       needed: then the caller may call only learn(), with any timing. */
    bool (*is_idle)(struct method *method, const struct bcast_call *call);
    /* ns of rank time that this rank saved so far against the MPI's own broadcast, as
       measured. */
    int64_t (*saved)(const struct method *method);
    /* MPI_Pcontrol: what this rank wants. */
    void (*turn)(struct method *method, bool on);
};

/* The methods of bcast=auto and bcast=paper. */
extern const struct method_kind method_auto, method_paper;

#endif
