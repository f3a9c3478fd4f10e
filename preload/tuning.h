/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide what the preload libraries do with calls, and
 * what they report. All ranks have the same ones.
 *
 * Where they come from: [paper] Soga et al. (2008); [chosen] chosen by hand,
 * sensitivity not measured; otherwise the comment says. Times are in ns unless it says
 * otherwise.
 */
#ifndef MT_BALANCE_TUNING_H
#define MT_BALANCE_TUNING_H

#include <stddef.h>
#include <stdint.h>

/*
 * Measured times (common/measured).
 */

/* A rank reports the median of its first times: a processor busy elsewhere would spoil
   a mean. [chosen] */
enum { MOST_SAMPLES = 7 };

/* One way of making a call beats another by at least this, in per cent. [chosen] */
enum { LEAST_ADVANTAGE = 3 };

/*
 * When the ranks of a communicator meet (bcast/comm_state, bcast/agreement).
 */

/* Calls before a communicator is set up whose ranks lack cores. That takes as long as
   40 broadcasts, each a matter of milliseconds: no more than 1 % of the time in
   broadcasts. */
enum { MANY_CALLS = 4096 };

/* Ranks that make statements meet at this call, after the broadcasts of most
   communicators. The next meeting, which judges the statements, is after TO_JUDGE times
   as many calls; if none are made, after TO_STATE_AGAIN times. [chosen] */
enum { SECOND_MEETING = 16, TO_JUDGE = 2, TO_STATE_AGAIN = 4 };

/* The call of the first meeting; and the most calls before a meeting that are timed.
   [chosen] */
enum { FIRST_MEETING = 2, MOST_TIMED = 8 };

/* A broadcast is long if it takes more than this, plus this for each byte: most take
   less if their ranks come together. Setup costs as much as a few dozen long ones.
   [chosen] */
enum { LONG_CALL = 20000, LONG_PER_BYTE = 1 };

/* A hundred times as long as it takes to make a statement. */
enum { WORTH_A_STATEMENT = 2000000 };

/*
 * Trees (bcast/tree, bcast/transfer).
 */

/* Children of a node in a tree to the root. Trees are flat so that few ranks wait for
   others, but a parent receives its children's messages one after another. [chosen] */
enum { RADIX = 4 };

/* A rank that is less late, or less than an eighth of the latest, is not late. [chosen]
 */
static const int64_t least_late = 5000;

/* Bytes. Messages of at least this size leave a node one after another: for shorter
   ones the children's TAG_READY costs more than sharing the link. [chosen] */
#define SENT_STAGGERED ((size_t)128 << 10)

/* Bytes: the segments that are tried, and the smallest message that is cut. [chosen] */
#define SMALLEST_SEGMENT ((size_t)1 << 10)
#define LARGEST_SEGMENT ((size_t)1 << 20)
#define SMALLEST_CUT ((size_t)8 << 10)

/* Segments: receives posted ahead, and sends in flight to each child. [chosen] */
enum { AHEAD = 3, FLIGHT = 2 };

/*
 * Trees that adapt to arrivals (bcast/auto). look_later() bounds what comparing them
 * with the MPI's broadcast costs. [chosen]
 */
enum {
    SHORTEST_INTERVAL = 2, /* calls between plans, of which the first does not count */
    TRY_NATIVE_CALLS = 3,
    TRY_OWN_CALLS = 4, /* enough calls for reports to follow a broadcast */
    FIRST_LOOK = 64,   /* calls */
    LAST_LOOK = 100000,
    LONGEST_INTERVAL = 64, /* calls between plans; eight times that without trees */
    MOST_PLAN_TRIES = 4,   /* plans that our trees may take to settle during a try */
    SETTLED = 2,           /* plans without a change */
    LEAST_GAIN = 10,       /* per cent that new trees must promise */
    MOST_FUTILE = 5,       /* give up after this many new trees that were no better */
};

/* In addition, the gain that new trees must promise for each rank and call. [chosen] */
static const int64_t least_gain = 300;

/*
 * The optimiser of the paper (bcast/paper).
 */
