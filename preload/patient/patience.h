/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patience.h - when a thread that polls should sleep instead.
 *
 * An MPI polls while it waits, and so keeps the core from the rank that it waits for
 * where both share one. Each look at the network that finds nothing asks here. Nothing
 * is delayed that comes within 5 microseconds, and nothing at all while the thread has
 * a core to itself: it has not if, while it polls, it is kept from running for more
 * than a fifth of the time.
 *
 * Nothing here knows the MPI, sleeps or asks for the time.
 */
#ifndef MT_PATIENCE_H
#define MT_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What a thread has used so far. */
struct thread_use {
    int64_t processor; /* ns of processor time */
    int64_t waits;     /* how often it has given up the core by itself */
};

/* Of one thread; zeroed at its beginning. All times are in ns. */
struct patience {
    int64_t began, last; /* of the looks in a row: the first, the last */
    /* While it polls, to find out whether others want the core: */
    bool watching;
    int64_t watched_since;
    struct thread_use use; /* at that time */
    int64_t polled, lost;  /* so far: in all, and of that without the core */
    bool concluded;        /* once at least */
    /* What came of it: */
    int64_t shared_until; /* until then the core counts as shared */
    int64_t hold;         /* for how long it was taken for shared last */
};

/*
 * A look at `now` (> 0, by a clock that does not go back) found nothing. How long to
 * sleep before the next; 0: look again at once. With `always` the core counts as
 * shared. `get_use` is called rarely, as it takes longer than a look.
 */
int64_t patience_length(struct patience *patience, int64_t now, bool always,
                        struct thread_use (*get_use)(void));

/* Whether the thread is to yield instead: nobody knows yet whether others want the
 * core. */
bool patience_yields(const struct patience *patience);

/* The thread has slept until `now`. */
void patience_slept(struct patience *patience, int64_t now);

/* A look found something: what is waited for next is waited for anew. */
void patience_end(struct patience *patience);

#endif
