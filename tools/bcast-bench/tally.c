/* SPDX-License-Identifier: BSD-3-Clause */
#include "tally.h"

void tally_add(struct tally *tally, double seconds, double stock)
{
    const double ratio = seconds / stock;
    tally->patterns++;
    tally->better += ratio < 0.95;
    tally->worse += ratio > 1.05;
    if (ratio > tally->highest)
        tally->highest = ratio;
}
