/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meeting.h - which of the messages that are under way together meet in a network whose
 * wiring is known, in one of many switches or on a trunk, and how far they go.
 *
 * There are `together` messages: that of sender i = 0, 1, ... goes from rank i to rank
 * i + `shift`, modulo P. If not all ranks send, the receivers send in the next turn,
 * shifted by `shift`, until each sender had its turn. In a grid, messages go from a
 * diagonal to the next row, and on; then from column to column. A turn ends with its
 * slowest message.
 */
#ifndef MT_MEETING_H
#define MT_MEETING_H

#include "internal.h"

#include <math.h>

/* Meetings among more ranks, or nodes of a multistage network, are not counted; more
   messages in a switch count as MT_MOST_MEETING. */
enum { MT_MOST_MEETING_RANKS = 4096, MT_MOST_MEETING = 64 };

/* Whether each process sends a message while it receives one. */
static inline bool mt_all_send(const struct mt_demand *demand)
{
    return mt_together(demand) > demand->ranks - 0.5;
}

/* Whether more messages are under way than the shared switch has room for. */
static inline bool mt_is_tight(const struct mt_bandwidth *bandwidth,
                               const struct mt_demand *demand)
{
    return bandwidth->contention == MT_CONTENTION_LIMITED &&
           mt_together(demand) > bandwidth->strength;
}

/* Whether the processes are a grid with as many rows and columns as messages under way
   together, which go down its columns or along its rows. */
static inline bool mt_is_grid(const struct mt_demand *demand)
{
    const double edge = round(mt_together(demand));
    return edge >= 2 && edge * edge == demand->ranks && demand->across == 1 &&
           demand->shift == edge;
}

/* Whether all messages share one medium byte by byte. */
static inline bool mt_is_bus(const struct mt_bandwidth *bandwidth)
{
    return bandwidth->contention == MT_CONTENTION_POWER && bandwidth->exponent == 1 &&
           bandwidth->evens_out;
}

/* Whether the nodes are on several switches, as many on each. */
static inline bool mt_has_trunks(const struct mt_wiring *wiring)
{
    return wiring->topology == MT_TOPOLOGY_SWITCHES && wiring->ports > 0;
}

/* How many messages at full speed a switch passes at a time, that of all nodes or one
   of a multistage network; with nodes on several switches, of the trunk, perhaps less
   than 1. 0: not known. */
static inline double mt_room(const struct mt_wiring *wiring)
{
    const bool trunks = mt_has_trunks(wiring);
    const double all = trunks ? wiring->trunk_bandwidth : wiring->switch_bandwidth;
    if (!(wiring->bandwidth > 0) || !(all > 0))
        return 0;
    return trunks ? all / wiring->bandwidth : fmax(1, all / wiring->bandwidth);
}

/* Whether a law of contention counts who meets whom. */
static inline bool mt_are_counted(enum mt_contention contention)
{
    return contention == MT_CONTENTION_STAGES || contention == MT_CONTENTION_TRUNKS;
}

/* Which switch of a stage of a multistage network a message passes: `block` are the
   receivers behind a switch of that stage, `tails` those behind one of the next;
   `heads` is the number of blocks. */
static inline int mt_switch_of(int sender, int receiver, int tails, int block,
                               int heads)
{
    return sender % tails * heads + receiver / block;
}

/* The smallest power of `ports` (at least 2) that is at least `nodes`. */
static inline int mt_power_of(int ports, int nodes)
{
    int power = 1;
    while (power < nodes)
        power *= ports;
    return power;
}

struct mt_meeting {
    int most; /* messages in a switch, or on a trunk; at least 1 */
    double shares[MT_MOST_MEETING + 1]; /* [k]: share of the turns in which k pass the
                                           busiest switch or trunk; 0: none do */
    double hops; /* on a torus, or from switch to switch, 1; the mean of all messages,
                    or the most where all send */
};

/* Nodes that a message passes on a torus, the shorter way; 1 from one of several
   switches to another; else 0. */
int mt_hops(const struct mt_wiring *wiring, int sender, int receiver);
/* Where shift or wiring are not known, messages are alone and go no hops. */
void mt_meeting_find(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     const struct mt_demand *demand);
/* The mean of max(1, k / strength), where k messages pass the busiest switch or trunk.
 */
double mt_meeting_factor(const struct mt_meeting *meeting, double strength);

#endif
