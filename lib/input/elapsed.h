/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elapsed.h - the time where g(P) is known, as it is the same at all sizes.
 * Inline, for a surface is made of very many times.
 */
#ifndef MT_ELAPSED_H
#define MT_ELAPSED_H

#include "motley/components.h"

#include <math.h>

/* mt_byte_time(). */
static inline double mt_byte_time_at(const struct mt_bandwidth *bandwidth, double bytes,
                                     double contention)
{
    if (bandwidth->base == 0)
        return 0;
    const double growth = bandwidth->half > 0 ? 1 + bytes / bandwidth->half : 1;
    return contention * growth / bandwidth->base;
}

/* The length of a message that counts. Of a part that some processes share, the
   messages of these alone even out: where there are more processes, some share it with
   long ones only. */
static inline double mt_message_bytes(const struct mt_bandwidth *bandwidth,
                                      const struct mt_demand *demand)
{
    const bool shares = bandwidth->contention == MT_CONTENTION_SHARED;
    const bool evens_out =
        bandwidth->evens_out && !(shares && demand->ranks > bandwidth->strength);
    return evens_out ? demand->mean_bytes : demand->bytes;
}

/* mt_components_time(). */
static inline struct mt_elapsed mt_components_time_at(
    const struct mt_components *components, const struct mt_demand *demand,
    double contention)
{
    const double bytes = mt_message_bytes(&components->bandwidth, demand);
    const double byte = mt_byte_time_at(&components->bandwidth, bytes, contention);
    const double compute =
        demand->steps * mt_step_cost(components, demand->working_set);
    const double communicate = demand->messages * (components->latency + bytes * byte);
    return (struct mt_elapsed){
        .compute = compute,
        .communicate = communicate,
        .total =
            components->overlap ? fmax(compute, communicate) : compute + communicate,
    };
}

#endif
