/* SPDX-License-Identifier: BSD-3-Clause */
#include "panels.h"

enum { HALVES = 3 /* that count: panels are not cut deeper very often */ };

/* How often all of the panels can be halved; -1: they are not equally wide. */
static int find_halves(int k, int panels)
{
    if (k % panels != 0)
        return -1;
    int halves = 0;
    for (int width = k / panels; width % 2 == 0 && halves < HALVES; width /= 2)
        halves++;
    return halves;
}

int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k)
{
    int n = 0;
    counts[n++] = least <= k ? least : 1;
    for (;;) {
        const int last = counts[n - 1];
        int best = (5 * last + 3) / 4;
        for (int next = best + 1; next <= 2 * last; next++)
            if (find_halves(k, next) > find_halves(k, best))
                best = next;
        if (best > k || best > MT_PARTITION_MOST_PANELS)
            return n;
        counts[n++] = best;
    }
}
