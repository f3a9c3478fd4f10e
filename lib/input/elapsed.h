/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elapsed.h - the time where what the number of processes decides is known, as it is
 * the same at all sizes. Inline, for a surface is made of very many times.
 */
#ifndef MT_ELAPSED_H
#define MT_ELAPSED_H

#include "hidden.h"
#include "meeting.h"
#include "ring.h"

#include "motley/components.h"

#include <math.h>
#include <stddef.h>

/* What is the same at all sizes. */
struct mt_conditions {
    double contention; /* the factor on a byte's time */
    double uneven;     /* the same where messages differ in length */
    bool loose;        /* messages in stages get out of step though they are equal */
    double hops;       /* on a torus, where these take time */
    bool roughly;      /* messages are not followed, which takes a millisecond */
};

struct mt_conditions mt_find_conditions(const struct mt_components *components,
                                        const struct mt_demand *demand);

/* N/K, if the lengths of messages are those of so many rows, and differ; else 0. */
static inline double mt_uneven_rows(const struct mt_demand *demand, double size)
{
    const double rows = size / mt_together(demand);
    const double longest = demand->bytes * rows,
                 whole = demand->mean_bytes * ceil(rows);
    return rows > floor(rows) && fabs(longest - whole) <= 1e-9 * longest ? rows : 0;
}

/* Whether the near steps are some of the steps, but for rounding: expressions that are
   meant to be equal may differ in the last digits. */
static inline bool mt_are_steps(double near_steps, double steps)
{
    return near_steps <= steps * (1 + 1e-9);
}

/* Steps that caches make a difference to. */
static inline double mt_far_steps(const struct mt_demand *demand)
{
    return fmax(0, demand->steps - demand->near_steps);
}

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
        bandwidth->evens_out && !(shares && mt_together(demand) > bandwidth->strength);
    return evens_out ? demand->mean_bytes : demand->bytes;
}

/* The length in proportion to which a message of that length takes time. */
static inline double mt_length_as(const struct mt_length *lengths, int count,
                                  double bytes)
{
    struct mt_length before = {0, 0};
    for (int i = 0; i < count; before = lengths[i++])
        if (bytes < lengths[i].bytes)
            return before.as + (bytes - before.bytes) * (lengths[i].as - before.as) /
                                   (lengths[i].bytes - before.bytes);
    return count > 0 ? bytes * (before.as / before.bytes) : bytes;
}

/* The demand, its messages as long as their times say, without their headers: the mean
   where they differ by a row, and the one that takes longest, which need not be the
   longest. */
static inline struct mt_demand mt_as_lengths(const struct mt_length *lengths, int count,
                                             const struct mt_demand *demand)
{
    struct mt_demand as = *demand;
    const double whole = floor(demand->rows), longs = demand->rows - whole;
    as.bytes = mt_length_as(lengths, count, demand->bytes);
    as.mean_bytes = mt_length_as(lengths, count, demand->mean_bytes);
    if (longs > 0) {
        const double row = demand->mean_bytes / demand->rows;
        const double shorter = mt_length_as(lengths, count, whole * row);
        as.mean_bytes = (1 - longs) * shorter + longs * as.bytes;
        as.bytes = fmax(as.bytes, shorter);
    }
    return as;
}

/* The demand, its messages longer by their headers. */
static inline struct mt_demand mt_with_headers(struct mt_demand demand, double header)
{
    demand.bytes += header;
    demand.mean_bytes += header;
    return demand;
}

/* The factor on a byte's time of so many messages for each that a switch has room for:
   these share what it passes of bytes, also where their times are not in proportion to
   their lengths. */
static inline double mt_limited_factor(double crowded, double bytes, double as)
{
    return fmax(1, as > 0 ? crowded * bytes / as : crowded);
}

/* Whether messages that differ share switches until the short ones are through, and
   then only the long ones do. */
static inline bool mt_long_ones_meet(const struct mt_bandwidth *bandwidth,
                                     const struct mt_demand *demand)
{
    return (bandwidth->contention == MT_CONTENTION_STAGES ||
            mt_is_tight(bandwidth, demand)) &&
           demand->rows > 0 && mt_all_send(demand);
}

/* The bytes that take a message's time where it is alone: of all messages in a switch
   the rows that they have in common, and then the last one of those that are longer;
   each has one header. */
static inline double mt_bytes_in_stages(const struct mt_demand *demand, double header,
                                        double contention, double longs)
{
    return (demand->mean_bytes - header) / demand->rows *
               (floor(demand->rows) * contention + longs) +
           header * contention;
}

/* Whether parts that differ by a row go around a ring of processes that share a bus, a
   switch with too little room for all, the switches of a multistage network, or their
   connections: messages are followed. */
