/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forecast.h - what a design is expected to run yet, and how long that takes.
 */
#ifndef MT_FORECAST_H
#define MT_FORECAST_H

#include "motley/design.h"
#include "motley/error.h"
#include "motley/experiment.h"

/* The runs that are expected to come, in order, as far as can be told now: the design
   is carried on with the expected times. Zeroed is empty. */
struct mt_forecast {
    struct mt_proposal *runs; /* owned; without the probes */
    int count;
    int probes;     /* and so many probes, when the base is through, ... */
    double size;    /* ... at this size */
    double seconds; /* of all of them; NaN: nothing is known of speeds yet, ... */
    int cheap;      /* ... but is after so many runs, the cheap half of the base */
    int classes;    /* groups by processes per node */
    int uncovered;  /* of them those that these runs do not see on all their nodes */
};
MT_MUST_CHECK int mt_design_forecast(struct mt_forecast *forecast,
                                     const struct mt_design *design,
                                     struct mt_error *err);
void mt_forecast_clear(struct mt_forecast *forecast);

#endif
