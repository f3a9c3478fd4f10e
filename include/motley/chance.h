/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chance.h - how likely a run takes no longer than it may: predictions have an interval
 * that holds 90 % of the runs, and so 5 % are expected above it. The logarithm of what
 * a run takes over what is predicted is taken for one of Student's distribution with
 * ten degrees of freedom, as the interval rests on few runs.
 */
#ifndef MT_CHANCE_H
#define MT_CHANCE_H

#include "motley/model.h"

MT_C_BEGIN

/* The seconds that a run does not exceed with this chance, from 0.5 on; a chance of 0
   asks for those that are predicted. Where the prediction has no interval, these, too.
 */
double mt_prediction_seconds_at(const struct mt_prediction *prediction, double chance);

/* The chance that a run takes no longer than these seconds; NaN: the prediction has no
   interval. */
double mt_prediction_chance(const struct mt_prediction *prediction, double seconds);

MT_C_END

#endif