static inline bool mt_is_followed(const struct mt_bandwidth *bandwidth,
                                  const struct mt_wiring *wiring,
                                  const struct mt_demand *demand)
{
    const bool is_bus = bandwidth->contention == MT_CONTENTION_POWER &&
                        bandwidth->exponent == 1 && bandwidth->evens_out;
    const bool is_half =
        wiring->half_duplex && (bandwidth->contention == MT_CONTENTION_NONE ||
                                bandwidth->contention == MT_CONTENTION_LIMITED);
    const bool in_stages = bandwidth->contention == MT_CONTENTION_STAGES &&
                           wiring->topology == MT_TOPOLOGY_MULTISTAGE &&
                           wiring->nodes <= MT_MOST_MEETING_RANKS &&
                           demand->ranks <= MT_MOST_IN_STAGES && demand->shift == 1;
    return (is_bus || mt_is_tight(bandwidth, demand) || is_half || in_stages) &&
           bandwidth->base > 0 && demand->shift > 0 &&
           demand->rows > floor(demand->rows) && mt_all_send(demand) &&
           fabs(demand->messages - (demand->ranks - 1)) < 0.5;
}

/* Seconds of such a run; the messages are as long `as` their times say. */
static inline double mt_followed_seconds(const struct mt_bandwidth *bandwidth,
                                         const struct mt_wiring *wiring,
                                         const struct mt_demand *demand,
                                         const struct mt_demand *as, double compute,
                                         double latency)
{
    const double longs = demand->rows - floor(demand->rows);
    const double shorter = fmax(0, (as->mean_bytes - longs * as->bytes) / (1 - longs));
    double room = demand->ranks;
    const bool in_stages = bandwidth->contention == MT_CONTENTION_STAGES;
    if (bandwidth->contention == MT_CONTENTION_LIMITED || in_stages)
        room = bandwidth->strength;
    else if (bandwidth->contention == MT_CONTENTION_POWER)
        room = 1;
    const struct mt_ring ring = {
        .ranks = demand->ranks,
        .rows = demand->rows,
        .compute = compute,
        .latency = latency / demand->messages,
        .shorter = shorter * mt_byte_time_at(bandwidth, shorter, 1),
        .longer = as->bytes * mt_byte_time_at(bandwidth, as->bytes, 1),
        .room = room,
        .stages = in_stages ? wiring : NULL,
        .half_duplex = wiring->half_duplex,
        .bytes = demand->bytes,
    };
    return mt_ring_seconds(&ring);
}

/* mt_components_time(). */
static inline struct mt_elapsed mt_components_time_at(
    const struct mt_components *components, const struct mt_demand *demand,
    const struct mt_conditions *conditions)
{
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    const double header = components->wiring.header;
    const struct mt_demand as = mt_with_headers(
        mt_as_lengths(components->lengths, components->nlengths, demand), header);
    const double bytes = mt_message_bytes(bandwidth, &as);
    const bool long_ones_meet = mt_long_ones_meet(bandwidth, demand);
    const double compute =
        demand->near_steps * components->near_cost +
        mt_far_steps(demand) * mt_step_cost(components, demand->working_set);
    const double latency =
        demand->messages * (components->latency + conditions->hops * components->hop);
    if (!components->overlap && !conditions->roughly &&
        mt_is_followed(bandwidth, &components->wiring, demand)) {
        const double total = mt_followed_seconds(bandwidth, &components->wiring, demand,
                                                 &as, compute, latency);
        return (struct mt_elapsed){compute, total - compute, total};
    }
    struct mt_crowd crowd = {
        .contention = demand->rows > 0 ? conditions->uneven : conditions->contention,
        .loose = conditions->loose,
    };
    const bool limited = bandwidth->contention == MT_CONTENTION_LIMITED;
    if (limited)
        crowd.contention =
            mt_limited_factor(crowd.contention, demand->bytes + header, as.bytes);
    crowd.reach = bytes * crowd.contention;
    if (long_ones_meet) {
        const double counted = bandwidth->contention == MT_CONTENTION_STAGES
                                   ? mt_long_meeting(&components->wiring, demand)
                                   : 0;
        const double longs = mt_longs(bandwidth->contention, demand, counted);
        crowd.longs = limited ? mt_limited_factor(longs / bandwidth->strength,
                                                  demand->bytes + header, as.bytes)
                              : fmax(1, longs / bandwidth->strength);
        crowd.reach = mt_bytes_in_stages(
            &as, header, limited ? crowd.contention : conditions->contention,
            crowd.longs);
    }
    const double travel =
        demand->messages * crowd.reach * mt_byte_time_at(bandwidth, bytes, 1);
    if (components->overlap)
        return (struct mt_elapsed){compute, latency + travel,
                                   fmax(compute, latency + travel)};
    const struct mt_hidden hidden =
        mt_find_hidden(bandwidth, &as, &crowd, compute, latency, travel);
    const double communicate = latency * (1 - hidden.latency) +
                               travel * (1 - hidden.travel) - compute * hidden.compute;
    return (struct mt_elapsed){compute, communicate, compute + communicate};
}

#endif
