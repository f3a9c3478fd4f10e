/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlook.h - how well the best of some configurations is known, by the joint
 * distribution of their true times: whether runs at that size are worth while.
 */
#ifndef MT_OUTLOOK_H
#define MT_OUTLOOK_H

#include "motley/calibration.h"
#include "motley/configuration.h"
#include "motley/error.h"

MT_C_BEGIN

/* What is not slower than the fastest by a larger share than this is as good. */
extern const double mt_as_good; /* 0.036 */

/* Configurations that may be the fastest at one size. */
struct mt_contest {
    const struct mt_calibration *calibration;
    double size;
    /* Different ones, of which the first is judged; borrowed. */
    const struct mt_configuration *configurations;
    int count;    /* at least 1 */
    double scale; /* of their deviations; 1: as they are calibrated */
};

struct mt_outlook {
    double confidence; /* the probability that the first is as good as the fastest */
    double gain;       /* the share of its time that the fastest is expected to save */
};

/* By draws of the true times; the same contest has the same outlook. */
MT_MUST_CHECK int mt_outlook_find(struct mt_outlook *outlook,
                                  const struct mt_contest *contest,
                                  struct mt_error *err);

MT_C_END

#endif
