/* SPDX-License-Identifier: BSD-3-Clause */
#include "meeting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many times each message is taken to be as many turns ahead of others as chance has
   it, where they are out of step. */
enum { CHANCES = 4 };
/* How much of the time messages are in step: where they would be more in each other's
   way than by chance, and else, where their lengths differ. So it was in grids of 2 x 2
   to 15 x 15 whose messages were followed one by one. */
static const double crowded_share = 0.125, uneven_share = 0.5;
/* How much of the time equal messages that are in step wait for the slowest of their
   turn; those that differ always do. */
static const double even_waits = 0.5;

/* The messages of a turn. */
struct turn {
    int ranks, together, apart, shift;
    int first;       /* sender */
    unsigned chance; /* 0: all are in step */
    double waits;    /* how much of the time messages wait for the slowest */
};

/* How many turns a message is ahead. */
static int ahead_of(const struct turn *turn, int message)
{
    unsigned random = 2654435761u * (turn->chance * 4099u + (unsigned)message);
    random = (random ^ random >> 15) * 2246822519u;
    return turn->chance ? (int)((random ^ random >> 13) % (unsigned)turn->ranks) : 0;
}

static int sender_of(const struct turn *turn, int message)
{
    const long along = (long)message * turn->apart;
    const long ahead = (long)ahead_of(turn, message) * turn->shift;
    return (int)((turn->first + along + ahead) % turn->ranks);
}

static int receiver_of(const struct turn *turn, int sender)
{
    return (sender + turn->shift) % turn->ranks;
}

/* False: who sends to whom is not known. */
static bool find_turn(struct turn *turn, const struct mt_demand *demand)
{
    if (!(demand->ranks >= 2) || !(demand->ranks <= MT_MOST_MEETING_RANKS) ||
        !(demand->shift >= 0.5) || isinf(demand->shift) || isinf(demand->apart))
        return false;
    const int ranks = (int)demand->ranks;
    const double apart = demand->apart > 0 ? demand->apart : 1;
    *turn = (struct turn){
        .ranks = ranks,
        .together = (int)lround(fmin(mt_together(demand), ranks)),
        .apart = (int)lround(fmod(apart, ranks)),
        .shift = (int)lround(fmod(demand->shift, ranks)),
    };
    return turn->together > 0;
}

/* For each message of a turn that leaves a switch, the most messages that leave it or
   come to where it goes; 0 for others. */
static void count_on_trunks(short *most, const struct mt_wiring *wiring,
                            const struct turn *turn)
{
    short leave[MT_MOST_MEETING_RANKS] = {0}, come[MT_MOST_MEETING_RANKS] = {0};
    for (int i = 0; i < 2 * turn->together; i++) {
        const int message = i % turn->together;
        const int sender = sender_of(turn, message);
        const int from = sender / wiring->ports,
                  to = receiver_of(turn, sender) / wiring->ports;
        if (i < turn->together) {
            leave[from] += from != to;
            come[to] += from != to;
        } else {
            most[message] = 0;
            if (from != to)
                most[message] = leave[from] > come[to] ? leave[from] : come[to];
        }
    }
}

/* For each message of a turn, the most messages in a switch on its way. */
static void count_meetings(short *most, const struct mt_wiring *wiring,
                           const struct turn *turn)
{
    const int nodes = wiring->nodes > turn->ranks ? wiring->nodes : turn->ranks;
    const int ports = wiring->ports;
    short counts[MT_MOST_MEETING_RANKS];
    int block = 1; /* the receivers behind a switch: at the first stage all */
    while (block < nodes)
        block *= ports;
    memset(most, 0, (size_t)turn->together * sizeof *most);
    for (int heads = 1; block > 1; block /= ports, heads *= ports) {
        const int tails = block / ports;
        memset(counts, 0, (size_t)(tails * heads) * sizeof *counts);
        for (int i = 0; i < 2 * turn->together; i++) {
            const int message = i % turn->together;
            const int sender = sender_of(turn, message);
            short *count = &counts[mt_switch_of(sender, receiver_of(turn, sender),
                                                tails, block, heads)];
            if (i < turn->together)
                ++*count;
            else if (*count > most[message])
                most[message] = *count;
        }
    }
}

static void add_meetings(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                         const struct turn *turn)
{
    short most[MT_MOST_MEETING_RANKS], slowest = 0;
    (mt_has_trunks(wiring) ? count_on_trunks : count_meetings)(most, wiring, turn);
    for (int i = 0; i < turn->together; i++) {
        if (most[i] > MT_MOST_MEETING)
            most[i] = MT_MOST_MEETING;
        slowest = most[i] > slowest ? most[i] : slowest;
    }
    for (int i = 0; i < turn->together; i++) {
        meeting->shares[slowest] += turn->waits;
        meeting->shares[most[i]] += 1 - turn->waits;
    }
    if (slowest > meeting->most)
        meeting->most = slowest;
}

static int hops_of(const struct mt_wiring *wiring, const struct turn *turn, int sender)
{
    const int receiver = receiver_of(turn, sender);
    if (mt_has_trunks(wiring))
        return sender / wiring->ports != receiver / wiring->ports;
    const int way = abs(receiver - sender);
    const int around = wiring->nodes > way ? wiring->nodes - way : way;
    return way < around ? way : around;
}

