/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations and memory traffic of a Strassen product. */
#include "internal.h"
#include "tuning.h"

#include <math.h>

/*
 * The sums of one level, in passes over a quarter of A (m k / 4 doubles), B and C, as
 * the papers make them: four sums of A's quarters and four of B's, each reads two and
 * writes one (libmotley-strassen moves 10, not 12); those of C's products read four and
 * write three, and do so once more beforehand if C already has values.
 */
enum { PASSES_A = 12, PASSES_B = 12, PASSES_C = 7 };

static double quarter_bytes(double rows, double columns)
{
    return rows * columns / 4 * (double)sizeof(double);
}

/* The size of square matrices with the same speed: the harmonic mean of m, n and k,
   where a depth in whole blocks counts as the other two do. */
static double find_leaf(double m, double n, double k)
{
    if (!(m > 0 && n > 0 && k > 0))
        return 0;
    const double others = (1 / m + 1 / n) / 2, pass = k / ceil(k / blas_depth);
    return 3 / (2 * others + fmin(1 / k, others + 1 / pass - 1 / blas_depth));
}

struct mt_strassen_cost mt_strassen_cost(double m, double n, double k, int levels,
                                         bool accumulate)
{
    /* In a level that overwrites C, four of the seven products overwrite, too. */
    double products = 1, overwriting = accumulate ? 0 : 1, bytes = 0;
    for (int level = 0; level < levels; level++) {
        double once = PASSES_A * quarter_bytes(m, k) + PASSES_B * quarter_bytes(k, n) +
                      PASSES_C * quarter_bytes(m, n);
        double ahead = PASSES_C * quarter_bytes(m, n);
        bytes += products * once + (products - overwriting) * ahead;
        products *= 7;
        overwriting *= 4;
        m /= 2;
        n /= 2;
        k /= 2;
    }
    return (struct mt_strassen_cost){
        .flops = products * 2 * m * n * k,
        .products = products,
        .leaf = find_leaf(m, n, k),
        .bytes = bytes,
    };
}

double mt_strassen_seconds(const struct mt_strassen_speed *speed, double m, double n,
                           double k, int levels, bool accumulate)
{
    const struct mt_strassen_cost cost = mt_strassen_cost(m, n, k, levels, accumulate);
    if (cost.leaf <= 0)
        return 0;
    return cost.flops / speed->flops * (1 + speed->half / cost.leaf) +
           cost.bytes / speed->bandwidth;
}

int mt_strassen_best_levels(const struct mt_strassen_speed *speed, double m, double n,
                            double k, int most, bool accumulate)
{
    int best = 0;
    double least = INFINITY;
    for (int levels = 0; levels <= most && levels <= MT_STRASSEN_MAX_LEVELS; levels++) {
        const double seconds = mt_strassen_seconds(speed, m, n, k, levels, accumulate);
        if (seconds < least) {
            least = seconds;
            best = levels;
        }
    }
    return best;
}
