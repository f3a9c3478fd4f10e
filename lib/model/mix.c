/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of a configuration of several groups, added up group by group. */
#include "mix.h"

#include <math.h>

enum { SERIAL_BITS = 36 }; /* of a configuration's serial seconds: eleven digits */

void mt_mix_even_out(double lambda, double *parallel, double *serial)
{
    *serial += lambda * *parallel;
    *parallel *= 1 - lambda;
}

void mt_mix_add(struct mt_mix *mix, double parallel, double serial, double share)
{
    mix->parallel = fmax(mix->parallel, parallel);
    mix->serial += share * serial;
}

double mt_mix_seconds(const struct mt_mix *mix)
{
    int exponent;
    const double fraction = frexp(mix->serial, &exponent);
    return mix->parallel + mix->between +
           ldexp(nearbyint(ldexp(fraction, SERIAL_BITS)), exponent - SERIAL_BITS);
}
