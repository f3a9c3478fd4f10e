/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - how long it takes until parts that differ by a row have gone around a ring
 * of processes that share a bus, a switch, the switches of a multistage network or,
 * half duplex, their connections, by following each message.
 *
 * Who has a short part is ready early, and then computes while others send, so that the
 * processes get out of step, more and more; no formula is known for where that ends.
 */
#ifndef MT_RING_H
#define MT_RING_H

#include "motley/components.h"

#include <stdbool.h>

enum { MT_MOST_IN_STAGES = 64 };

/* Each process computes with its own part, and passes parts on, P - 1 times: it sends
   one and gets one, and computes with what came, in proportion to its rows and to those
   of its own part. Part i has the rows from floor(i N/P) on. */
struct mt_ring {
    double ranks;   /* P, at least 2 */
    double rows;    /* N/P, no whole number */
    double compute; /* seconds, of a process with the longer part, for all parts */
    double latency; /* seconds of a message, while it needs nothing of what is shared */
    double shorter, longer; /* seconds that messages of the two kinds need of what is
                               shared where they are alone */
    double room;            /* so many messages at a time are as fast as one alone; more
                               share what passes evenly */
    const struct mt_wiring *stages; /* of a multistage network, each of whose switches
                                       has that room; rank i sends to rank i + 1, and P
                                       is at most MT_MOST_IN_STAGES; else NULL */
    bool half_duplex; /* what a process sends and gets share its connection: a message
                         alone is twice as fast */
    double bytes;     /* of the longer message */
};

/* Seconds until the last process is done. Of more than 64 processes so many are
   followed, with as large a share of longer parts, in as large a share of the room, and
   of more than 64 turns so many: the others take as long as the last ones. */
double mt_ring_seconds(const struct mt_ring *ring);

#endif
