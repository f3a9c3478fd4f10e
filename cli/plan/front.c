/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of time against cost or energy. */
#include "front.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/outlet.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "planning.h"
#include "prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINT,
    PREDICTION,
    SLOWER = PREDICTION + MT_PREDICTION_COLUMNS,
    COSTS,
    SAVES = COSTS + MT_COSTS_COLUMNS,
    RANKS,
    NODES,
    CONFIGURATION,
    EXACT,
    BOUND,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [POINT] = {"point", "point", MT_COLUMN_COUNT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [SLOWER] = {"slower", "slower", MT_COLUMN_PERCENT},
    MT_COSTS_COLUMNS_AT(COSTS),
    [SAVES] = {"saves", "saves", MT_COLUMN_PERCENT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [EXACT] = {"exact", NULL, MT_COLUMN_FLAG},
    [BOUND] = {"bound", NULL, MT_COLUMN_NUMBER},
};

static void add_point(struct mt_view *view, const struct mt_front_report *report, int i)
{
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    const struct mt_front *front = report->front;
    const struct mt_front_point *point = &front->points[i];
    const struct mt_choice *choice = &point->choice;
    const struct mt_choice *fastest = &front->points[0].choice;
    mt_view_row(view);
    mt_view_number(view, POINT, i + 1);
    mt_prediction_view(view, PREDICTION, &choice->prediction);
    mt_view_number(view, SLOWER,
                   choice->prediction.seconds / fastest->prediction.seconds - 1);
    mt_costs_view(view, COSTS, choice, cluster);
    mt_view_number(view, SAVES,
                   1 - mt_choice_value(choice, front->against) /
                           mt_choice_value(fastest, front->against));
    mt_view_number(view, RANKS, choice->ranks);
    mt_view_number(view, NODES, choice->nodes);
    mt_view_own_text(view, CONFIGURATION,
                     mt_configuration_format(&choice->configuration, cluster));
    mt_view_flag(view, EXACT, point->exact);
    mt_view_number(view, BOUND, point->bound > 0 ? point->bound : NAN);
}

void mt_front_view(struct mt_view *view, const struct mt_front_report *report)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < report->front->count; i++)
        add_point(view, report, i);
    mt_costs_hide(view, COSTS, report->predictor->problem.cluster);
}

/* By how much, as a share, something as cheap may be faster than a point; 1: nobody
   knows. */
static double widest_gap(const struct mt_front *front)
{
    double gap = 0;
    for (int i = 0; i < front->count; i++)
        if (!front->points[i].exact)
            gap = fmax(gap, 1 - front->points[i].bound /
                                    front->points[i].choice.prediction.seconds);
    return gap;
}

static void print_proof(const struct mt_front_report *report, FILE *stream)
{
    const struct mt_front *front = report->front;
    const char *what = mt_objective_words(front->against)->what;
    const int runs = report->predictor->corrections;
    const double gap = widest_gap(front);
    char more[MT_QUANTITY_TEXT + 16] = "no more", share[MT_QUANTITY_TEXT];
    if (front->share > 0)
        snprintf(more, sizeof more, "at most %s more",
                 mt_format_percent(share, front->share / (1 - front->share)));
    if (front->corrected)
        fprintf(stream, "corrected by %d %s beyond the training: %s\n", runs,
                runs == 1 ? "run" : "runs",
                front->exact ? "by what is expected now, with half its uncertainty"
                             : "of those that the models put first");
    fprintf(
        stream,
        "%s: of %.*g configurations, each that is allowed is predicted no faster than "
        "one of these with %s %s\n",
        front->exact ? "proven" : "not proven", front->configurations < 1e12 ? 12 : 3,
        front->configurations, more, what);
    if (gap > 0 && gap < 1)
        fprintf(stream, "with as much %s one may be predicted faster, by up to %s\n",
                what, mt_format_percent(share, gap));
}

void mt_front_print_notes(const struct mt_front_report *report, FILE *stream)
{
    struct mt_prediction_marks marks = {0};
    for (int i = 0; i < report->front->count; i++)
        mt_prediction_marks_take(&marks, &report->front->points[i].choice.prediction);
    mt_prediction_marks_print(&marks, stream);
    print_proof(report, stream);
}

static void print_title(const struct mt_front_report *report)
{
    const struct mt_problem *problem = &report->predictor->problem;
    printf("%s on %s, N = %.15g, time against %s by %s models%s\n",
           problem->program->name, problem->cluster->name, report->question->size,
           mt_objective_words(report->front->against)->what,
           mt_model_kind_name(report->predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
}

void mt_front_print_table(const struct mt_front_report *report)
{
    struct mt_view view;
    print_title(report);
    mt_front_view(&view, report);
    mt_view_print(&view, stdout);
    mt_front_print_notes(report, stdout);
}

void mt_front_print_json(const struct mt_front_report *report)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_front *front = report->front;
    struct mt_view view;
    mt_front_view(&view, report);
    json_t *points = mt_view_to_json(&view);
    mt_document_print(
        "motley/plan-front", 1,
        json_pack("{s:b, s:s, s:s, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:i, s:o}",
                  "simulated", (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "size",
                  mt_json_number(report->question->size), "model",
                  mt_model_kind_name(report->predictor->models.kind), "against",
                  mt_objective_name(front->against), "exact", (int)front->exact,
                  "share", mt_json_number(front->share), "configurations",
                  mt_json_number(front->configurations), "evaluated",
                  mt_json_number(front->evaluated), "corrections",
                  report->predictor->corrections, "front", points),
        stdout);
}

int mt_front_write_csv(const struct mt_front_report *report, const char *path,
                       struct mt_error *err)
{
    struct mt_outlet outlet;
    int status = mt_outlet_open(&outlet, path, err);
    if (status != MT_OK)
        return status;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_begin_csv(&view, outlet.stream);
    for (int i = 0; i < report->front->count; i++)
        add_point(&view, report, i);
    mt_view_end_csv(&view);
    return mt_outlet_close(&outlet, status, err);
}

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

static void picture_init(struct front_picture *picture, int count)
{
    const size_t points = (size_t)count, corners = 2 * points;
    picture->count = count;
    picture->seconds = mt_calloc(points, sizeof *picture->seconds);
    picture->values = mt_calloc(points, sizeof *picture->values);
    picture->step_seconds = mt_calloc(corners, sizeof *picture->step_seconds);
    picture->step_values = mt_calloc(corners, sizeof *picture->step_values);
    picture->names = mt_calloc(points, sizeof *picture->names);
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
    char *name = mt_need(mt_configuration_format(&front->points[i].choice.configuration,
                                                 report->predictor->problem.cluster));
    if (front->count <= MOST_NAMED && strlen(name) <= LONGEST_NAME)
        return name;
    free(name);
    return mt_asprintf("%d", i + 1);
}

/* Until a point's time its predecessor is what is to be had. */
static void fill(struct front_picture *picture, const struct mt_front_report *report)
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
    }
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
    picture_init(&picture, report->front->count);
    fill(&picture, report);
    const int status = make_plot(&picture, report, use, to, err);
    picture_clear(&picture);
    return status;
}
