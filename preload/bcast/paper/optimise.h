/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * optimise.h - the decisions of bcast=paper, by numbers alone: no MPI in here.
 *
 * Equations and thresholds are those of Soga et al., "Dynamic Optimization of Load
 * Balance in MPI Broadcast" (2008); `sparse` are those of its benchmark 2, the sparse
 * product, all else those of 1. Times are in nanoseconds.
 */
#ifndef MT_BALANCE_PAPER_OPTIMISE_H
#define MT_BALANCE_PAPER_OPTIMISE_H

#include "preload/tuning.h"

#include <stdbool.h>
#include <stdint.h>

/* Equation (1) with i = 1: the mean of the value so far and of the latest wait. */
int64_t paper_smooth(int64_t value, int64_t waited);

/* Sparse: the mean of three consecutive waits within 6.25 % of the least; -1: not
   within. */
int64_t paper_steady(const int64_t waited[3]);

/* Whether a value is to be sent: it and the one sent last differ by 50 % or more of the
   smaller one. (Half of the value sent last would miss a wait that has just ended: the
   first mean is still a little more than half.) */
bool paper_worth_sending(int64_t sent, int64_t value);

/* Broadcasts between two rounds: twice as many when the ranks' total wait has changed
   by 25 % or less since the last one, otherwise half as many, except if sparse. At
   least 1. */
int paper_interval(int interval, int64_t last_total, int64_t total, bool sparse);

/* The result of a round, which all ranks receive. */
struct paper_round {
    int interval; /* broadcasts until the one that ends with the next round */
    int swap[2];  /* ranks to swap; twice the same: none */
};

/* A candidate for a swap with the rank that waits longest. */
struct paper_candidate {
    int rank;
    int sends; /* children in the tree */
    int depth;
};

/* The optimiser's state between rounds. */
struct paper_optimiser {
    int size;
    bool sparse;
    int interval;
    int64_t last_total; /* total wait at the last round */
    int64_t basis;      /* total wait before the swap that was tried last */
    int root;           /* whose broadcast the candidates are for */
    int most;           /* the rank that waits longest: each candidate's partner */
    struct paper_candidate *candidates; /* owned; [count], best first */
    int count;
    int next;      /* candidate to be tried, or on trial */
    bool on_trial; /* swapped in the last round, and not judged yet */
};

/* False: memory is short. */
bool paper_optimiser_init(struct paper_optimiser *optimiser, int size, bool sparse);
void paper_optimiser_free(struct paper_optimiser *optimiser);

/*
 * One round: `wait[rank]` is the last value from the rank, `place[rank]` its virtual
 * rank, `root` the root of the broadcast, which keeps its place. At most one pair is
 * swapped; if the last round's swap increased the total, it is undone.
 */
struct paper_round paper_optimise(struct paper_optimiser *optimiser,
                                  const int64_t *wait, const int *place, int root);

#endif
