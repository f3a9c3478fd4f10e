/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.h - random numbers of the studies: the same everywhere for the same seed.
 */
#ifndef EXPERIMENTS_RANDOM_H
#define EXPERIMENTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The step of Vigna's splitmix64 generator: every bit of the result depends on every
   bit of the state. */
uint64_t random_mix(uint64_t state);
/* In 0 < x < 1. */
double random_uniform(uint64_t bits);
/* Standard normal; a key gives always the same. */
double random_normal(uint64_t key);

/* One number after the other. */
struct random {
    uint64_t state;
};
struct random random_make(uint64_t seed, const char *purpose);
/* In low .. high, evenly, and evenly in the logarithm. */
double random_between(struct random *random, double low, double high);
double random_log_between(struct random *random, double low, double high);
/* One of low, low + 1, ..., high. */
int random_integer(struct random *random, int low, int high);
bool random_chance(struct random *random, double probability);

#endif
