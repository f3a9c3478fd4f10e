/* SPDX-License-Identifier: BSD-3-Clause */
#include "patience.h"

enum {
    US = 1000,
    MS = 1000 * US,

    /* On a shared core, spinning takes the core from whoever sends the message, and
       each look takes some microseconds, more where the MPI looks at sockets: so ranks
       spin for as long as a message takes that is there already, and then look rarely.
       A message that comes late is noticed later by an eighth of the wait, at most by
       the longest sleep; so is each step of a long message, which advances only when
       its ranks look. */
    SPIN = 5 * US,
    PART = 8,
    SHORTEST = 30 * US,
    LONGEST = 1 * MS,

    /* Looks in a row follow each other faster. A program that works between two of its
       own looks, such as MPI_Test, is not to sleep. */
    GAP = US,
    LEAST_WORK = 10 * US, /* as far as the use of a thread is known */

    WINDOW = MS / 2, /* between two looks at the use of the thread */
    ENOUGH = 8 * MS, /* two time slices: to be polled before anything is concluded */
    SHARE = 5,       /* of the time polled that may be lost on a core of one's own */
};
static const int64_t first_hold = INT64_C(1000) * MS,
                     longest_hold = INT64_C(64000) * MS;

static void watch(struct patience *patience, int64_t now, struct thread_use use)
{
    patience->watching = true;
    patience->watched_since = now;
    patience->use = use;
}

static void begin(struct patience *patience, int64_t now)
{
    patience->began = now;
    patience->watching = false;
}

/* Whether the program did nothing since the last look: others had the core. */
static bool was_kept_from_running(const struct patience *patience,
                                  struct thread_use use)
{
    const int64_t polled = patience->last - patience->watched_since;
    const int64_t used = use.processor - patience->use.processor;
    return use.waits == patience->use.waits && used < polled + LEAST_WORK;
}

/* Taken for shared, a core is looked at again after a while, which grows: each time
   costs about a time slice. */
static void conclude(struct patience *patience, int64_t now)
{
    const bool shared = patience->lost > patience->polled / SHARE;
    const int64_t longer =
        2 * patience->hold < longest_hold ? 2 * patience->hold : longest_hold;
    if (shared) {
        patience->hold = patience->hold ? longer : first_hold;
        patience->shared_until = now + patience->hold;
        patience->watching = false;
    } else {
        patience->hold = 0;
    }
    patience->polled = patience->lost = 0;
    patience->concluded = true;
}

static void find_out(struct patience *patience, int64_t now, struct thread_use use)
{
    const int64_t polled = now - patience->watched_since;
    const int64_t used = use.processor - patience->use.processor;
    patience->polled += polled;
    patience->lost += used < polled ? polled - used : 0;
    watch(patience, now, use);
    if (patience->polled >= ENOUGH)
        conclude(patience, now);
}

static int64_t length_of(int64_t waited)
{
    const int64_t part = waited / PART;
    return part < SHORTEST ? SHORTEST : part > LONGEST ? LONGEST : part;
}

int64_t patience_length(struct patience *patience, int64_t now, bool always,
                        struct thread_use (*get_use)(void))
{
    if (now - patience->last > GAP &&
        !(patience->watching && was_kept_from_running(patience, get_use())))
        begin(patience, now);
    patience->last = now;
    const int64_t waited = now - patience->began;
    if (waited < SPIN)
        return 0;
    if (always || now < patience->shared_until)
        return length_of(waited);
    if (!patience->watching)
        watch(patience, now, get_use());
    else if (now - patience->watched_since >= WINDOW)
        find_out(patience, now, get_use());
    return 0;
}

bool patience_yields(const struct patience *patience)
{
    return patience->watching && !patience->concluded;
}

void patience_slept(struct patience *patience, int64_t now)
{
    patience->last = now;
}

void patience_end(struct patience *patience)
{
    patience->last = 0;
    patience->watching = false;
}
