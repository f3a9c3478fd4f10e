/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selection.h - least squares in which cross-validation chooses the columns and the
 * weight of a ridge.
 *
 * Relative errors: the columns of each row are to add up to 1. Unknowns are not
 * negative. Columns belong to sets, of which all are taken or none. Beginning with the
 * sets that are taken in any case, the one is added that lowers the error of held-out
 * rows most, as long as there is one; sets without which that error is no larger go
 * again.
 */
#ifndef MT_MODEL_SELECTION_H
#define MT_MODEL_SELECTION_H

#include "lib/math/gram.h"
#include "motley/error.h"

#include <stdbool.h>

/* The problem. All borrowed. */
struct mt_selection {
    const struct mt_sparse_row *rows; /* `right` is not looked at */
    int nrows, ncolumns, nsets, nfolds;
    const int *set;     /* of each column */
    const bool *fixed;  /* sets that are taken in any case */
    const bool *first;  /* sets to begin with; they include the fixed ones */
    const bool *held;   /* nfolds x nrows: held out in that fold */
    const bool *judged; /* likewise: its error there counts for the row; NULL: all do */
    double ridge;       /* no choice: what is fixed, with this ridge; 0: choose */
};

/* What comes out; arrays are the caller's. */
struct mt_selected {
    bool *taken;  /* of each set */
    double *x;    /* of each column */
    double *held; /* of each row: mean square of its errors where it was held out; NaN:
                     it never was */
    double ridge;
    double score; /* root mean square error of what was held out, each fold counting
                     alike; 0 without folds */
};

MT_MUST_CHECK int mt_select(struct mt_selected *selected,
                            const struct mt_selection *selection, struct mt_error *err);

#endif
