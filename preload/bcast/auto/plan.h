/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - what the ranks of a communicator have agreed upon: who is late, and for
 * which sizes of messages trees of ours are used rather than the MPI's own broadcast:
 * for those where enough ranks have told what both take, and ours takes less by more
 * than the noise. Nothing else is reason enough.
 *
 * The plan is the whole memory of the adaptation: whichever rank leads next goes on
 * from it. Decisions are made by the leader from what it has heard, and broadcast;
 * nothing here communicates.
 */
#ifndef MT_BALANCE_PLAN_H
#define MT_BALANCE_PLAN_H

#include "preload/bcast/tree/search.h"
#include "preload/common/measured.h"

/* Messages of a class are alike: more than half of 2^class bytes, up to that. */
enum { PLAN_CLASSES = 27 }; /* up to 64 MiB: MESSAGE_MOST_BYTES */

enum plan_mode {
    PLAN_TRY_NATIVE, /* the MPI's broadcast, until it is known what that takes */
    PLAN_NATIVE,     /* the MPI's broadcast */
    PLAN_TRY_OWN,    /* our trees, for a few calls, to compare */
    PLAN_OWN,        /* our trees */
};

struct plan_class {
    struct measured own, native; /* over the ranks, by what enough have told */
    int64_t look;                /* call at which the other way is tried again */
    int64_t began;               /* call at which the last try began */
    int32_t mode;                /* enum plan_mode */
    int32_t looks;               /* how often that was done: it becomes rarer */
    int32_t waits; /* 1: late ranks are waited for, as copies for them get stuck */
    int32_t tries; /* plans for the class since `began` */
};

struct plan {
    int64_t call;      /* that it was made at */
    int32_t interval;  /* calls until the next one */
    int32_t version;   /* of `ready`, and of what is used for each class */
    int32_t futile;    /* times in a row that new trees were no better */
    int32_t on;        /* 0: the program has switched the library off */
    int32_t steps;     /* plans in a row without a change */
    int32_t replanned; /* 1: the trees are new */
    struct plan_class classes[PLAN_CLASSES];
};

/* One rank's report to the leader on the calls of one class since the last plan, all of
   which took our trees, or all the MPI's own broadcast. Times are medians of the first
   few. */
struct rank_report {
    int64_t plan;    /* the call that the plan was made at */
    int32_t version; /* of the plan */
    int32_t class;   /* that they were of */
    int32_t calls;   /* whatever their root; 0: none */
    int32_t waits;   /* of them, those with the leader as root */
    int64_t waited;  /* ns in these for the first bytes; of no use without our trees */
    int64_t in_call; /* ns in all of them */
    int64_t spread;  /* ns between the shortest and the longest */
};

/* Memory for making plans, on any rank that may lead: allocated once, so that a plan
   cannot fail. Zeroed is empty. */
struct planner {
    struct search search;
    struct tree best;
    int64_t *arrivals, *waited, *hop, *estimate; /* owned; [size] */
    struct sight *sight;                         /* owned; [size] */
};

/* 0, or -1 when memory is short on this rank. As for search_init(). */
int planner_init(struct planner *planner, const struct network *network);
void planner_free(struct planner *planner);

/* The input of a plan. */
struct plan_basis {
    const struct network *network;
    struct planner *planner;
    struct rank_report *reports; /* [size]; no calls any more once they are counted */
    const struct tree *tree;     /* that the calls took, if any did */
    int64_t call;
    int leader, class; /* what was heard of waits is of calls with that root */
    bool on;           /* what the program wants */
};

void plan_init(struct plan *plan);

/* The class of a message, and the bytes that stand for all of the class. */
int plan_class(size_t bytes);
size_t plan_class_bytes(int size_class);

/* Whether messages of the class take trees of ours. */
bool plan_uses_own(const struct plan *plan, int size_class);

/* Whether a parent waits until its late child has taken a message of the class. */
bool plan_waits_for_late(const struct plan *plan, int size_class);

/*
 * Make the next plan; `ready` ([size], ns after the leader) is changed when other
 * trees are worth it. Returns whether it was.
 */
bool plan_next(struct plan *plan, int64_t *ready, const struct plan_basis *basis);

/*
 * When ranks enter a broadcast, read off how long each waits in it.
 *
 * A rank that waits came before its message: its arrival is known. One that hardly
 * waits came when the message lay there already: how late it was it cannot know, but
 * the ranks that it sends to waited for it. Each rank's lateness is thus its wait less
 * what it inherited from those above it in the tree. Times are local durations only.
 *
 * In arrival.c.
 */

/* The wait of a rank that nothing was heard of. */
#define ARRIVAL_UNKNOWN (-1)

/*
 * Estimate when each rank enters a call, in ns after the root does, when a message of
 * `bytes` goes down `tree` and rank i waits `waited[i]` ns in it for its first bytes.
 * `ready` holds the last estimate and takes the new one: where the waits tell nothing -
 * a late leaf - the last one stays, as far as they do not speak against it.
 */
void arrival_estimate(int64_t *ready, const int64_t *waited, const struct tree *tree,
                      struct planner *planner, int root, size_t bytes);

#endif
