/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - the agreement of a communicator's ranks: which ranks are late, and for which
 * sizes of messages our trees replace the MPI's own broadcast. They do so only if
 * enough ranks have reported times of both, and ours is shorter by more than the noise.
 *
 * The plan is the whole memory of the adaptation: the next leader continues from it.
 * The leader decides by the reports that it has received, and broadcasts the plan;
 * nothing here communicates.
 */
#ifndef MT_BALANCE_PLAN_H
#define MT_BALANCE_PLAN_H

#include "preload/bcast/tree/search.h"
#include "preload/common/measured.h"

/* Messages of a class are alike: more than half of 2^class bytes, up to that. */
enum { PLAN_CLASSES = 27 }; /* up to 64 MiB: MESSAGE_MOST_BYTES */

enum plan_mode {
    PLAN_TRY_NATIVE, /* the MPI's broadcast, until its time is known */
    PLAN_NATIVE,     /* the MPI's broadcast */
    PLAN_TRY_OWN,    /* our trees, for a few calls, to compare */
    PLAN_OWN,        /* our trees */
};

struct plan_class {
    struct measured own, native; /* over the ranks, once enough have reported */
    int64_t look;                /* call at which the other way is tried again */
    int64_t began;               /* call at which the last try began */
    int32_t mode;                /* enum plan_mode */
    int32_t looks;               /* number of tries, which become rarer */
    int32_t waits; /* 1: parents wait for late ranks, as copies for them get stuck */
    int32_t tries; /* plans for the class since `began` */
};

struct plan {
    int64_t call;      /* at which it was made */
    int32_t interval;  /* calls until the next one */
    int32_t version;   /* of `ready`, and of the ways of all classes */
    int32_t futile;    /* times in a row that new trees were no better */
    int32_t on;        /* 0: the program has switched the library off */
    int32_t steps;     /* plans in a row without a change */
    int32_t replanned; /* 1: the trees are new */
    struct plan_class classes[PLAN_CLASSES];
};

/* One rank's report to the leader on the calls of one class since the last plan, either
   all by our trees or all by the MPI's own broadcast. Times are medians of the first
   few. */
struct rank_report {
    int64_t plan;    /* the call at which the plan was made */
    int32_t version; /* of the plan */
    int32_t class;   /* that they were of */
    int32_t calls;   /* with any root; 0: none */
    int32_t waits;   /* of them, those with the leader as root */
    int64_t waited;  /* ns in these until the first bytes; meaningless without our
                        trees */
    int64_t in_call; /* ns in all of them */
    int64_t spread;  /* ns between the shortest and the longest */
};

/* Memory for making plans, on any rank that may lead: allocated once, so that a plan
   cannot fail. Empty if zeroed. */
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
    struct rank_report *reports; /* [size]; `calls` becomes 0 once counted */
    const struct tree *tree;     /* that the calls took, if any */
    int64_t call;
    int leader, class; /* reported waits are those of calls with that root */
    bool on;           /* what the program wants */
};

void plan_init(struct plan *plan);

/* The class of a message, and the bytes that represent the class. */
int plan_class(size_t bytes);
size_t plan_class_bytes(int size_class);

/* Whether messages of the class take our trees. */
bool plan_uses_own(const struct plan *plan, int size_class);

/* Whether a parent waits until its late child has taken a message of the class. */
bool plan_waits_for_late(const struct plan *plan, int size_class);

/*
 * Make the next plan; `ready` ([size], ns after the leader) is changed if other trees
 * pay. Returns whether it was.
 */
bool plan_next(struct plan *plan, int64_t *ready, const struct plan_basis *basis);

/*
 * Estimates when ranks enter a broadcast from the time that each waits in it.
 *
 * A rank that waits came before its message, so its arrival is known. A rank that
 * hardly waits came after its message and cannot know how late it was, but its children
 * waited for it. So each rank's lateness is its wait less the part inherited from the
 * ranks above it in the tree. Times are local durations only.
 *
 * In arrival.c.
 */

/* The wait of a rank without a report. */
#define ARRIVAL_UNKNOWN (-1)

/*
 * Estimate when each rank enters a call, in ns after the root does, when a message of
 * `bytes` goes down `tree` and rank i waits `waited[i]` ns in it for its first bytes.
 * `ready` holds the last estimate and takes the new one: where the waits show nothing,
 * as for a late leaf, the last one stays unless they contradict it.
 */
void arrival_estimate(int64_t *ready, const int64_t *waited, const struct tree *tree,
                      struct planner *planner, int root, size_t bytes);

#endif
