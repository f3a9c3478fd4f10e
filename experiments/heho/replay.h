/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.h - runs made of recorded truth: its seconds with the noise of a run. The same
 * seed gives the same runs, whatever else was run before.
 */
#ifndef HEHO_REPLAY_H
#define HEHO_REPLAY_H

#include "recorded.h"

#include <stdint.h>

struct replay {
    const struct recorded *recorded; /* borrowed */
    double noise;                    /* standard deviation of the seconds' logarithm */
    uint64_t seed;
};

/* The noise of runs on the recorded cluster, where `noise` is asked for: a cluster that
   is noisy itself is never less so. */
double replay_noise(const struct recorded *recorded, double noise);

/* The run of a point: the repetition is any number, and says which. */
struct mt_sample replay_run(const struct replay *replay, int point, int repetition);

#endif
