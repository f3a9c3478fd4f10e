/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of time against cost or energy. */
#include "front.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "planning.h"

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

/* The largest share by which an equally cheap configuration may be faster than a point;
   1: unknown. */
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
    const double gap = widest_gap(front);
    char more[MT_QUANTITY_TEXT + 16] = "no more", share[MT_QUANTITY_TEXT];
    if (front->share > 0)
        snprintf(more, sizeof more, "at most %s more",
                 mt_format_percent(share, front->share / (1 - front->share)));
    fprintf(stream,
            "%s: of %.*g configurations, each allowed one is predicted no faster than "
            "one of these with %s %s\n",
            front->exact ? "proven" : "not proven",
            front->configurations < 1e12 ? 12 : 3, front->configurations, more, what);
    if (gap > 0)
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
        json_pack("{s:b, s:s, s:s, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:o}",
                  "simulated", (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "size",
                  mt_json_number(report->question->size), "model",
                  mt_model_kind_name(report->predictor->models.kind), "against",
                  mt_objective_name(front->against), "exact", (int)front->exact,
                  "share", mt_json_number(front->share), "configurations",
                  mt_json_number(front->configurations), "evaluated",
                  mt_json_number(front->evaluated), "front", points),
        stdout);
}

/* Small fronts name points by their configurations, if these are short enough; others
   by their numbers in the table. */
enum { MOST_NAMED = 12, LONGEST_NAME = 28 };
/* An axis over a larger ratio is logarithmic. */
static const double wide = 20;

/* As in the table and JSON, but energy in kJ. */
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

static char *value_label(const struct mt_front_report *report)
{
    const enum mt_objective against = report->front->against;
    const char *currency = report->predictor->problem.cluster->currency;
    const char *unit = against == MT_CHEAPEST ? currency : "kJ";
    const char *what = mt_objective_words(against)->what;
    return unit ? mt_asprintf("%s [%s]", what, unit) : mt_strdup(what);
}

/* The steps: until a point's time its predecessor is the cheapest. */
static void draw_steps(struct mt_panel *panel, const struct mt_front *front)
{
    mt_panel_series(panel, NULL, MT_SERIES_LINE, 0);
    for (int i = 0; i < front->count; i++) {
        const struct mt_choice *choice = &front->points[i].choice;
        const struct mt_choice *before = &front->points[i > 0 ? i - 1 : 0].choice;
        const double seconds = choice->prediction.seconds;
        mt_panel_point(panel, seconds, shown_value(before, front->against));
        mt_panel_point(panel, seconds, shown_value(choice, front->against));
    }
}

void mt_front_plot(struct mt_plot *plot, const struct mt_front_report *report)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_front *front = report->front;
    const struct mt_choice *fastest = &front->points[0].choice;
    const struct mt_choice *least = &front->points[front->count - 1].choice;
    *plot = (struct mt_plot){.x_label = "predicted seconds",
                             .log_x = least->prediction.seconds >
                                      wide * fastest->prediction.seconds,
                             .round_ticks = true,
                             .count = 1};
    plot->title =
        mt_asprintf("Time against %s of %s on %s, N = %.15g",
                    mt_objective_words(front->against)->what, problem->program->name,
                    problem->cluster->name, report->question->size);
    plot->subtitle = mt_asprintf(
        "%sby %s models", mt_cluster_simulated(problem->cluster) ? "simulated; " : "",
        mt_model_kind_name(report->predictor->models.kind));
    struct mt_panel *panel = &plot->panels[0];
    const double lowest = shown_value(least, front->against);
    panel->y_label = value_label(report);
    panel->log_y = lowest > 0 && shown_value(fastest, front->against) > wide * lowest;
    draw_steps(panel, front);
    mt_panel_series(panel, NULL, MT_SERIES_POINTS, 0);
    for (int i = 0; i < front->count; i++) {
        const struct mt_choice *choice = &front->points[i].choice;
        if (mt_panel_point(panel, choice->prediction.seconds,
                           shown_value(choice, front->against)))
            mt_panel_name(panel, name_point(report, i));
    }
}
