/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the sizes from which Strassen's method pays on this machine; part of
 * libmotley-strassen.
 */
#ifndef MT_TUNING_H
#define MT_TUNING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The crossing beyond which another level pays (as in Huss-Lederman et al. 1996):
 * another level is taken when
 *
 *     rows / m + columns / n + depth / k <= 1
 *
 * so that for squares the crossing is at rows + columns + depth. A huge number: never.
 */
struct mt_strassen_cutoff {
    double rows, columns, depth;
};

/* Where the machine's crossings are; found by `motley tune`, see motley-tune(1). */
struct mt_strassen_tuning {
    struct mt_strassen_cutoff overwrite;  /* beta is 0 */
    struct mt_strassen_cutoff accumulate; /* it is not */
    int threads;                          /* that make sums; 0 counts as 1 */
    bool finite; /* check for NaN and infinities first: products with any use dgemm
                    alone, so they spread no further in C */
};

/* The crossings measured on this machine for the BLAS's current number of threads, read
   once from the user's cache folder; without that, a cautious guess. Owned by the
   library. */
const struct mt_strassen_tuning *mt_strassen_tuned(void);

#ifdef __cplusplus
}
#endif

#endif
