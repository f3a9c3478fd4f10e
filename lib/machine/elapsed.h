/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elapsed.h - the time of a run, given the conditions that depend on the number of
 * processes alone. Inline, since a surface needs very many times.
 */
#ifndef MT_ELAPSED_H
#define MT_ELAPSED_H

#include "internal.h"
#include "meeting.h"
#include "transit.h"
#include "tuning.h"

#include <math.h>

/* The conditions that are the same at all sizes. */
struct mt_conditions {
    double contention; /* the factor on a byte's time */
    double hops;       /* on a torus, or between switches, if these take time */
    bool roughly;      /* do not follow messages one by one, which can take 30 ms */
};

struct mt_conditions mt_find_conditions(const struct mt_components *components,
                                        const struct mt_demand *demand);

/* The steps that caches affect. */
static inline double mt_far_steps(const struct mt_demand *demand)
{
    return fmax(0, demand->steps - demand->near_steps);
}

/* Seconds per byte, 1/b, of a message of `bytes` (figure 5); 0 without messages. */
static inline double mt_byte_time_at(const struct mt_bandwidth *bandwidth, double bytes,
                                     double contention)
{
    if (bandwidth->base == 0)
        return 0;
    const double growth = bandwidth->half > 0 ? 1 + bytes / bandwidth->half : 1;
    return contention * growth / bandwidth->base;
}

/* The message length that counts. Where some processes share a link, only their
   messages even out: with more processes, some share it with long messages only. */
static inline double mt_message_bytes(const struct mt_bandwidth *bandwidth,
                                      const struct mt_demand *demand)
{
    const bool shares = bandwidth->contention == MT_CONTENTION_SHARED;
    const bool evens_out =
        bandwidth->evens_out && !(shares && mt_together(demand) > bandwidth->strength);
    return evens_out ? demand->mean_bytes : demand->bytes;
}

/* The effective length of a message, to which its time is proportional. */
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

/* The demand with effective lengths of messages, without headers: the mean if they
   differ by a row, and that of the slowest message, which need not be the longest. */
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

/* The demand, with headers added to its messages. */
static inline struct mt_demand mt_with_headers(struct mt_demand demand, double header)
{
    demand.bytes += header;
    demand.mean_bytes += header;
    return demand;
}

/* The part of a message's effective length that its bytes make up: the rest is a
   latency of messages of about that length, which is not shared. Points that are close
   to each other are on both sides of a jump from one such latency to another. */
static inline double mt_length_of_bytes(const struct mt_length *lengths, int count,
                                        double bytes)
{
    struct mt_length before = {0, 0};
    for (int i = 0; i < count; before = lengths[i++])
        if (bytes < lengths[i].bytes &&
            lengths[i].bytes >= mt_close_lengths * before.bytes)
            return bytes * fmax(0, lengths[i].as - before.as) /
                   (lengths[i].bytes - before.bytes);
    return count > 0 ? bytes * (before.as / before.bytes) : bytes;
}

/* The factor on the time of a message of effective length `as`, the part `shared` of
   which is due to its bytes, with `crowded` messages under way per message that a
   switch has room for. */
static inline double mt_limited_factor(double crowded, double shared, double as)
{
    return as > 0 ? 1 + fmax(0, crowded - 1) * shared / as : fmax(1, crowded);
}

/* How many messages at a time are as fast as one, in total or in each switch; 0:
   messages cannot be followed. */
static inline double mt_followed_room(const struct mt_bandwidth *bandwidth,
                                      const struct mt_wiring *wiring, double ranks)
{
    const bool few = ranks <= MT_MOST_IN_TRANSIT &&
                     wiring->nodes <= MT_MOST_MEETING_RANKS &&
                     wiring->ports <= MT_MOST_MEETING;
    if (mt_is_bus(bandwidth))
        return 1;
    if (bandwidth->contention == MT_CONTENTION_NONE)
        return ranks;
    if (bandwidth->contention == MT_CONTENTION_LIMITED ||
        (bandwidth->contention == MT_CONTENTION_STAGES && few &&
         wiring->topology == MT_TOPOLOGY_MULTISTAGE) ||
        (bandwidth->contention == MT_CONTENTION_TRUNKS && few && mt_has_trunks(wiring)))
        return bandwidth->strength;
    return 0;
}

