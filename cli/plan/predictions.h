/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predictions.h - predicted times of several configurations and sizes, next to what was
 * measured there.
 */
#ifndef MT_CLI_PREDICTIONS_H
#define MT_CLI_PREDICTIONS_H

#include "cli/measure/campaign.h"

#include "motley/error.h"
#include "motley/models.h"
#include "motley/predictor.h"

#include <stdbool.h>

/* One configuration at one size. */
struct mt_predicted {
    char *configuration; /* owned; canonical text */
    double size;
    bool known; /* otherwise no model has a value there */
    struct mt_prediction prediction;
    double measured; /* median of the runs; NaN: there are none */
};

/* Zeroed is empty. */
struct mt_predictions {
    enum mt_model_kind kind;
    int corrections;          /* runs that the models are corrected by */
    struct mt_predicted *all; /* owned; in the order of the tasks */
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

#endif
