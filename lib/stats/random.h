/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.h - the splitmix64 generator (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014). The same numbers on every machine.
 * Inline, so that applications and preloaded libraries need not link anything.
 */
#ifndef MT_STATS_RANDOM_H
#define MT_STATS_RANDOM_H

#include <stdint.h>

#define MT_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The generator's output function: every bit of it depends on all bits of the state. */
static inline uint64_t mt_random_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

/* The next number of the sequence; `state` starts as the seed. */
static inline uint64_t mt_random_next(uint64_t *state)
{
    return mt_random_mix(*state += MT_RANDOM_STEP);
}

/* The `index`-th number of the sequence with the seed 0. */
static inline uint64_t mt_random_at(uint64_t index)
{
    return mt_random_mix(index * MT_RANDOM_STEP);
}

/* The first number of the sequence with that seed: a hash. */
static inline uint64_t mt_random_hash(uint64_t seed)
{
    return mt_random_next(&seed);
}

/* The number in [0, 1) of random bits. */
static inline double mt_random_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* In (0, 1), for logarithms. */
static inline double mt_random_open(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

#endif
