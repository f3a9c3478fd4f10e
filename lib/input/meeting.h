/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meeting.h - which of the messages that are under way together meet in a network whose
 * wiring is known, in a switch of many or on the way from one switch to the others, and
 * how far they go.
 *
 * Of `together` messages, that of sender i = 0, 1, ... goes from rank i apart to the
 * rank `shift` further, modulo P. Where not all ranks send, receivers send next: then
 * all has moved on by `shift`, until each sender had its turn. Messages of a turn that
 * are in step wait for the slowest, half of the time where they are equal. Where
 * messages differ in length, or would meet more others than by chance, they get out of
 * step: a part of the time they are as far on as chance has it.
 */
#ifndef MT_MEETING_H
#define MT_MEETING_H

#include "motley/components.h"

#include <math.h>

/* Among more ranks, or nodes of a multistage network, meetings are not counted; more
   messages in a switch count as so many. */
enum { MT_MOST_MEETING_RANKS = 4096, MT_MOST_MEETING = 64 };

/* K. */
static inline double mt_together(const struct mt_demand *demand)
{
    return demand->together > 0 ? demand->together : demand->ranks;
}

/* Whether each process sends a message while it receives one. */
static inline bool mt_all_send(const struct mt_demand *demand)
{
    return mt_together(demand) > demand->ranks - 0.5;
}

/* Whether more messages are under way than a switch that all share has room for. */
static inline bool mt_is_tight(const struct mt_bandwidth *bandwidth,
                               const struct mt_demand *demand)
{
    return bandwidth->contention == MT_CONTENTION_LIMITED &&
           mt_together(demand) > bandwidth->strength;
}

/* Whether the nodes are on several switches, as many on each. */
static inline bool mt_has_trunks(const struct mt_wiring *wiring)
{
    return wiring->topology == MT_TOPOLOGY_SWITCHES && wiring->ports > 0;
}

/* How many messages at full speed a switch passes at a time, that of all nodes or one
   of a multistage network; where the nodes are on several, what connects one to the
   others, which may be less than 1. 0: not known. */
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
   `heads` are so many blocks as there are. */
static inline int mt_switch_of(int sender, int receiver, int tails, int block,
                               int heads)
{
    return sender % tails * heads + receiver / block;
}

struct mt_meeting {
    int most;                           /* messages in a switch, or on a trunk */
    double shares[MT_MOST_MEETING + 1]; /* [k]: of the messages of which so many pass
                                           the busiest switch on their way, or trunk; 0:
                                           none of these. Where all ranks send, each
                                           waits for the slowest in the end: all have
                                           the most */
    bool steady; /* all turns are alike, and messages are in step */
    double hops; /* on a torus, or from switch to switch, 1; the mean of all messages,
                    or the most where all send */
};

/* Where shift or wiring are not known, messages are alone and go no hops. */
void mt_meeting_find(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     const struct mt_demand *demand);
/* The mean of max(1, k / strength), where k messages pass the busiest switch or trunk.
 */
double mt_meeting_factor(const struct mt_meeting *meeting, double strength);

/*
 * How many long messages pass a switch at the worst moment, where all ranks send, and
 * messages of floor(N/P) rows, or one more, go around: part i has the rows from
 * floor(i N/P) on. In a stage those of p parts meet, p being the ports of a switch,
 * that are 1, p, p^2, ... apart.
 */
double mt_long_meeting(const struct mt_wiring *wiring, const struct mt_demand *demand);

#endif