/* Whether parts go around a ring of neighbours, where the pairs of senders and
   receivers matter. */
static inline bool mt_is_ring(const struct mt_wiring *wiring,
                              const struct mt_demand *demand)
{
    const bool one_way =
        wiring->topology == MT_TOPOLOGY_BUS ||
        (wiring->topology == MT_TOPOLOGY_SWITCHES && !mt_has_trunks(wiring));
    return demand->ranks >= 2 && mt_all_send(demand) &&
           fabs(demand->messages - (demand->ranks - 1)) < 0.5 &&
           (demand->shift == 1 || (one_way && demand->shift > 0));
}

/* Whether parts are passed down the columns of a grid, and results along its rows, from
   process to process in whole steps. */
static inline bool mt_hands_on(const struct mt_demand *demand)
{
    const double others = round(mt_together(demand)) - 1;
    return mt_is_grid(demand) && demand->ranks <= MT_MOST_IN_TRANSIT &&
           demand->messages > 0 && remainder(demand->messages, 2 * others) == 0;
}

/* Whether messages are followed one by one: senders and receivers are known, and the
   parts or the lengths of their ways differ, so that processes get out of step. */
static inline bool mt_is_followed(const struct mt_bandwidth *bandwidth,
                                  const struct mt_wiring *wiring,
                                  const struct mt_demand *demand)
{
    const bool uneven = demand->rows > floor(demand->rows);
    const bool ways_differ =
        mt_are_counted(bandwidth->contention) || wiring->topology == MT_TOPOLOGY_TORUS;
    return bandwidth->base > 0 &&
           mt_followed_room(bandwidth, wiring, demand->ranks) > 0 &&
           ((uneven && mt_is_ring(wiring, demand)) ||
            (mt_hands_on(demand) && (uneven || ways_differ)));
}

/* Seconds of a run whose messages are followed: mt_is_followed(). A congested switch
   does not prolong a message's latency. */
double mt_followed_seconds(const struct mt_components *components,
                           const struct mt_demand *demand, double compute);

/* mt_components_time(). */
static inline struct mt_elapsed mt_components_time_at(
    const struct mt_components *components, const struct mt_demand *demand,
    const struct mt_conditions *conditions)
{
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    const double header = components->wiring.header;
    const double compute =
        demand->near_steps * components->near_cost +
        mt_far_steps(demand) * mt_step_cost(components, demand->working_set);
    if (!components->overlap && !conditions->roughly &&
        mt_is_followed(bandwidth, &components->wiring, demand)) {
        const double total = mt_followed_seconds(components, demand, compute);
        return (struct mt_elapsed){compute, total - compute, total};
    }
    const struct mt_demand as = mt_with_headers(
        mt_as_lengths(components->lengths, components->nlengths, demand), header);
    const double shared =
        header +
        mt_length_of_bytes(components->lengths, components->nlengths, demand->bytes);
    const double bytes = mt_message_bytes(bandwidth, &as);
    const double contention =
        bandwidth->contention == MT_CONTENTION_LIMITED
            ? mt_limited_factor(mt_together(demand) / bandwidth->strength, shared,
                                as.bytes)
            : conditions->contention;
    const double communicate =
        demand->messages * (components->latency + conditions->hops * components->hop +
                            bytes * mt_byte_time_at(bandwidth, bytes, contention));
    const double total =
        components->overlap ? fmax(compute, communicate) : compute + communicate;
    return (struct mt_elapsed){compute, communicate, total};
}

#endif
