/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages under way at the same time: fair sharing of links. */
#include "transit.h"

#include <math.h>

/* Messages that arrive within this share of the elapsed time arrive together;
   otherwise, rounding would drive messages apart that are in step, since one that is
   ahead gets further ahead. */
static const double together = 1e-9;

/* Move the message at a place of the queue to where it belongs. */
static void sort_in(struct mt_transit *transit, int at)
{
    short *queue = transit->queue;
    const short message = queue[at];
    const double ends = transit->ends[message];
    for (; at > 0 && transit->ends[queue[(at - 1) / 2]] > ends; at = (at - 1) / 2) {
        queue[at] = queue[(at - 1) / 2];
        transit->place[queue[at]] = (short)at;
    }
    for (int next = 2 * at + 1; next < transit->under_way; next = 2 * at + 1) {
        if (next + 1 < transit->under_way &&
            transit->ends[queue[next + 1]] < transit->ends[queue[next]])
            next++;
        if (transit->ends[queue[next]] >= ends)
            break;
        queue[at] = queue[next];
        transit->place[queue[at]] = (short)at;
        at = next;
    }
    queue[at] = message;
    transit->place[message] = (short)at;
}

static void set_speed(struct mt_transit *transit, int i, double speed)
{
    if (speed == transit->speed[i])
        return;
    const double passed = (transit->progress - transit->since[i]) * transit->speed[i],
                 left = transit->left[i] - passed;
    transit->left[i] = left < 0 ? 0 : left;
    transit->since[i] = transit->progress;
    transit->load += speed - transit->speed[i];
    transit->speed[i] = speed;
    transit->ends[i] = transit->progress + transit->left[i] / speed;
    sort_in(transit, transit->place[i]);
}

/* The share of its full speed that each of `count` messages has. */
static double share_of(const struct mt_transit *transit, double count)
{
    return count > transit->room ? transit->room / count : 1;
}

/* The speed of messages with an equal part of the shared medium. */
static double pace_of(const struct mt_transit *transit)
{
    return transit->wiring ? 1 : share_of(transit, transit->load);
}

static double speed_in_switches(const struct mt_transit *transit, int i)
{
    int most = 0;
    for (int stage = 0; stage < transit->nstages; stage++) {
        const int passes = transit->passes[stage][i];
        if (passes >= 0 && transit->inside[stage][passes] > most)
            most = transit->inside[stage][passes];
    }
    return share_of(transit, most);
}

/* The messages through a switch that the message passes, itself included. */
static void update_switches(struct mt_transit *transit, int i)
{
    for (int stage = 0; stage < transit->nstages; stage++) {
        const int passes = transit->passes[stage][i];
        int other = passes >= 0 ? transit->first[stage][passes] : 0;
        for (; other > 0; other = transit->next[stage][other - 1])
            set_speed(transit, other - 1, speed_in_switches(transit, other - 1));
    }
}

static int neighbour(const struct mt_transit *transit, int i, int further)
{
    return (i + further + transit->count) % transit->count;
}

static void update_half_duplex(struct mt_transit *transit, int i)
{
    if (transit->speed[i] == 0)
        return;
    const bool alone = transit->speed[neighbour(transit, i, 1)] == 0 &&
                       transit->speed[neighbour(transit, i, -1)] == 0;
    set_speed(transit, i, alone ? 2 : 1);
}

/* The messages whose speed the message affects. */
static void update(struct mt_transit *transit, int i)
{
    update_switches(transit, i);
    for (int further = -1; further <= 1 && transit->half_duplex; further++)
        update_half_duplex(transit, neighbour(transit, i, further));
}

/* The switches, or trunks, that a message passes. */
static void find_switches(struct mt_transit *transit, int i, int sender, int receiver)
{
    const int ports = transit->wiring->ports;
    if (mt_has_trunks(transit->wiring)) {
        const int from = sender / ports, to = receiver / ports;
        transit->passes[0][i] = (short)(from != to ? from : -1);
        transit->passes[1][i] = (short)(from != to ? to : -1);
        return;
    }
    for (int stage = 0, block = transit->block, heads = 1; block > 1;
         stage++, block /= ports, heads *= ports)
        transit->passes[stage][i] =
            (short)mt_switch_of(sender, receiver, block / ports, block, heads);
}

static void enter_switches(struct mt_transit *transit, int i)
{
    for (int stage = 0; stage < transit->nstages; stage++) {
        const int passes = transit->passes[stage][i];
        if (passes < 0)
            continue;
        transit->next[stage][i] = transit->first[stage][passes];
        transit->first[stage][passes] = (short)(i + 1);
        transit->inside[stage][passes]++;
    }
}

static void leave_switches(struct mt_transit *transit, int i)
{
    for (int stage = 0; stage < transit->nstages; stage++) {
        const int passes = transit->passes[stage][i];
        if (passes < 0)
            continue;
        short *link = &transit->first[stage][passes];
        while (*link != i + 1)
            link = &transit->next[stage][*link - 1];
        *link = transit->next[stage][i];
        transit->inside[stage][passes]--;
    }
}

void mt_transit_count(struct mt_transit *transit, const struct mt_wiring *wiring)
{
    transit->wiring = wiring;
    transit->nstages = 2;
    if (mt_has_trunks(wiring))
        return;
    transit->nstages = 0;
    transit->block = mt_power_of(
        wiring->ports, wiring->nodes > transit->count ? wiring->nodes : transit->count);
    for (int block = transit->block; block > 1; block /= wiring->ports)
        transit->nstages++;
}

void mt_transit_begin(struct mt_transit *transit, int i, double seconds, int sender,
                      int receiver)
{
    const int last = transit->under_way++;
    transit->left[i] = seconds;
    transit->since[i] = transit->progress;
    transit->speed[i] = 1;
    transit->load++;
    transit->ends[i] = transit->progress + seconds;
    transit->queue[last] = (short)i;
    sort_in(transit, last);
    if (transit->wiring)
        find_switches(transit, i, sender, receiver);
    enter_switches(transit, i);
    update(transit, i);
}

int mt_transit_next(const struct mt_transit *transit)
{
    return transit->under_way > 0 ? transit->queue[0] : -1;
}

double mt_transit_arrival(const struct mt_transit *transit)
{
    if (transit->under_way == 0)
        return INFINITY;
    const double left = transit->ends[transit->queue[0]] - transit->progress;
    if (left < together * transit->progress)
        return transit->now;
    return transit->now + left / pace_of(transit);
}

void mt_transit_go_on(struct mt_transit *transit, double until)
{
    transit->progress += (until - transit->now) * pace_of(transit);
    transit->now = until;
}

void mt_transit_end(struct mt_transit *transit, int i)
{
    const int at = transit->place[i], last = --transit->under_way;
    transit->load = last > 0 ? transit->load - transit->speed[i] : 0;
    transit->speed[i] = 0;
    if (at < last) {
        transit->queue[at] = transit->queue[last];
        transit->place[transit->queue[at]] = (short)at;
        sort_in(transit, at);
    }
    leave_switches(transit, i);
    update(transit, i);
}
