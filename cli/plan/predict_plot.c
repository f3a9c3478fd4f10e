/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict_plot.h"
#include "cli/common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers to be drawn, by columns, in the order of the predictions. */
struct columns {
    double *size, *seconds, *low, *high, *measured;
};

static void fill_columns(struct columns *columns, double *room,
                         const struct mt_predictions *predictions)
{
    const size_t count = (size_t)predictions->count;
    columns->size = room;
    columns->seconds = room + count;
    columns->low = room + 2 * count;
    columns->high = room + 3 * count;
    columns->measured = room + 4 * count;
    for (size_t i = 0; i < count; i++) {
        const struct mt_predicted *predicted = &predictions->all[i];
        const struct mt_prediction *prediction = &predicted->prediction;
        columns->size[i] = predicted->size;
        columns->seconds[i] = predicted->known ? prediction->seconds : NAN;
        columns->low[i] = predicted->known ? prediction->low : NAN;
        columns->high[i] = predicted->known ? prediction->high : NAN;
        columns->measured[i] = predicted->measured;
    }
}

static bool any_measured(const struct columns *columns, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (!isnan(columns->measured[i]))
            return true;
    }
    return false;
}

/* A line for each configuration, whose predictions are neighbours, and its measured
   points. Returns how many series there are. */
static int make_series(struct mt_series *series,
                       const struct mt_predictions *predictions,
                       const struct columns *columns)
{
    const struct mt_predicted *all = predictions->all;
    int nseries = 0, color = 0;
    for (int i = 0, end; i < predictions->count; i = end, color++) {
        end = i + 1;
        while (end < predictions->count &&
               strcmp(all[i].configuration, all[end].configuration) == 0)
            end++;
        series[nseries++] = (struct mt_series){.label = all[i].configuration,
                                               .style = MT_SERIES_LINE,
                                               .color = color,
                                               .count = end - i,
                                               .x = columns->size + i,
                                               .y = columns->seconds + i,
                                               .low = columns->low + i,
                                               .high = columns->high + i};
        if (any_measured(columns, i, end))
            series[nseries++] = (struct mt_series){.style = MT_SERIES_POINTS,
                                                   .color = color,
                                                   .count = end - i,
                                                   .x = columns->size + i,
                                                   .y = columns->measured + i};
    }
    return nseries;
}

static int draw(const struct mt_panel *panel, const struct mt_inputs *inputs,
                const char *kind, const char *target, struct mt_error *err)
{
    char title[256], subtitle[128];
    snprintf(title, sizeof title, "%s on %s", inputs->program.name,
             inputs->cluster.name);
    snprintf(subtitle, sizeof subtitle, "%slines: %s models; points: measured",
             mt_cluster_simulated(&inputs->cluster) ? "simulated; " : "", kind);
    const struct mt_plot plot = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "problem size N",
                                 .log_x = true,
                                 .panels = panel,
                                 .count = 1};
    return mt_plot_draw(&plot, target, err);
}

int mt_predictions_plot(const struct mt_predictions *predictions,
                        const struct mt_inputs *inputs, const char *target,
                        struct mt_error *err)
{
    const size_t count = (size_t)predictions->count;
    double *room = calloc(5 * count, sizeof *room);
    struct mt_series *series = calloc(2 * count, sizeof *series);
    int status = MT_OK;
    if (room && series) {
        struct columns columns;
        fill_columns(&columns, room, predictions);
        const struct mt_panel panel = {.y_label = "seconds",
                                       .log_y = true,
                                       .series = series,
                                       .count =
                                           make_series(series, predictions, &columns)};
        status =
            draw(&panel, inputs, mt_model_kind_name(predictions->kind), target, err);
    } else {
        status = mt_fail(err, MT_ENOMEM, "no memory for the picture");
    }
    free(series);
    free(room);
    return status;
}
