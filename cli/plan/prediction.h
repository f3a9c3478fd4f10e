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
    MT_PREDICTION_INTERVAL, /* in the table, with a mark when extrapolated or unseen */
    MT_PREDICTION_LOW,
    MT_PREDICTION_HIGH,
    MT_PREDICTION_EXTRAPOLATED,
    MT_PREDICTION_UNSEEN,
    MT_PREDICTION_COLUMNS
};

/* [index], which clang-format takes for Objective-C if it holds more than a name. */
#define MT_DESIGNATED(index) [index]
#define MT_PREDICTION_AT(first, column) MT_DESIGNATED((first) + MT_PREDICTION_##column)
/* These columns, from `first` on. The interval's title leaves room for the mark. */
/* clang-format off */
#define MT_PREDICTION_COLUMNS_AT(first) \
    MT_PREDICTION_AT(first, SECONDS) = {"seconds", "predicted", MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, INTERVAL) = {NULL, "90 % interval  ", MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, LOW) = {"low", NULL, MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, HIGH) = {"high", NULL, MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, EXTRAPOLATED) = {"extrapolated", NULL, MT_COLUMN_FLAG}, \
    MT_PREDICTION_AT(first, UNSEEN) = {"unseen", NULL, MT_COLUMN_FLAG}
/* clang-format on */

/* Set them in the view's last row; NULL: nothing is predicted, JSON leaves it out. */
void mt_prediction_view(struct mt_view *view, int first,
                        const struct mt_prediction *prediction);

/* Show another one in the table, in the place of that in JSON. */
void mt_prediction_show(struct mt_view *view, int first,
                        const struct mt_prediction *prediction);

/* The marks in a table, and the lines below it that say what they mean. */
struct mt_prediction_marks {
    bool extrapolated, unseen;
};
void mt_prediction_marks_take(struct mt_prediction_marks *marks,
                              const struct mt_prediction *prediction);
void mt_prediction_marks_print(const struct mt_prediction_marks *marks, FILE *stream);

#endif
