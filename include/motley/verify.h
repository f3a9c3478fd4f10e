/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - which configurations to run at one size in order to find out, with few
 * runs, which is really the best.
 *
 *     mt_verify_init(&verify, &calibration, &plan, size, runs, err)
 *     mt_verify_run(&verify, &experimenter, &end, err)
 *     mt_verify_best(&verify)
 *
 * The first run is of what the models propose. Then come the anchors, unless one is
 * expected to take mt_verify_give_up times as long as the best: all nodes with the
 * fewest processes, all nodes with the most, the fastest group alone on all its nodes,
 * and the fastest single node. Then each run is the one with the largest expected
 * improvement over the best that ran, which counts three times as much for the first
 * run of its groups, as other runs say little about them. When only a small improvement
 * is expected, the fastest mix on a part of the nodes of each set of groups that never
 * ran so is tried if it is expected to take less than 1.1 times as long as the best.
 * Then, or when two runs are left, the best ones are repeated: the fastest of many runs
 * was also a lucky one.
 *
 * With a goal, mt_verify_until(), runs are made until the best is known with that
 * confidence: that none is faster by more than mt_as_good (outlook.h). That needs the
 * anchors and these mixes. Deviations count for as much more as the runs so far lay
 * further from what was expected of them.
 */
#ifndef MT_VERIFY_H
#define MT_VERIFY_H

#include "motley/calibration.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/experiment.h"
#include "motley/outlook.h"
#include "motley/plan.h"
#include "motley/predictor.h"

#include <stdbool.h>

MT_C_BEGIN

enum { MT_VERIFY_MOST = 24 };       /* runs towards a goal, unless others are wanted */
extern const double mt_verify_goal; /* 0.9: the usual one */
/* 10: a run is worth giving up when it takes this many times as long as the best. */
extern const double mt_verify_give_up;

struct mt_verify_candidate {
    struct mt_configuration configuration;
    int set;                   /* of groups used, with their processes per node */
    int runs;                  /* that succeeded at this size */
    bool failed;               /* and is not to be run again */
    double median;             /* of the runs at this size; 0: none */
    double spread;             /* of their logarithms, from the least to the most */
    double seconds, deviation; /* the median, or what is expected now, as of
                                  mt_calibration_predict() */
};

/* A run that succeeded at this size. */
struct mt_verify_run {
    int candidate;
    double seconds;
};

struct mt_verify_set {
    int member;      /* a candidate */
    int groups;      /* the first set of the same groups */
    bool ran;        /* one of its candidates at this size */
    bool groups_ran; /* of the first set: one with these groups, ... */
    bool part_ran;   /* ... on a part of their nodes */
};

/* All members are private to the module. Zeroed is empty. */
struct mt_verify {
    struct mt_calibration *calibration; /* borrowed */
    double size;
    double made_at; /* the size of the runs, if it is another one; 0: it is not */
    bool once;      /* nothing is run again */
    struct mt_verify_candidate *candidates; /* owned */
    int count;
    struct mt_verify_set *sets; /* owned */
    int nsets;
    struct mt_verify_run *made; /* owned */
    int nmade;
    int left;    /* runs that may still be made */
    int repeats; /* that are kept for the best ones */
    double goal; /* confidence that is wanted; 0: runs are the only limit */
    struct mt_verify_candidate *fastest_near; /* of what was run at the size nearest to
                                                 this one; NULL: too little was */
    int observed;                             /* runs, and ... */
    double surprises; /* ... the sum of their squared errors, in deviations */
};

/*
 * Begin with the configurations of `plan` as candidates, for at most `runs` runs at
 * `size`. Every run is added to `calibration`, which must outlive `verify`; MT_EINVAL
 * when a candidate cannot be predicted. `verify` must be empty.
 */
MT_MUST_CHECK int mt_verify_init(struct mt_verify *verify,
                                 struct mt_calibration *calibration,
                                 const struct mt_plan *plan, double size, int runs,
                                 struct mt_error *err);
void mt_verify_clear(struct mt_verify *verify);

/* Go on until the best is known with this confidence, as far as the runs allow. */
void mt_verify_until(struct mt_verify *verify, double confidence);

/* Tell of the runs that were made before, of the predictor whose calibration it is:
   what is left to be tried, and what was the fastest at the nearest size, which is
   tried whatever the models say of it. */
MT_MUST_CHECK int mt_verify_recall(struct mt_verify *verify,
                                   const struct mt_predictor *predictor,
                                   struct mt_error *err);

/*
 * Make the runs that are proposed, and say why that ended: MT_END_SETTLED when none
 * promises enough, or the goal is reached, MT_END_RUNS_USED, or MT_END_STOPPED. None
 * uses nodes that were left out of the cluster meanwhile, and none is of a
 * configuration that failed.
 */
MT_MUST_CHECK int mt_verify_run(struct mt_verify *verify,
                                const struct mt_experimenter *experimenter,
                                enum mt_end *end, struct mt_error *err);
/* The steps that mt_verify_run() repeats, for those who cannot be called back. */
MT_MUST_CHECK int mt_verify_next(struct mt_verify *verify, struct mt_proposal *next,
                                 enum mt_end *end, struct mt_error *err);
MT_MUST_CHECK int mt_verify_observe(struct mt_verify *verify,
                                    const struct mt_proposal *proposal,
                                    const struct mt_observation *observation,
                                    struct mt_error *err);

/* The fastest of those that ran, by their medians; NULL: no run succeeded. */
const struct mt_configuration *mt_verify_best(const struct mt_verify *verify);

/* How well that is known; zeros when no run succeeded. */
MT_MUST_CHECK int mt_verify_outlook(const struct mt_verify *verify,
                                    struct mt_outlook *outlook, struct mt_error *err);

MT_C_END

#endif
