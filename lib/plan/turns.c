/* SPDX-License-Identifier: BSD-3-Clause */
#include "turns.h"

#include <math.h>

/* More than all roundings of a sum over the groups. */
static const double rounding = 1e-13;

int mt_turns_of_group(struct mt_turns *turns, const struct mt_space *space, int first,
                      int end, const double *seconds, const double *serial,
                      double threshold)
{
    const int group = space->options[first].group;
    const int nodes = space->cluster->groups[group].nodes;
    int count = 0, reached = 0; /* processes on each node */
    double work = 0;            /* of so many on one node */
    for (;;) {
        int best = -1;
        double rate = INFINITY;
        for (int i = first; i < end; i++) {
            const int m = space->options[i].processes;
            if (m <= reached || seconds[i] > threshold)
                continue;
            const double r = (m * serial[i] - work) / (m - reached);
            if (r < rate) {
                best = i;
                rate = r;
            }
        }
        if (best < 0)
            return count;
        const int m = space->options[best].processes;
        turns[count++] = (struct mt_turns){
            .group = group, .ranks = (int64_t)(m - reached) * nodes, .seconds = rate};
        reached = m;
        work = m * serial[best];
    }
}

void mt_turns_sort(struct mt_turns *turns, int count)
{
    for (int i = 1; i < count; i++) {
        const struct mt_turns moved = turns[i];
        int j = i;
        for (; j > 0 && moved.seconds < turns[j - 1].seconds; j--)
            turns[j] = turns[j - 1];
        turns[j] = moved;
    }
}

double mt_turns_least(const struct mt_turns *turns, int count, const bool *used,
                      int64_t total)
{
    double work = 0;
    for (int i = 0; i < count && total > 0; i++) {
        if (used && used[turns[i].group])
            continue;
        const int64_t ranks = total < turns[i].ranks ? total : turns[i].ranks;
        work += (double)ranks * turns[i].seconds;
        total -= ranks;
    }
    return total > 0 ? INFINITY : work * (1 - rounding);
}
