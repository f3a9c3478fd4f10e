/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pins.h - prior knowledge as samples. Steps at caches of the machine begin a little
 * below the cache's size, and no cache helps far beyond it. Each such step adds two
 * samples, so that contrary runs can move it. For messages in stages, where runs may
 * never have one alone in a switch, the measured time of a lone one, if known, is
 * another sample.
 */
#ifndef MT_LEARN_PINS_H
#define MT_LEARN_PINS_H

#include "form.h"

enum { MT_LEARN_MOST_PINNED = 2 * MT_MAX_CACHE_STEPS + 1 };

/* The number of samples of prior knowledge. */
int mt_learn_npinned(const struct mt_learn_form *form,
                     const struct mt_learn_data *data);
/*
 * The residuals of the values from prior knowledge; one standard deviation is `scale`.
 * `slopes`, unless NULL, are the derivatives by the coefficients.
 */
void mt_learn_pins_off(double *off, double (*slopes)[MT_LEARN_MAX_COEFFICIENTS],
                       const struct mt_learn_form *form,
                       const struct mt_learn_values *values,
                       const struct mt_learn_data *data, double scale);
/* The weight of the relative error of a byte's time. 0: unknown. */
double mt_learn_link_weight(const struct mt_learn_form *form,
                            const struct mt_learn_data *data);
/* Put the step at its place for a cache of `bytes` bytes. */
void mt_learn_pin(struct mt_learn_values *values, int step, double bytes);

#endif
