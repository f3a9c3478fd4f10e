/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay.h"

#include <math.h>
#include <string.h>

/* The step of Vigna's splitmix64 generator: every bit of the result depends on every
   bit of the state. */
static uint64_t mix(uint64_t state)
{
    state += 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

/* In 0 < x < 1. */
static double uniform(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) / 9007199254740992.0;
}

/* Standard normal, by Box and Muller. */
static double normal(uint64_t key)
{
    const double pi = 3.14159265358979323846;
    return sqrt(-2 * log(uniform(mix(key)))) * cos(2 * pi * uniform(mix(~key)));
}

static uint64_t key_of(const struct mt_sample *point, int repetition, uint64_t seed)
{
    uint64_t size, key = mix(seed);
    memcpy(&size, &point->size, sizeof size);
    key = mix(key ^ size);
    key = mix(key ^ (uint64_t)repetition);
    for (int group = 0; group < MT_MAX_GROUPS; group++) {
        const struct mt_use *use = &point->configuration.use[group];
        key = mix(key ^ ((uint64_t)use->nodes << 32 | (uint64_t)use->processes));
    }
    return key;
}

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
    run.seconds *= exp(replay->noise * normal(key_of(&run, repetition, replay->seed)));
    return run;
}
