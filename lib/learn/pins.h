/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pins.h - what is known beforehand. Steps at caches of the machine begin a little
 * below the cache's size, and no cache is of use far beyond. That counts as two more
 * samples for each such step, so that runs that say otherwise move it. For messages in
 * stages, where runs may never see one that is alone in a switch, the measured time of
 * a lone one, if known, counts as another sample.
 */
#ifndef MT_LEARN_PINS_H
#define MT_LEARN_PINS_H

#include "form.h"

enum { MT_LEARN_MOST_PINNED = 2 * MT_MAX_CACHE_STEPS + 1 };

/* How many numbers are known beforehand. */
int mt_learn_npinned(const struct mt_learn_form *form,
                     const struct mt_learn_data *data);
/*
 * How far the values are off what is known, in units of `scale` for as much as they may
 * well be. `slopes`, unless NULL, are the derivatives by the coefficients.
 */
void mt_learn_pins_off(double *off, double (*slopes)[MT_LEARN_MAX_COEFFICIENTS],
                       const struct mt_learn_form *form,
                       const struct mt_learn_values *values,
                       const struct mt_learn_data *data, double scale);
/* The weight of the relative error of a byte's time. 0: it is not known. */
double mt_learn_link_weight(const struct mt_learn_form *form,
                            const struct mt_learn_data *data);
/* Put the step where a cache of `bytes` bytes has it. */
void mt_learn_pin(struct mt_learn_values *values, int step, double bytes);

#endif
