/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrivals.h - which ranks were late in one collective call, from the time that each
 * rank spent in it; and which calls are looked at, the same on all ranks. No clocks are
 * compared. Ranks that cannot leave before all have come leave together, so the one
 * that came last was in the call for the shortest time, and the longer a rank was in
 * it, the earlier it came. If some ranks leave a call before others come, the time
 * since all last left such a call together tells the order of arrival.
 */
#ifndef MT_BALANCE_ARRIVALS_H
#define MT_BALANCE_ARRIVALS_H

#include "preload/tuning.h"

#include <stdbool.h>
#include <stdint.h>

/* What can be inferred from a rank's time in a call. */
enum role {
    ROLE_ALL,  /* no rank leaves before all have come */
    ROLE_LEAF, /* this rank does not leave before the root has come */
    ROLE_ROOT, /* this is the root */
    ROLE_SOME, /* some wait for some others: not who is late */
    ROLES
};

struct arrival {
    int rank;
    enum role role;
    int64_t time; /* ns in the call */
    /* ns from its last call of the MPI to this one; ROLE_SOME: from when all ranks last
       were together, -1: not known */
    int64_t before;
    /* Results, in ns: */
    int64_t waited; /* how much longer in the call than the rank that spent least time
                       in it */
    int64_t late;   /* came later than half of the ranks had; 0: in time */
    int64_t cost;   /* what the others waited because of it */
    int64_t alone;  /* of the cost: the others had nothing to do meanwhile */
};

/*
 * Judge all ranks of one call; changes their order. A rank is late if it came later
 * than the median rank by more than the call itself takes plus the median rank's lead
 * over the first. While some have come and others not, the first wait for the others,
 * who share the cost equally; for ROLE_SOME in proportion to their lateness, as it is
 * unknown who waits for whom.
 */
void arrivals_judge(struct arrival *arrivals, int n);

/*
 * The times of some collective calls.
 *
 * Each call has a key without a pattern that all its ranks know without asking each
 * other. It falls into a slot, where the least key stays: so of the keys that any rank
 * keeps in a slot the least of all is kept by all ranks of that call. Up to a few
 * thousand calls nearly all are kept; of more, a random choice.
 */
#define NO_KEY UINT64_MAX

struct sample {
    uint64_t key;   /* NO_KEY: the slot is empty */
    int64_t time;   /* ns in the call */
    int64_t before; /* as in struct arrival */
    int64_t from;   /* ns from the begin of the rank's timeline */
    int site;       /* which one of the counts */
    int role;       /* enum role */
};

/* Empty; NULL when memory is short. The caller frees them. */
struct sample *samples_new(void);
void samples_put(struct sample *samples, const struct sample *sample);

#endif
