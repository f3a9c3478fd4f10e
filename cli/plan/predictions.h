/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predictions.h - predicted times of several configurations and sizes, next to what was
 * measured there: as a table, as JSON and as a picture.
 */
#ifndef MT_CLI_PREDICTIONS_H
#define MT_CLI_PREDICTIONS_H

#include "motley/error.h"
#include "motley/model.h"
#include "motley/predictor.h"
#include "motley/tasks.h"

#include <stdbool.h>

/* One configuration at one size. */
struct mt_predicted {
    char *configuration; /* owned; canonical text */
    int group;           /* the only one used; -1: several are */
    double size;
    bool known;                      /* otherwise no model has a value there */
    struct mt_prediction prediction; /* what plans rank it by: the measured time */
    struct mt_prediction fitted;     /* beside that; the same where nothing ran */
    double measured;                 /* median of the runs; NaN: there are none */
};

/* Zeroed is empty. */
struct mt_predictions {
    const struct mt_predictor *predictor; /* borrowed */
    struct mt_predicted *all;             /* owned; in the order of the tasks */
    int count;
};

/*
 * Predict the time of every task. What no model answers for is kept as not known;
 * MT_ENOTFOUND, with the first reason, when that is all. `predictions` must be empty.
 */
MT_MUST_CHECK int mt_predictions_make(struct mt_predictions *predictions,
                                      const struct mt_predictor *predictor,
                                      const struct mt_tasks *tasks,
                                      struct mt_error *err);
void mt_predictions_clear(struct mt_predictions *predictions);

MT_MUST_CHECK int mt_predictions_print(const struct mt_predictions *predictions,
                                       struct mt_error *err);
MT_MUST_CHECK int mt_predictions_print_json(const struct mt_predictions *predictions,
                                            struct mt_error *err);
/*
 * Draw into `target`, as mt_plot_draw() takes it: predicted times over N with their
 * bands, and measured times. Each group has a diagram of its own, and so have mixed
 * configurations, with at most seven of them each.
 */
MT_MUST_CHECK int mt_predictions_plot(const struct mt_predictions *predictions,
                                      const char *target, struct mt_error *err);

#endif
