/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_pays.h - does another level pay for products of a shape? Measured in pairs, a
 * product with the level and one without, as the machine's speed changes.
 */
#ifndef MT_STRASSEN_TUNE_PAYS_H
#define MT_STRASSEN_TUNE_PAYS_H

#include "motley/error.h"

#include <stdbool.h>

struct tune_shape {
    int m, n, k;
    double beta;
};

/* How much is measured. */
struct tune_effort {
    double seconds; /* wanted for the pairs of a shape */
    int pairs;      /* at least */
    double longest; /* seconds; products that take longer are not tried */
};

enum tune_answer { TUNE_PAYS, TUNE_LOSES, TUNE_TOO_LONG };

/* The level pays where it wins in three of four pairs. MT_ENOMEM. */
MT_MUST_CHECK int tune_pays(enum tune_answer *answer, const struct tune_shape *shape,
                            const struct tune_effort *effort, struct mt_error *err);

#endif
