/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - the noise of runs that are made of true times.
 */
#ifndef EXPERIMENTS_NOISE_H
#define EXPERIMENTS_NOISE_H

#include "motley/configuration.h"

#include <stdint.h>

/* What a run's seconds are multiplied by: log-normal, with a median of 1 and this
   deviation of its logarithm. The repetition is any number, and says which run it is:
   the same ones give the same factor, whatever else was run before. */
double noise_factor(double deviation, const struct mt_configuration *configuration,
                    double size, int repetition, uint64_t seed);

#endif
