/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan_turns.h"

#include <math.h>

/* More than all roundings of a sum over the groups. */
static const double rounding = 1e-14;

void mt_turns_sort(struct mt_turns *groups, int count)
{
    for (int i = 1; i < count; i++) {
        const struct mt_turns moved = groups[i];
        int j = i;
        for (; j > 0 && moved.seconds < groups[j - 1].seconds; j--)
            groups[j] = groups[j - 1];
        groups[j] = moved;
    }
}

double mt_turns_least(const struct mt_turns *groups, int count, int64_t total)
{
    double work = 0;
    for (int i = 0; i < count && total > 0; i++) {
        const int64_t ranks = total < groups[i].ranks ? total : groups[i].ranks;
        work += (double)ranks * groups[i].seconds;
        total -= ranks;
    }
    return total > 0 ? INFINITY : work * (1 - rounding);
}
