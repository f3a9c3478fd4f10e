/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.h - how long the processes of a ring or a grid take to pass on all parts, by
 * following each message.
 *
 * A process with a short part or a free way is ready early, and then computes while
 * others send, so the processes get more and more out of step; no formula for the
 * result is known.
 */
#ifndef MT_RELAY_H
#define MT_RELAY_H

#include "transit.h"

#include <stdbool.h>

/*
 * In a ring each process computes with its own part; then, P - 1 times, it sends its
 * current part, receives another, and computes with it, in proportion to the rows of
 * both.
 *
 * A grid has K rows and columns of processes, row by row. In a step, a part passes down
 * each column from process to process, and all compute with it, in proportion to its
 * rows and to those of the grid's row. Then a result passes along each row in the same
 * way, each process adding its own. In step s, column k begins at row s + k, and the
 * row's result where its part began (all modulo K), as in apps/matmul/grid.c.
 *
 * Part i has the rows from floor(i N/P), or floor(i N/K), on.
 */
struct mt_relay {
    double ranks;    /* P, at least 2 */
    double edge;     /* K, of a grid, at least 2; 0: they are a ring */
    double rows;     /* N/P or N/K */
    double messages; /* of a process of a ring, P - 1; of a grid, one after the other:
                        2 (K - 1) in a step */
    double compute;  /* seconds of a process with longer parts, first to last */
    double add;      /* seconds of these in which a longer result is added, of as many
                        columns as the mean */
    double latency;  /* seconds of a message in which it uses nothing shared */
    double hop;      /* seconds more, for each of mt_hops() */
    double way[3];   /* seconds that a lone message occupies the shared medium: of a
                        shorter part, of a longer one, and in a grid of one longer in
                        both directions */
    double room; /* number of messages that are as fast together as alone; more share
                    evenly */
    const struct mt_wiring *wiring;
    bool counted; /* `room` is that of each switch or trunk: up to MT_MOST_IN_TRANSIT
                     ranks */
    double bytes; /* of the longer message */
};

/* Seconds until the last process is done. At most MT_MOST_IN_TRANSIT processes of a
   ring are followed, with the same share of longer parts and of the room. Only the
   first of many turns or steps are followed: the others take as long as the last of
   these. */
double mt_relay_seconds(const struct mt_relay *relay);

#endif
