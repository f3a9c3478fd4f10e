/* SPDX-License-Identifier: BSD-3-Clause */
/* The total time of a run by the components of a machine. */
#include "elapsed.h"

#include "relay.h"

#include <math.h>

/* The seconds of a lone message without its latency, and the part of them due to its
   bytes. */
struct way {
    double alone, shared;
};

static struct way find_way(const struct mt_components *components, double bytes)
{
    const double header = components->wiring.header,
                 as = header +
                      mt_length_as(components->lengths, components->nlengths, bytes),
                 own = header + mt_length_of_bytes(components->lengths,
                                                   components->nlengths, bytes),
                 byte = mt_byte_time_at(&components->bandwidth, as, 1);
    return (struct way){byte * as, byte * fmin(own, as)};
}

double mt_followed_seconds(const struct mt_components *components,
                           const struct mt_demand *demand, double compute)
{
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    const bool is_grid = mt_is_grid(demand);
    const double rows = demand->rows > 0 ? demand->rows : 1,
                 mean = demand->rows > 0 ? demand->mean_bytes : demand->bytes;
    struct mt_relay relay = {
        .ranks = demand->ranks,
        .edge = is_grid ? round(mt_together(demand)) : 0,
        .rows = rows,
        .messages = demand->messages,
        .compute = compute,
        .add = demand->steps > 0
                   ? compute / demand->steps * demand->bytes / sizeof(double)
                   : 0,
        .latency = components->latency,
        .hop = components->hop,
        .room = mt_followed_room(bandwidth, &components->wiring, demand->ranks),
        .wiring = &components->wiring,
        .counted = mt_are_counted(bandwidth->contention),
        .bytes = demand->bytes,
    };
    for (int i = 0; i < 3; i++) {
        const double longer = ceil(rows) / rows, shorter = floor(rows) / rows;
        double share = i > 0 ? longer : shorter;
        if (is_grid)
            share *= i > 1 ? longer : shorter;
        const struct way way = find_way(components, mean * share);
        const bool tight = mt_is_tight(bandwidth, demand);
        relay.way[i] = tight ? way.shared : way.alone;
        if (i == 1 && tight)
            relay.latency += way.alone - way.shared;
    }
    return mt_relay_seconds(&relay);
}

struct mt_conditions mt_find_conditions(const struct mt_components *components,
                                        const struct mt_demand *demand)
{
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    const bool counted = mt_are_counted(bandwidth->contention);
    struct mt_meeting meeting = {0};
    if (components->hop > 0 || counted)
        mt_meeting_find(&meeting, &components->wiring, demand);
    return (struct mt_conditions){
        .contention = counted ? mt_meeting_factor(&meeting, bandwidth->strength)
                              : mt_contention_factor(bandwidth, mt_together(demand)),
        .hops = meeting.hops,
    };
}

struct mt_elapsed mt_components_time(const struct mt_components *components,
                                     const struct mt_demand *demand)
{
    const struct mt_conditions conditions = mt_find_conditions(components, demand);
    return mt_components_time_at(components, demand, &conditions);
}
