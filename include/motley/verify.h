/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.h - which configurations to run at one size in order to find out, with few
 * runs, which is really the best.
 *
 *     mt_verify_init(&verify, &calibration, &plan, size, runs, err)
 *     mt_verify_run(&verify, &experimenter, &end, err)
 *     mt_verify_best(&verify)
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
#include "motley/experiment.h"
#include "motley/plan.h"
#include "motley/predictor.h"

#include <stdbool.h>

struct mt_verify_candidate {
    struct mt_configuration configuration;
    int runs;                  /* that succeeded at this size */
    bool failed;               /* and is not to be run again */
    double seconds, deviation; /* expected now, as of mt_calibration_predict() */
};

/* All members are private to the module. Zeroed is empty. */
struct mt_verify {
    struct mt_calibration *calibration; /* borrowed */
    double size;
    struct mt_verify_candidate *candidates; /* owned */
    int count;
    int left;    /* runs that may still be made */
    int repeats; /* that are kept for the best ones */
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

/* Tell of the runs that were made before, of the predictor whose calibration it is. */
void mt_verify_recall(struct mt_verify *verify, const struct mt_predictor *predictor);

/*
 * Make the runs that are proposed, and say why that ended: MT_END_SETTLED when none
 * promises enough, MT_END_RUNS_USED, or MT_END_STOPPED. None uses nodes that were left
 * out of the cluster meanwhile, and none is of a configuration that failed.
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

/* The best of those that were run, by all that is known; NULL: no run succeeded. */
const struct mt_configuration *mt_verify_best(const struct mt_verify *verify);

#endif
