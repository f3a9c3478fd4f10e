/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patience.h - when a thread that polls should yield or sleep instead. An MPI polls
 * while it waits; if it shares a core with the rank it waits for, it keeps that rank
 * from running. Each look at the network that finds nothing calls this module. A thread
 * with a core to itself looks again at once. On a shared core it yields, which costs
 * about a microsecond if the other ranks yield, too; a sleep would delay each of their
 * messages by 30 microseconds or more. It sleeps if yielding is useless: if a control
 * group's quota takes the core away, each look uses up some of the quota. A core counts
 * as shared if the thread is kept from running for more than a fifth of its polling
 * time. Nothing here uses the MPI, yields, sleeps or reads the time.
 */
#ifndef MT_PATIENCE_H
#define MT_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's resource usage so far. */
struct thread_use {
    int64_t processor; /* ns of processor time */
    int64_t waits;     /* voluntary context switches */
};

/* Values read from the system, rarely, as reading takes longer than a look. */
struct patience_system {
    struct thread_use (*get_use)(void);
    bool (*has_quota)(void); /* whether a control group limits the process */
    bool always;             /* sleep, whatever is known */
};

/* State of one thread; zeroed at its beginning. All times are in ns. */
struct patience {
    int64_t began, last; /* of consecutive looks: the first, the end of the last */
    bool alone;          /* on the core, as far as known: it need not yield */
    /* To notice that it is no longer alone: */
    bool watching;
    int64_t watched_since;
    struct thread_use use; /* at that time */
    /* Since the last conclusion: */
    int64_t polled, lost, taken; /* in all; without the core; of that, in long pieces */
    /* Under a quota: */
    int64_t sleeps_until;
    int64_t hold; /* length of its last sleep */
};

/* Results of patience_length() other than the length of a sleep. */
enum { PATIENCE_LOOK = -1, PATIENCE_YIELD = 0 };

/*
 * A look at `now` (> 0, by a clock that does not go back) found nothing. How long to
 * sleep before the next, PATIENCE_YIELD, or PATIENCE_LOOK: look again at once.
 */
int64_t patience_length(struct patience *patience, int64_t now,
                        const struct patience_system *system);

/* The thread has yielded, or slept, and runs again at `now`. */
void patience_yielded(struct patience *patience, int64_t now,
                      const struct patience_system *system);
void patience_slept(struct patience *patience, int64_t now);

/* A look found something: the next wait starts anew. */
void patience_end(struct patience *patience);

#endif
