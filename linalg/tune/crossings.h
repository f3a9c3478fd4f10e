/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossings.h - find from where on another level pays: for squares, and for
 * products that are thin in rows, in columns and in depth. And what is to make the
 * products of the lowest level.
 */
#ifndef MT_TUNE_CROSSINGS_H
#define MT_TUNE_CROSSINGS_H

#include "gain.h"
#include "motley/error.h"

struct tune_plan {
    struct tune_effort effort, check; /* for the search; for what it has found */
    double start;                     /* the first squares that are tried */
    double resolution;                /* their crossing is known but for this factor */
    double seconds;                   /* after which a search tries only larger ones */
    bool only_squares;                /* all shapes are taken for alike */
    bool kernel;                      /* makes the products of the lowest level */
    /* Told of every shape that was measured; NULL: nobody is. */
    void (*tell)(const struct tune_shape *shape, const char *way, double gain);
};

/* Whether the kernel is at least as fast as the BLAS in the (geometric) mean of some
   shapes, large and transposed ones among them; false where most take too long. */
MT_MUST_CHECK int tune_kernel(bool *faster, const struct tune_plan *plan,
                              struct mt_error *err);

/* INFINITY where no level was seen to pay surely within the longest products. */
MT_MUST_CHECK int tune_crossings(struct mt_strassen_tuning *tuning,
                                 const struct tune_plan *plan, struct mt_error *err);

/* Leave out what does not pay for squares of 2000 to 4000: levels, against the same way
   without; and all, against the BLAS alone. */
MT_MUST_CHECK int tune_confirm(struct mt_strassen_tuning *tuning,
                               const struct tune_plan *plan, struct mt_error *err);

#endif
