/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gain.h - the speed-up of products of squares in one way over another: measured in
 * pairs, one in each way, as the machine's speed changes.
 */
#ifndef MT_TUNE_GAIN_H
#define MT_TUNE_GAIN_H

#include "motley/error.h"
#include "motley/strassen.h"

struct tune_square {
    int n;
    double beta;
};

/* How much is measured. */
struct tune_effort {
    int threads;    /* that are used; with 1, time of others on its core does not
                       count */
    double seconds; /* wanted for the pairs of a size */
    int pairs;      /* at least */
    double longest; /* seconds; products that take longer are not tried */
};

/* Two ways to make products. */
struct tune_ways {
    struct mt_strassen_how now, other;
};

enum { TUNE_PAIRS = 25 };

/* How many times as fast the other way is. */
struct tune_gain {
    double factor;             /* median of the pairs; 0 if none */
    double ratios[TUNE_PAIRS]; /* of each pair, the least first */
    int pairs;                 /* 0: products take too long to try */
    double seconds;            /* of a product, in the current way */
};

/* MT_ENOMEM. */
MT_MUST_CHECK int tune_gain(struct tune_gain *gain, const struct tune_square *square,
                            const struct tune_ways *ways,
                            const struct tune_effort *effort, struct mt_error *err);

#endif
