/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluation_output.h"

#include "cli/common/plot.h"

#include <stdlib.h>

/* What is drawn of one kind of models: a value for each size. */
struct curves {
    double *numbers; /* owned; what the others point into */
    double *sizes, *predicted, *chosen, *best, *regret;
    char predicted_label[64], chosen_label[64];
};

static int fill_curves(struct curves *curves, const struct mt_evaluation *evaluation,
                       struct mt_error *err)
{
    const int count = evaluation->count;
    curves->numbers = calloc(5 * (size_t)count, sizeof *curves->numbers);
    if (!curves->numbers)
        return mt_fail(err, MT_ENOMEM, "no memory to draw %d sizes", count);
    curves->sizes = curves->numbers;
    curves->predicted = curves->sizes + count;
    curves->chosen = curves->predicted + count;
    curves->best = curves->chosen + count;
    curves->regret = curves->best + count;
    for (int i = 0; i < count; i++) {
        const struct mt_verdict *verdict = &evaluation->verdicts[i];
        curves->sizes[i] = verdict->size;
        curves->predicted[i] = verdict->predicted_seconds;
        curves->chosen[i] = verdict->chosen_seconds;
        curves->best[i] = verdict->best_seconds;
        curves->regret[i] = 100 * mt_verdict_regret(verdict);
    }
    const char *kind = mt_model_kind_name(evaluation->kind);
    snprintf(curves->predicted_label, sizeof curves->predicted_label,
             "best of %s, predicted", kind);
    snprintf(curves->chosen_label, sizeof curves->chosen_label, "best of %s, measured",
             kind);
    return MT_OK;
}

static int draw(const struct mt_evaluations *all, const struct curves *curves,
                const char *target, struct mt_error *err)
{
    const int sizes = all->evaluations[0].count;
    struct mt_series times[2 * MT_NMODEL_KINDS + 1], regrets[MT_NMODEL_KINDS];
    /* The truth comes first, so that the models' symbols are drawn upon it. */
    times[0] = (struct mt_series){.label = "true best, measured",
                                  .style = MT_SERIES_LINE,
                                  .color = MT_SERIES_BLACK,
                                  .count = sizes,
                                  .x = curves[0].sizes,
                                  .y = curves[0].best};
    for (int i = 0; i < all->count; i++) {
        const struct mt_series line = {.label = curves[i].predicted_label,
                                       .style = MT_SERIES_LINE,
                                       .color = i,
                                       .count = sizes,
                                       .x = curves[i].sizes,
                                       .y = curves[i].predicted};
        times[1 + 2 * i] = times[2 + 2 * i] = regrets[i] = line;
        times[2 + 2 * i].label = curves[i].chosen_label;
        times[2 + 2 * i].style = MT_SERIES_POINTS;
        times[2 + 2 * i].y = curves[i].chosen;
        regrets[i].label = mt_model_kind_name(all->evaluations[i].kind);
        regrets[i].y = curves[i].regret;
    }
    const struct mt_panel panels[] = {
        {.y_label = "seconds",
         .log_y = true,
         .series = times,
         .count = 2 * all->count + 1},
        {.y_label = "regret [%]", .series = regrets, .count = all->count},
    };
    char title[256];
    const struct mt_truth *truth = all->truth;
    snprintf(title, sizeof title, "%s on %s", truth->program->name,
             truth->cluster->name);
    const struct mt_plot plot = {
        .title = title,
        .subtitle = mt_cluster_simulated(truth->cluster) ? "simulated" : NULL,
        .x_label = "problem size N",
        .log_x = true,
        .panels = panels,
        .count = 2};
    return mt_plot_draw(&plot, target, err);
}

int mt_evaluations_plot(const struct mt_evaluations *all, const char *target,
                        struct mt_error *err)
{
    struct curves curves[MT_NMODEL_KINDS] = {0};
    int status = MT_OK;
    for (int i = 0; i < all->count && status == MT_OK; i++)
        status = fill_curves(&curves[i], &all->evaluations[i], err);
    if (status == MT_OK)
        status = draw(all, curves, target, err);
    for (int i = 0; i < all->count; i++)
        free(curves[i].numbers);
    return status;
}
