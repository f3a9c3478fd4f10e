/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden.h - what of a run's computing, latencies and bytes passes while others use
 * what all share, a bus or a switch.
 *
 * Equal messages end together, and all wait and compute at the same time. Where they
 * differ in length, who has a short one goes ahead, and processes get out of step. In a
 * ring on a bus, in a switch that is too tight or in stages, messages are followed
 * instead (ring.h).
 */
#ifndef MT_HIDDEN_H
#define MT_HIDDEN_H

#include "meeting.h"

#include <math.h>

/* The shares of their times that pass that way. */
struct mt_hidden {
    double compute, latency, travel;
    double slower; /* of what more contention adds to the way */
};

/* What messages meet. */
struct mt_crowd {
    double contention; /* the factor on a byte's time */
    double reach;      /* the bytes that take a message's time where it is alone */
    double longs;      /* the factor while only the longest are under way */
    bool loose;        /* they get out of step though they are equal */
};

/* So many rows of a message processes get ahead at most. So much of what is possible
   they reach on average: where all send, with long parts here and there; where not all
   send, and messages differ; and where they do not. From simulated machines of
   development. */
static const double mt_rows_ahead = 3;
static const double mt_reached_by_all = 0.7, mt_reached = 0.5,
                    mt_reached_even = 1.0 / 3;

/* How many of the longest messages meet: in stages it is counted, a switch that all
   share they all pass. */
static inline double mt_longs(enum mt_contention contention,
                              const struct mt_demand *demand, double counted)
{
    const double share = demand->rows - floor(demand->rows);
    return contention == MT_CONTENTION_LIMITED ? share * mt_together(demand) : counted;
}

/* After how many processes long and short parts follow each other in the same way. */
static inline double mt_period(const struct mt_demand *demand)
{
    double rest = round((demand->rows - floor(demand->rows)) * demand->ranks);
    double common = demand->ranks; /* Euclid's */
    while (rest > 0) {
        const double next = fmod(common, rest);
        common = rest;
        rest = next;
    }
    return demand->ranks / common;
}

/* In switches where all send. At best the longest messages meet only each other, or a
   switch is never idle; that would save `most`. What passes follows both from that and
   from how far ahead processes get, the smaller of the two counting more. Where every
   second part is long, all have done the same after two turns, and nobody gets ahead;
   the longer the period, the more turns there are for that. */
static inline struct mt_hidden mt_find_hidden_in_switches(
    const struct mt_demand *demand, const struct mt_crowd *crowd, double compute,
    double latency, double travel)
{
    const double longs = fmin(1, demand->bytes * crowd->longs / crowd->reach),
                 busy = fmin(1, demand->mean_bytes * crowd->contention / crowd->reach);
    const bool is_busy = busy * travel > compute + latency + longs * travel;
    const double rest = is_busy ? compute + latency : 0;
    const double saved = 1 - (is_busy ? busy : longs);
    const double most = rest + saved * travel,
                 ahead = mt_rows_ahead / demand->rows * travel;
    if (!(most > 0))
        return (struct mt_hidden){0, 0, 0, 0};
    const double reached = mt_reached_by_all * (1 - 2 / fmax(2, mt_period(demand)));
    /* reached * most * ahead / (most + ahead), by its derivatives */
    const double of_most = reached * pow(ahead / (most + ahead), 2),
                 of_ahead = reached * pow(most / (most + ahead), 2);
    const double of_rest = is_busy ? of_most : 0,
                 of_travel = of_ahead * mt_rows_ahead / demand->rows;
    return (struct mt_hidden){of_rest, of_rest, of_travel + of_most * saved,
                              of_travel + of_most * (is_busy ? saved : 1)};
}

/* Where not all send, processes get ahead at most until what they share is never idle,
   or nobody waits for it. */
static inline struct mt_hidden mt_find_hidden_in_turns(const struct mt_demand *demand,
                                                       const struct mt_crowd *crowd,
                                                       double compute, double latency,
                                                       double travel)
{
    const bool uneven = demand->rows > floor(demand->rows);
    const double reached = uneven ? mt_reached : mt_reached_even;
    const double most = reached * (1 - 1 / crowd->contention);
    const double share = uneven ? fmin(most, mt_rows_ahead / demand->rows) : most;
    if (reached * (latency + (uneven ? compute : 0)) < share * travel)
        return (struct mt_hidden){uneven ? reached : 0, reached, 0, 0};
    return (struct mt_hidden){0, 0, share, share < most ? share : reached};
}

static inline struct mt_hidden mt_find_hidden(const struct mt_bandwidth *bandwidth,
                                              const struct mt_demand *demand,
                                              const struct mt_crowd *crowd,
                                              double compute, double latency,
                                              double travel)
{
    const bool uneven = demand->rows > floor(demand->rows);
    const bool is_bus =
        bandwidth->contention == MT_CONTENTION_POWER && bandwidth->evens_out;
    const bool shares_a_part = is_bus || mt_is_tight(bandwidth, demand) ||
                               bandwidth->contention == MT_CONTENTION_STAGES;
    if (!shares_a_part || !(uneven || crowd->loose))
        return (struct mt_hidden){0, 0, 0, 0};
    if (!mt_all_send(demand))
        return mt_find_hidden_in_turns(demand, crowd, compute, latency, travel);
    if (uneven && !is_bus)
        return mt_find_hidden_in_switches(demand, crowd, compute, latency, travel);
    return (struct mt_hidden){0, 0, 0, 0};
}

#endif
