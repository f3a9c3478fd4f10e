/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <stdint.h>

/* A step of splitmix64: `state` with `value` mixed in. */
static uint64_t mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
    return state ^ (state >> 31);
}

static uint64_t mix_text(uint64_t state, const char *text)
{
    while (*text)
        state = mix(state, (unsigned char)*text++);
    return mix(state, 0);
}

static double uniform(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

/* Log-normal with a median of 1 (Box and Muller's method). */
static double noise_factor(const struct mt_launch *launch, double deviation)
{
    uint64_t state = mix(launch->seed, (uint64_t)launch->size);
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use *use = &launch->configuration->use[g];
        state = mix(mix(state, (uint64_t)use->nodes), (uint64_t)use->processes);
    }
    const double radius = sqrt(-2 * log(uniform(state)));
    return exp(deviation * radius * cos(2 * M_PI * uniform(mix(state, 1))));
}

static int most_ranks(const struct mt_cluster *cluster)
{
    int ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        ranks += group->nodes * group->processes[group->nprocesses - 1];
    }
    return ranks;
}

static uint64_t lot(uint64_t names, double size, int ranks)
{
    return mix(mix(names, (uint64_t)size), (uint64_t)ranks);
}

/* Whether the launch's (N, P) is a glitch of its program: all pairs that may run, of
   sizes that are measured, draw lots, and the smallest ones are glitches. */
static bool is_glitch(const struct mt_launch *launch)
{
    const struct mt_program *program = launch->program;
    const int most = most_ranks(launch->cluster);
    const uint64_t names = mix_text(mix_text(0, launch->cluster->name), program->name);
    const uint64_t own =
        lot(names, launch->size, mt_configuration_ranks(launch->configuration));

    bool measured = false;
    int smaller = 0;
    for (int i = 0; i < program->nmeasure_sizes; i++) {
        const double size = program->measure_sizes[i];
        measured |= size == launch->size;
        for (int ranks = 1; ranks <= most; ranks++)
            smaller +=
                lot(names, size, ranks) < own && mt_program_valid(program, size, ranks);
    }
    return measured && smaller < launch->cluster->glitches.count;
}

double mt_noise_speed(const struct mt_launch *launch, int group)
{
    const struct mt_cluster *cluster = launch->cluster;
    const double speed = noise_factor(launch, cluster->groups[group].simulate.noise);
    const bool slow = cluster->glitches.count > 0 && is_glitch(launch);
    return slow ? speed / cluster->glitches.slowdown : speed;
}