enum {
    WEIGHT = 1,        /* i of equation (1) [paper] */
    STEADY = 16,       /* waits that differ by 1/16, 6.25 %, are steady [chosen] */
    NEGLIGIBLE = 1000, /* 1/1000 of the longest wait counts as none [chosen] */
    PAPER_SPARSE_INTERVAL = 16, /* broadcasts before the first round [paper] */
};

/* The longest that a mark may take to arrive: 1 ms. [chosen] */
static const int64_t mark_timeout = 1000000;

/*
 * Reductions and gathers (bcast/rooted_calls, rooted).
 */

/* The calls of a communicator, counted from 0, at which all its ranks check whether
   they could gain: this one, and each time that the number has doubled. They wait for
   the latest rank a few times then, which is little after this many calls. [chosen] */
enum { FIRST_ROOTED_LOOK = 128 };

/* The time of the setup, in times for all ranks to come together; it may take one part
   in ROOTED_SHARE of the time in calls. [chosen] */
enum { GETTING_READY = 10, ROOTED_SHARE = 100 };

/* Bytes. For shorter reductions the MPI's own trees make few ranks wait. [chosen] */
#define LEAST_BYTES ((size_t)1 << 11)

/* Trials of our way and the MPI's. [chosen] */
enum {
    TRY_CALLS = 8,
    FIRST_BLOCK = TRY_CALLS,
    LONGEST_BLOCK = 1 << 20,
    TRIAL_SHARE = 100, /* one part in it goes to meetings and trying the slower way */
    MOST_DRIFT = 8,    /* see is_drifting() */
    MOST_LONGEST = 50, /* we may hold up a rank longer by at most one part in it */
};

/* Blocks that the root of a gather receives at a time, together at most
   MESSAGE_MOST_BYTES: more late ranks are rare. Other blocks wait at their senders, in
   copies. [chosen] */
enum { AT_ONCE = 64 };

/*
 * What is reported (lateness, waits).
 */

/* Not mentioned: waiting for less than the first share of the ranks' time, lacking a
   core for less than the second, and one rank working alone for less than the third
   share of the waiting. [chosen] */
static const double speak_of = 0.01, speak_of_delay = 0.1, speak_of_alone = 0.1;

/* Calls without a token that suffice to tell the time of calls. [chosen] */
enum { ENOUGH_CALLS = 32 };

/* Less waiting than this may be the message itself. [chosen] */
enum { WORTH_BLAME = 5000 };

/* Round trips that measure a hop. [chosen] */
enum { HOP_ROUNDS = 4 };

/* Slots for the times of collective calls: up to a few thousand calls nearly all are
   kept, of more a random sample. [chosen] */
enum { SAMPLES = 1 << 14 };

/* The jitter of a rank's time. [chosen] */
enum { JITTER = 5000 };

/*
 * Polling threads that yield or sleep (patient). [chosen] unless it says otherwise
 */
enum {
    MICROSECOND = 1000,
    MILLISECOND = 1000 * MICROSECOND,

    /* A thread that is to sleep first yields for the time of messages between ranks
       that share a core, which a sleep would delay. A late message is noticed later by
       an eighth of the wait, at most by the longest sleep. */
    YIELDS = 100 * MICROSECOND,
    LATE_PART = 8,
    SHORTEST_SLEEP = 30 * MICROSECOND,
    LONGEST_SLEEP = 1 * MILLISECOND,

    /* A thread that always sleeps first spins for the time of a message that is there
       already. */
    SPIN = 5 * MICROSECOND,

    /* Consecutive looks are closer together. A program that works between two of its
       own looks, such as MPI_Test, must not sleep. */
    LOOK_GAP = MICROSECOND,
    LEAST_WORK = 10 * MICROSECOND, /* the resolution of a thread's usage */

    SWITCH = 2 * MICROSECOND, /* a yield that takes longer let others run */
    TAKEN = MILLISECOND,      /* rival ranks that wait are faster, quotas are not */
    LOOK_WINDOW = MILLISECOND / 2,   /* between two looks at the use of the thread */
    POLLED_ENOUGH = 8 * MILLISECOND, /* polling before a conclusion: two time slices */
    LOST_SHARE = 5, /* share (1 / LOST_SHARE) of the polled time that may be lost on a
                       core of one's own */
};
static const int64_t first_hold = INT64_C(1000) * MILLISECOND,
                     longest_hold = INT64_C(64000) * MILLISECOND;

#endif
