/* SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

#include <math.h>

uint64_t random_mix(uint64_t state)
{
    state += 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

double random_uniform(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) / 9007199254740992.0;
}

/* By Box and Muller. */
double random_normal(uint64_t key)
{
    const double pi = 3.14159265358979323846;
    return sqrt(-2 * log(random_uniform(random_mix(key)))) *
           cos(2 * pi * random_uniform(random_mix(~key)));
}

struct random random_make(uint64_t seed, const char *purpose)
{
    struct random random = {random_mix(seed)};
    for (; *purpose; purpose++)
        random.state = random_mix(random.state ^ (unsigned char)*purpose);
    return random;
}

static double next(struct random *random)
{
    random->state = random_mix(random->state);
    return random_uniform(random->state);
}

double random_between(struct random *random, double low, double high)
{
    return low + (high - low) * next(random);
}

double random_log_between(struct random *random, double low, double high)
{
    return low * pow(high / low, next(random));
}

int random_integer(struct random *random, int low, int high)
{
    return low + (int)((high - low + 1) * next(random));
}

bool random_chance(struct random *random, double probability)
{
    return next(random) < probability;
}
