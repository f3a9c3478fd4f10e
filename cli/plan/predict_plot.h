/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_plot.h - the picture of predict: times over N, a line for each configuration
 * with the band of its interval, and what was measured as points.
 */
#ifndef MT_CLI_PREDICT_PLOT_H
#define MT_CLI_PREDICT_PLOT_H

#include "cli/common/command.h"
#include "predictions.h"

/* Draw into `target`, as mt_plot_draw() takes it. */
MT_MUST_CHECK int mt_predictions_plot(const struct mt_predictions *predictions,
                                      const struct mt_inputs *inputs,
                                      const char *target, struct mt_error *err);

#endif
