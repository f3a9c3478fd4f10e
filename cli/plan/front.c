/* SPDX-License-Identifier: BSD-3-Clause */
#include "front.h"

#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/outlet.h"
#include "cli/common/view.h"
#include "costs.h"
#include "planning.h"
#include "prediction.h"

#include <math.h>
#include <stdio.h>

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

int mt_front_print_table(const struct mt_front_report *report, struct mt_error *err)
{
    struct mt_view view;
    print_title(report);
    mt_front_view(&view, report);
    const int status = mt_view_print(&view, stdout, err);
    if (status == MT_OK)
        mt_front_print_notes(report, stdout);
    return status;
}

int mt_front_print_json(const struct mt_front_report *report, struct mt_error *err)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_front *front = report->front;
    struct mt_view view;
    mt_front_view(&view, report);
    json_t *points = mt_view_to_json(&view);
    return mt_document_print(
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
        stdout, err);
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
    status = mt_view_end_csv(&view, err);
    return mt_outlet_close(&outlet, status, err);
}
