/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay.h"

#include "experiments/common/noise.h"

#include <math.h>

double replay_noise(const struct recorded *recorded, double noise)
{
    const struct mt_cluster *cluster = &recorded->inputs.cluster;
    for (int group = 0; group < cluster->ngroups; group++)
        noise = fmax(noise, cluster->groups[group].simulate.noise);
    return noise;
}

struct mt_sample replay_run(const struct replay *replay, int point, int repetition)
{
    struct mt_sample run = replay->recorded->points[point];
    run.seconds *= noise_factor(replay->noise, &run.configuration, run.size, repetition,
                                replay->seed);
    return run;
}
