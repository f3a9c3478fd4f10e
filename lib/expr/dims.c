/* SPDX-License-Identifier: BSD-3-Clause */
#include "dims.h"

#include <limits.h>
#include <math.h>

/* Ranges of fewer whole numbers than this are evaluated one by one. */
enum { NARROW = 16 };

int mt_dims_pack(int count, int place)
{
    return count * MT_DIMS_MOST + place - 1;
}

int mt_dims_count(double which)
{
    return (int)which / MT_DIMS_MOST;
}

/* The larger of two factors of n that are closest to each other, the smaller being at
   least `least`; 0: there are none. */
static int larger_of_two(int n, int least)
{
    int smaller = (int)sqrt(n);
    while (smaller >= least && n % smaller != 0)
        smaller--;
    return smaller >= least ? n / smaller : 0;
}

/*
 * Three factors in descending order: the largest and the smallest closest to each
 * other, and of equals those with the larger smallest one. With the smallest from the
 * cube root on down, the largest, at least the root of the rest, moves away from it.
 */
static void split_in_three(int n, int factors[3])
{
    int least_spread = INT_MAX;
    for (int smallest = (int)(cbrt(n) + 0.5); smallest >= 1; smallest--) {
        if (sqrt((double)n / smallest) - smallest >= least_spread)
            break;
        if (n % smallest != 0)
            continue;
        const int rest = n / smallest, largest = larger_of_two(rest, smallest);
        if (largest == 0 || largest - smallest >= least_spread)
            continue;
        least_spread = largest - smallest;
        factors[0] = largest;
        factors[1] = rest / largest;
        factors[2] = smallest;
    }
}

static void split(int n, int count, int factors[MT_DIMS_MOST])
{
    factors[0] = n;
    factors[1] = factors[2] = 1;
    const int larger = count == 2 ? larger_of_two(n, 1) : 0;
    if (larger > 0) {
        factors[0] = larger;
        factors[1] = n / larger;
    } else if (count == 3) {
        split_in_three(n, factors);
    }
}

/*
 * A search for a plan asks for the same numbers in the models of all groups, for each
 * factor: finding them anew took most of its time. So each thread keeps the latest
 * answers. They are no state: the same question always has the same answer.
 */
enum { KEPT = 256 };

struct answer {
    int n, count;
    int factors[MT_DIMS_MOST];
};

double mt_dims_value(double total, double which)
{
    static _Thread_local struct answer kept[KEPT];
    if (!(total >= 1 && total <= INT_MAX) || total != floor(total))
        return NAN;
    const int n = (int)total, count = mt_dims_count(which);
    struct answer *answer = &kept[((unsigned)n + (unsigned)count * (KEPT / 4)) % KEPT];
    if (answer->n != n || answer->count != count) {
        split(n, count, answer->factors);
        answer->n = n;
        answer->count = count;
    }
    return answer->factors[(int)which % MT_DIMS_MOST];
}

/* Bounds of the n-th root; room for cbrt() being inexact. */
static struct mt_range root(struct mt_range range, int n)
{
    if (n == 1)
        return range;
    if (n == 2)
        return (struct mt_range){sqrt(range.low), sqrt(range.high)};
    return (struct mt_range){cbrt(range.low) * (1 - 1e-12),
                             cbrt(range.high) * (1 + 1e-12)};
}

struct mt_range mt_dims_range(struct mt_range total, double which)
{
    const struct mt_range whole = {ceil(total.low), floor(total.high)};
    if (!(total.low >= 1 && total.high <= INT_MAX && whole.low <= whole.high))
        return (struct mt_range){NAN, NAN};
    if (whole.high - whole.low < NARROW) {
        struct mt_range range = {INFINITY, -INFINITY};
        for (int i = 0; i <= whole.high - whole.low; i++) {
            const double value = mt_dims_value(whole.low + i, which);
            range.low = fmin(range.low, value);
            range.high = fmax(range.high, value);
        }
        return range;
    }
    /* The largest is at least the root, and the place-th at most the place-th root. */
    const int count = mt_dims_count(which), place = (int)which % MT_DIMS_MOST + 1;
    return (struct mt_range){place == 1 ? ceil(root(whole, count).low) : 1,
                             floor(root(whole, place).high)};
}
