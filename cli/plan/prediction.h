/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prediction.h - a predicted time in a view: the columns that plan, its map and predict
 * have in common.
 */
#ifndef MT_CLI_PREDICTION_H
#define MT_CLI_PREDICTION_H

#include "cli/common/view.h"

#include "motley/model.h"

enum {
    MT_PREDICTION_SECONDS,
    MT_PREDICTION_INTERVAL, /* in the table, with an asterisk when extrapolated */
    MT_PREDICTION_LOW,
    MT_PREDICTION_HIGH,
    MT_PREDICTION_EXTRAPOLATED,
    MT_PREDICTION_COLUMNS
};

/* These columns, from `first` on. The interval's title leaves room for the asterisk. */
#define MT_PREDICTION_COLUMNS_AT(first) \
    [first + MT_PREDICTION_SECONDS] = {"seconds", "predicted", MT_COLUMN_SECONDS}, \
    [first + MT_PREDICTION_INTERVAL] = {NULL, "90 % interval  ", MT_COLUMN_SECONDS}, \
    [first + MT_PREDICTION_LOW] = {"low", NULL, MT_COLUMN_SECONDS}, \
    [first + MT_PREDICTION_HIGH] = {"high", NULL, MT_COLUMN_SECONDS}, \
    [first + MT_PREDICTION_EXTRAPOLATED] = {"extrapolated", NULL, MT_COLUMN_FLAG}

/* Set them in the view's last row; NULL: nothing is predicted, which JSON leaves out. */
void mt_prediction_view(struct mt_view *view, int first,
                        const struct mt_prediction *prediction);

#endif
