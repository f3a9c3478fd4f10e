/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrivals.h - which ranks were late in one collective call, from the time that each
 * rank spent in it; and which calls are sampled, the same on all ranks.¶No clocks are
 * compared. Ranks that cannot leave before all have come leave together, so the one
 * that came last was in the call for the shortest time, and the longer a rank was in
 * it, the earlier it came. If some ranks leave a call before others come, the time
 * since all last left such a call together gives the order of arrival.
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
    ROLE_SOME, /* some wait for some others: shows no lateness */
    ROLES
};

struct arrival {
    int rank;
    enum role role;
    int64_t time; /* ns in the call */
    /* ns from its last call of the MPI to this one; ROLE_SOME: from the last time that
       all ranks were together, -1: unknown */
    int64_t before;
    /* Results, in ns: */
    int64_t waited; /* excess time in the call over the rank with the shortest */
    int64_t late;   /* lateness after the median rank; 0: in time */
    int64_t cost;   /* waiting of the others because of it */
    int64_t alone;  /* of the cost: the others were idle in the meantime */
};

/*
 * Judge all ranks of one call; changes their order. A rank is late if it came later
 * than the median rank by more than the call itself takes plus the median rank's lead
 * over the first. While some have come and others not, the former wait for the latter,
 * which share the cost equally; for ROLE_SOME in proportion to their lateness, as it is
 * unknown which rank waits for which.
 */
void arrivals_judge(struct arrival *arrivals, int n);

/*
 * The times of some collective calls.
 *
 * Each call has a pseudo-random key that all its ranks know without communication. The
 * key falls into a slot, where the least key stays, so the least key that any rank
 * keeps in a slot is kept by all ranks of that call. Up to a few thousand calls nearly
 * all are kept; of more, a random sample.
 */
#define NO_KEY UINT64_MAX

struct sample {
    uint64_t key;   /* NO_KEY: the slot is empty */
    int64_t time;   /* ns in the call */
    int64_t before; /* as in struct arrival */
    int64_t from;   /* ns from the begin of the rank's timeline */
    int site;       /* index of the site in the counts */
    int role;       /* enum role */
};

/* Empty; NULL when memory is short. The caller frees them. */
struct sample *samples_new(void);
void samples_put(struct sample *samples, const struct sample *sample);

#endif
