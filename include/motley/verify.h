/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - which configurations to run at one size in order to find out, with few
 * runs, which is really the best: the caller makes the runs.
 *
 * The first one is what the models propose. Then each is the one with the largest
 * expected improvement over the best that was run; as evidence about one configuration
 * is evidence about those like it, they lie apart from each other by themselves. When
 * no more than a small improvement is expected, or two runs are left, the best ones
 * are run once more: of many runs the fastest was also a lucky one.
 */
#ifndef MT_VERIFY_H
#define MT_VERIFY_H

#include "motley/calibration.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/fit.h"
#include "motley/plan.h"

#include <stdbool.h>

struct mt_verify_candidate {
    struct mt_configuration configuration;
    int runs;                      /* that succeeded at this size */
    bool failed;                   /* and is not to be run again */
    double log_seconds, deviation; /* expected now, as of mt_calibration_predict() */
};

/* All members are private to the module. Zeroed is empty. */
struct mt_verify {
    struct mt_calibration *evidence; /* borrowed */
    double size;
    struct mt_verify_candidate *candidates; /* owned */
    int count;
    int left;                            /* runs that may still be made */
    int repeats;                         /* that are kept for the best ones */
    struct mt_verify_candidate *running; /* one of them; NULL: none */
};

/*
 * Begin with the configurations of `plan` as candidates, for at most `runs` runs at
 * `size`. Every run is added to `evidence`, which must outlive `verify`; MT_EINVAL when
 * a candidate cannot be predicted. `verify` must be empty.
 */
MT_MUST_CHECK int mt_verify_init(struct mt_verify *verify,
                                 struct mt_calibration *evidence,
                                 const struct mt_plan *plan, double size, int runs,
                                 struct mt_error *err);
void mt_verify_clear(struct mt_verify *verify);

/* Tell of a run that was made before and that the evidence holds already. */
void mt_verify_seen(struct mt_verify *verify, const struct mt_sample *sample);

/*
 * Name the configuration to be run next, none that uses nodes that were left out of the
 * cluster meanwhile; NULL when it is done. What comes of the run is to be told before
 * the next one is asked for.
 */
MT_MUST_CHECK int mt_verify_next(struct mt_verify *verify,
                                 const struct mt_configuration **next,
                                 struct mt_error *err);
/* The run took `seconds` > 0. */
MT_MUST_CHECK int mt_verify_observe(struct mt_verify *verify, double seconds,
                                    struct mt_error *err);
/* The run failed: this configuration is left alone from now on. */
void mt_verify_failed(struct mt_verify *verify);

/* The best of those that were run, by all evidence; NULL: no run succeeded. */
const struct mt_configuration *mt_verify_best(const struct mt_verify *verify);

#endif
