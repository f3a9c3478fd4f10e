/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages share links of a bus, torus or multistage network. */
#include "meeting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Examines all turns of a run once. */
struct turns {
    int ranks, together, shift;
    bool is_grid;
    int count;
};

struct message {
    int sender, receiver;
};

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* False: who sends to whom is not known. */
static bool find_turns(struct turns *turns, const struct mt_demand *demand)
{
    if (!(demand->ranks >= 2) || !(demand->ranks <= MT_MOST_MEETING_RANKS) ||
        !(demand->shift >= 0.5) || isinf(demand->shift))
        return false;
    const int ranks = (int)demand->ranks;
    *turns = (struct turns){
        .ranks = ranks,
        .together = (int)lround(fmin(mt_together(demand), ranks)),
        .shift = (int)lround(fmod(demand->shift, ranks)),
        .is_grid = mt_is_grid(demand),
        .count = 1,
    };
    if (turns->is_grid)
        turns->count = 2 * turns->together;
    else if (turns->together < ranks)
        turns->count = ranks / common_divisor(ranks, turns->shift);
    return turns->together > 0;
}

/* Message i of a turn. In a grid, first all go down, then all across. */
static struct message message_of(const struct turns *turns, int turn, int i)
{
    if (turns->is_grid) {
        const int edge = turns->together, on = (i + turn) % edge;
        if (turn < edge)
            return (struct message){on * edge + i, (on + 1) % edge * edge + i};
        return (struct message){i * edge + on, i * edge + (on + 1) % edge};
    }
    const long first = (long)turn * turns->shift + i;
    return (struct message){(int)(first % turns->ranks),
                            (int)((first + turns->shift) % turns->ranks)};
}

/* The most messages of a turn that leave a switch, or come to one, from another. */
static int count_on_trunks(const struct mt_wiring *wiring, const struct turns *turns,
                           int turn)
{
    short leave[MT_MOST_MEETING_RANKS] = {0}, come[MT_MOST_MEETING_RANKS] = {0};
    int most = 0;
    for (int i = 0; i < turns->together; i++) {
        const struct message message = message_of(turns, turn, i);
        const int from = message.sender / wiring->ports,
                  to = message.receiver / wiring->ports;
        if (from == to)
            continue;
        most = ++leave[from] > most ? leave[from] : most;
        most = ++come[to] > most ? come[to] : most;
    }
    return most;
}

/* The most messages of a turn in a switch of a multistage network. */
static int count_in_stages(const struct mt_wiring *wiring, const struct turns *turns,
                           int turn)
{
    const int nodes = wiring->nodes > turns->ranks ? wiring->nodes : turns->ranks;
    short counts[MT_MOST_MEETING_RANKS];
    int most = 0, block = mt_power_of(wiring->ports, nodes);
    for (int heads = 1; block > 1; block /= wiring->ports, heads *= wiring->ports) {
        const int tails = block / wiring->ports;
        memset(counts, 0, (size_t)(tails * heads) * sizeof *counts);
        for (int i = 0; i < turns->together; i++) {
            const struct message message = message_of(turns, turn, i);
            short *count = &counts[mt_switch_of(message.sender, message.receiver, tails,
                                                block, heads)];
            most = ++*count > most ? *count : most;
        }
    }
    return most;
}

int mt_hops(const struct mt_wiring *wiring, int sender, int receiver)
{
    if (mt_has_trunks(wiring))
        return sender / wiring->ports != receiver / wiring->ports;
    if (wiring->topology != MT_TOPOLOGY_TORUS)
        return 0;
    const int way = abs(receiver - sender);
    const int around = wiring->nodes > way ? wiring->nodes - way : way;
    return way < around ? way : around;
}

/* The mean; if all send, the most, since each finally waits for the slowest. */
static double count_hops(const struct mt_wiring *wiring, const struct turns *turns)
{
    double sum = 0, most = 0;
    for (int turn = 0; turn < turns->count; turn++)
        for (int i = 0; i < turns->together; i++) {
            const struct message message = message_of(turns, turn, i);
            const double hops = mt_hops(wiring, message.sender, message.receiver);
            sum += hops;
            most = fmax(most, hops);
        }
    return turns->together == turns->ranks
               ? most
               : sum / ((double)turns->count * turns->together);
}

void mt_meeting_find(struct mt_meeting *meeting, const struct mt_wiring *wiring,
                     const struct mt_demand *demand)
{
    struct turns turns;
    const bool stages = wiring->topology == MT_TOPOLOGY_MULTISTAGE &&
                        wiring->nodes <= MT_MOST_MEETING_RANKS,
               trunks = mt_has_trunks(wiring);
    *meeting = (struct mt_meeting){.most = 1};
    const bool known = (stages || trunks || wiring->topology == MT_TOPOLOGY_TORUS) &&
                       find_turns(&turns, demand);
    if (known)
        meeting->hops = count_hops(wiring, &turns);
    for (int turn = 0; known && (stages || trunks) && turn < turns.count; turn++) {
        const int counted =
            (trunks ? count_on_trunks : count_in_stages)(wiring, &turns, turn);
        const int most = counted < MT_MOST_MEETING ? counted : MT_MOST_MEETING;
        meeting->shares[most] += 1.0 / turns.count;
        meeting->most = most > meeting->most ? most : meeting->most;
    }
    if (!known || !(stages || trunks))
        meeting->shares[!trunks] = 1;
}

double mt_meeting_factor(const struct mt_meeting *meeting, double strength)
{
    double factor = 0;
    for (int k = 0; k <= meeting->most; k++)
        factor += meeting->shares[k] * fmax(1, k / strength);
    return factor;
}
