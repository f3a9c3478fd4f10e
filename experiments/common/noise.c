/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include "random.h"

#include <math.h>
#include <string.h>

double noise_factor(double deviation, const struct mt_configuration *configuration,
                    double size, int repetition, uint64_t seed)
{
    uint64_t bits, key = random_mix(seed);
    memcpy(&bits, &size, sizeof bits);
    key = random_mix(key ^ bits);
    key = random_mix(key ^ (uint64_t)repetition);
    for (int group = 0; group < MT_MAX_GROUPS; group++) {
        const struct mt_use *use = &configuration->use[group];
        key = random_mix(
            key ^ ((uint64_t)use->nodes << 32 | (uint64_t)use->layout.processes));
    }
    return exp(deviation * random_normal(key));
}
