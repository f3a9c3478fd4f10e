/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pins.h - what is known beforehand of steps at caches of the machine: that they begin
 * a little below the cache's size, and that no cache is of use far beyond. It counts as
 * two more samples for each such step, so that runs that say otherwise move it.
 */
#ifndef MT_LEARN_PINS_H
#define MT_LEARN_PINS_H

#include "form.h"

enum { MT_LEARN_MOST_PINNED = 2 * MT_MAX_CACHE_STEPS };

/* How many numbers are known beforehand. */
int mt_learn_npinned(const struct mt_learn_form *form);
/*
 * By how much the values are off what is known, in units of `scale` for as much as they
 * may well be. `slopes`, unless NULL, are the derivatives by the coefficients.
 */
void mt_learn_pins_off(double *off, double (*slopes)[MT_LEARN_MAX_COEFFICIENTS],
                       const struct mt_learn_form *form,
                       const struct mt_learn_values *values, const double *caches,
                       double scale);
/* Put the step where a cache of so many bytes has it. */
void mt_learn_pin(struct mt_learn_values *values, int step, double bytes);

#endif
