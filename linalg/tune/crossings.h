/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossings.h - find the size from which another level pays: for squares, which also
 * determine other shapes.
 */
#ifndef MT_TUNE_CROSSINGS_H
#define MT_TUNE_CROSSINGS_H

#include "gain.h"
#include "motley/error.h"

struct tune_plan {
    struct tune_effort effort; /* for the search */
    struct tune_effort check;  /* a check of the result; longest 0: none */
    double start;              /* the first squares that are tried */
    double resolution;         /* accept a crossing known within this factor */
    double seconds;            /* after which a search tries only larger ones */
    /* Called after each measured size; NULL: not called. */
    void (*tell)(const struct tune_square *square, double gain);
};

/* INFINITY: no level surely pays within the longest products. */
MT_MUST_CHECK int tune_crossings(struct mt_strassen_tuning *tuning,
                                 const struct tune_plan *plan, struct mt_error *err);

#endif