static void add_hops(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     const struct turn *turn)
{
    for (int i = 0; i < turn->together; i++) {
        const int hops = hops_of(wiring, turn, sender_of(turn, i));
        if (turn->together < turn->ranks)
            meeting->hops += hops;
        else
            meeting->hops = fmax(meeting->hops, hops);
    }
}

static void finish(struct mt_meeting *meeting, const struct turn *turn, int messages)
{
    if (turn->together == turn->ranks) {
        memset(meeting->shares, 0, sizeof meeting->shares);
        meeting->shares[meeting->most] = 1;
        return;
    }
    meeting->hops /= messages;
    for (int k = 0; k <= meeting->most; k++)
        meeting->shares[k] /= messages;
}

/* Add all turns, or one where all send; returns how many messages these are. */
static int go_around(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     struct turn turn)
{
    int messages = 0;
    do {
        if (wiring->topology != MT_TOPOLOGY_TORUS)
            add_meetings(meeting, wiring, &turn);
        if (wiring->topology != MT_TOPOLOGY_MULTISTAGE)
            add_hops(meeting, wiring, &turn);
        messages += turn.together;
        turn.first = (turn.first + turn.shift) % turn.ranks;
    } while (turn.together < turn.ranks && turn.first != 0);
    return messages;
}

/* The meetings of all turns, in step or as chance has it. */
static void find_meeting(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                         struct turn turn, int chances, bool uneven)
{
    int messages = 0;
    *meeting = (struct mt_meeting){0};
    for (int i = 0; i < (chances > 0 ? chances : 1); i++) {
        turn.chance = chances > 0 ? i + 1u : 0;
        turn.waits = turn.chance ? 0 : uneven ? 1 : even_waits;
        messages += go_around(meeting, wiring, turn);
    }
    finish(meeting, &turn, messages);
}

/* Mix in the meetings of messages that are out of step. */
static void get_out_of_step(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                            struct turn turn, bool uneven)
{
    struct mt_meeting loose;
    find_meeting(&loose, wiring, turn, CHANCES, uneven);
    meeting->steady = meeting->shares[meeting->most] > 1 - 1e-9;
    const bool in_the_way =
        mt_meeting_factor(meeting, 1) > mt_meeting_factor(&loose, 1);
    const double share = in_the_way ? crowded_share : uneven ? uneven_share : 1;
    for (int k = 0; k <= MT_MOST_MEETING; k++)
        meeting->shares[k] = share * meeting->shares[k] + (1 - share) * loose.shares[k];
    if (share == 1)
        return;
    meeting->steady = false;
    if (loose.most > meeting->most)
        meeting->most = loose.most;
}

void mt_meeting_find(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     const struct mt_demand *demand)
{
    struct turn turn;
    const bool stages = wiring->topology == MT_TOPOLOGY_MULTISTAGE &&
                        wiring->nodes <= MT_MOST_MEETING_RANKS,
               trunks = mt_has_trunks(wiring);
    *meeting = (struct mt_meeting){0};
    if ((stages || trunks || wiring->topology == MT_TOPOLOGY_TORUS) &&
        find_turn(&turn, demand)) {
        find_meeting(meeting, wiring, turn, 0, demand->rows > 0);
        if ((stages || trunks) && turn.together < turn.ranks)
            get_out_of_step(meeting, wiring, turn, demand->rows > 0);
    }
    if (meeting->most == 0) {
        meeting->most = 1;
        meeting->steady = true;
        meeting->shares[0] = trunks; /* none leaves its switch */
        meeting->shares[1] = !trunks;
    }
}

double mt_meeting_factor(const struct mt_meeting *meeting, double strength)
{
    double factor = 0;
    for (int k = 0; k <= meeting->most; k++)
        factor += meeting->shares[k] * fmax(1, k / strength);
    return factor;
}

/* Of `count` ranks, each `step` apart in the order of the remainders of their rows, the
   most that have long messages; step and `longs`, how many of all have, are below
   ranks.
 */
static int most_of(int count, double step, double longs, double ranks)
{
    bool is_long[2 * MT_MOST_MEETING];
    double place = fmod(ranks * count - step * (count - 1), ranks);
    int here = 0, most = 0;
    for (int i = 0; i < 2 * count - 1; i++) { /* the one in the middle is at 0 */
        is_long[i] = place < longs;
        here += is_long[i] - (i >= count && is_long[i - count]);
        if (i >= count - 1 && here > most)
            most = here;
        place += step;
        if (place >= ranks)
            place -= ranks;
    }
    return most;
}

double mt_long_meeting(const struct mt_wiring *wiring, const struct mt_demand *demand)
{
    const double ranks = demand->ranks;
    const double longs = round((demand->rows - floor(demand->rows)) * ranks);
    int most = longs > 0;
    for (double apart = 1; apart < ranks && longs > 0; apart *= wiring->ports) {
        const double meet = fmin(ceil(ranks / apart), wiring->ports);
        const int count = (int)fmin(meet, MT_MOST_MEETING);
        const int here = most_of(count, fmod(longs * apart, ranks), longs, ranks);
        if (here > most)
            most = here;
    }
    return most;
}
