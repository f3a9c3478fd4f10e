/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_cost.h - what a product by Strassen's method asks of a processor, and how
 * long one takes for it. Pure arithmetic, shared by the command (which predicts), the
 * simulated programs (which charge time) and the library (which chooses a depth).
 *
 * A product C = A B or C = C + A B of an m x k matrix by a k x n matrix, `levels` times
 * cut in halves (Winograd's variant, 7 products a level), comes to 7^levels products of
 * m/2^l x k/2^l by k/2^l x n/2^l matrices, by the BLAS, and the sums of quarters around
 * them, which are bound by the memory.
 */
#ifndef MT_STRASSEN_COST_H
#define MT_STRASSEN_COST_H

#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

enum { MT_STRASSEN_MAX_LEVELS = 8 };

struct mt_strassen_cost {
    double flops;    /* of the products of the lowest level */
    double products; /* how many these are */
    double leaf;     /* their size: the harmonic mean of m, n and k there */
    double bytes;    /* that the sums of all levels move to and from memory */
};

/* Of a product in `levels` levels; `accumulate`: it is added to C, which takes more
   sums. Sizes >= 0; levels from 0 to MT_STRASSEN_MAX_LEVELS. */
struct mt_strassen_cost mt_strassen_cost(double m, double n, double k, int levels,
                                         bool accumulate);

/*
 * What a processor does: products of size s at flops * s / (s + half) operations a
 * second, sums at `bandwidth` bytes a second.
 */
struct mt_strassen_speed {
    double flops;     /* operations a second of a large product by the BLAS */
    double half;      /* the size at which it has half of that; >= 0 */
    double bandwidth; /* bytes a second; infinite: sums cost nothing */
};

/* A run on one processor: an n x n product in so many levels. */
struct mt_strassen_sample {
    double size, seconds;
    int levels;
};

/* Seconds of a product. */
double mt_strassen_seconds(const struct mt_strassen_speed *speed, double m, double n,
                           double k, int levels, bool accumulate);
/* The number of levels, at most `most`, that is fastest. */
int mt_strassen_best_levels(const struct mt_strassen_speed *speed, double m, double n,
                            double k, int most, bool accumulate);
/*
 * The speed that explains the runs best (least squares of relative residuals,
 * non-negative): `half` is 0 unless there are runs without levels at two sizes,
 * `bandwidth` infinite unless there are some with levels. MT_ERANK when no run is
 * without levels; MT_EINVAL for sizes or seconds that are not above 0.
 */
MT_MUST_CHECK int mt_strassen_speed_fit(struct mt_strassen_speed *speed,
                                        const struct mt_strassen_sample *samples,
                                        int count, struct mt_error *err);

MT_C_END

#endif
