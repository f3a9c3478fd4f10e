/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prediction.h - a predicted time, and what a choice costs, in a view: the columns that
 * plan, its map, its front and predict have in common.
 */
#ifndef MT_CLI_PREDICTION_H
#define MT_CLI_PREDICTION_H

#include "cli/common/view.h"

#include "motley/model.h"
#include "motley/plan.h"

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

/* What a choice costs, in money and energy: columns as well. */
enum { MT_COSTS_PRICE, MT_COSTS_ENERGY, MT_COSTS_COLUMNS };

#define MT_COSTS_AT(first, column) MT_DESIGNATED((first) + MT_COSTS_##column)
/* These columns, from `first` on. */
/* clang-format off */
#define MT_COSTS_COLUMNS_AT(first) \
    MT_COSTS_AT(first, PRICE) = {"cost", "cost", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, ENERGY) = {"joules", "energy", MT_COLUMN_NUMBER}
/* clang-format on */

/* Set them in the view's last row; what the cluster's file says nothing of is not
   known. */
void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster);
/* Hide the columns of which the cluster's file says nothing. */
void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster);

#endif
