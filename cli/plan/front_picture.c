/* SPDX-License-Identifier: BSD-3-Clause */
#include "front.h"

#include "planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many points are called by their configurations, if these are no longer;
   others by their numbers in the table. */
enum { MOST_NAMED = 12, LONGEST_NAME = 28 };
/* An axis over a larger ratio is logarithmic. */
static const double wide = 20;

struct front_picture {
    int count;
    double *seconds, *values;           /* owned; of the points */
    double *step_seconds, *step_values; /* owned; of the corners of the steps */
    char **names;                       /* owned, as is each */
};

static bool picture_init(struct front_picture *picture, int count)
{
    const size_t points = (size_t)count, corners = 2 * points;
    picture->count = count;
    picture->seconds = calloc(points, sizeof *picture->seconds);
    picture->values = calloc(points, sizeof *picture->values);
    picture->step_seconds = calloc(corners, sizeof *picture->step_seconds);
    picture->step_values = calloc(corners, sizeof *picture->step_values);
    picture->names = calloc(points, sizeof *picture->names);
    return picture->seconds && picture->values && picture->step_seconds &&
           picture->step_values && picture->names;
}

static void picture_clear(struct front_picture *picture)
{
    for (int i = 0; picture->names && i < picture->count; i++)
        free(picture->names[i]);
    free(picture->names);
    free(picture->seconds);
    free(picture->values);
    free(picture->step_seconds);
    free(picture->step_values);
}

/* As the table and JSON have it, but energy in kJ. */
static double shown_value(const struct mt_choice *choice, enum mt_objective against)
{
    return against == MT_CHEAPEST ? choice->cost : choice->joules / 1000;
}

static char *name_point(const struct mt_front_report *report, int i)
{
    const struct mt_front *front = report->front;
    char *name = mt_configuration_format(&front->points[i].choice.configuration,
                                         report->predictor->problem.cluster);
    if (name && front->count <= MOST_NAMED && strlen(name) <= LONGEST_NAME)
        return name;
    free(name);
    return asprintf(&name, "%d", i + 1) < 0 ? NULL : name;
}

/* Until a point's time its predecessor is what is to be had. */
static bool fill(struct front_picture *picture, const struct mt_front_report *report)
{
    const struct mt_front *front = report->front;
    for (int i = 0; i < front->count; i++) {
        const struct mt_choice *choice = &front->points[i].choice;
        const double value = shown_value(choice, front->against);
        const double before = i > 0 ? picture->values[i - 1] : value;
        picture->seconds[i] = choice->prediction.seconds;
        picture->values[i] = value;
        const int corner = 2 * i;
        picture->step_seconds[corner] = choice->prediction.seconds;
        picture->step_values[corner] = before;
        picture->step_seconds[corner + 1] = choice->prediction.seconds;
        picture->step_values[corner + 1] = value;
        picture->names[i] = name_point(report, i);
        if (!picture->names[i])
            return false;
    }
    return true;
}

static const char *value_label(char label[64], const struct mt_front_report *report)
{
    const enum mt_objective against = report->front->against;
    const char *currency = report->predictor->problem.cluster->currency;
    const char *unit = against == MT_CHEAPEST ? currency : "kJ";
    snprintf(label, 64, unit ? "%s [%s]" : "%s", mt_objective_words(against)->what,
             unit);
    return label;
}

static int make_plot(const struct front_picture *picture,
                     const struct mt_front_report *report, mt_plot_use *use, void *to,
                     struct mt_error *err)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const int count = picture->count;
    const double least = picture->values[count - 1];
    char title[256], subtitle[128], label[64];
    const struct mt_series series[] = {
        {.style = MT_SERIES_LINE,
         .count = 2 * count,
         .x = picture->step_seconds,
         .y = picture->step_values},
        {.style = MT_SERIES_POINTS,
         .count = count,
         .x = picture->seconds,
         .y = picture->values,
         .names = (const char *const *)picture->names},
    };
    const struct mt_panel panel = {.y_label = value_label(label, report),
                                   .log_y =
                                       least > 0 && picture->values[0] > wide * least,
                                   .series = series,
                                   .count = 2};
    snprintf(title, sizeof title, "Time against %s of %s on %s, N = %.15g",
             mt_objective_words(report->front->against)->what, problem->program->name,
             problem->cluster->name, report->question->size);
    snprintf(subtitle, sizeof subtitle, "%sby %s models",
             mt_cluster_simulated(problem->cluster) ? "simulated; " : "",
             mt_model_kind_name(report->predictor->models.kind));
    const struct mt_plot plot = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "predicted seconds",
                                 .log_x = picture->seconds[count - 1] >
                                          wide * picture->seconds[0],
                                 .ticks = picture->seconds,
                                 .nticks = 0, /* round numbers, which do not crowd */
                                 .panels = &panel,
                                 .count = 1};
    return use(&plot, to, err);
}

int mt_front_plot(const struct mt_front_report *report, mt_plot_use *use, void *to,
                  struct mt_error *err)
{
    struct front_picture picture = {0};
    const int status =
        picture_init(&picture, report->front->count) && fill(&picture, report)
            ? make_plot(&picture, report, use, to, err)
            : mt_fail(err, MT_ENOMEM, "no memory for the picture");
    picture_clear(&picture);
    return status;
}
