/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "report.h"

#include "cli/common/view.h"
#include "cli/plan/prediction.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stdlib.h>

/* Numbers of nodes of a group that are tried: all up to the first, then in steps by the
   second. */
enum { EACH_UP_TO = 16 };
static const double step = 1.15;

/* A time on so many nodes. */
struct point {
    struct mt_configuration configuration;
    int curve; /* a group, or one past them: several groups; two past: measured */
    int nodes, ranks;
    struct mt_prediction prediction;
};

struct curves {
    const struct mt_predictor *predictor;
    double size;
    struct point *points; /* owned; those of a curve follow each other */
    int count;
    int first[MT_MAX_GROUPS + 3]; /* of each curve, and one past the last */
};

static void add(struct curves *curves, const struct point *point)
{
    mt_array_extend(&curves->points, curves->count, sizeof *curves->points);
    curves->points[curves->count++] = *point;
}

/* The fastest layout of so many nodes of a group; false: none is possible. */
static bool find_best(struct point *best, const struct curves *curves, int g, int nodes)
{
    const struct mt_problem *problem = &curves->predictor->problem;
    const struct mt_group *group = &problem->cluster->groups[g];
    bool found = false;
    for (int i = 0; i < group->nlayouts; i++) {
        struct point point = {.curve = g, .nodes = nodes};
        point.configuration.use[g] = mt_use_nodes(nodes, group->layouts[i]);
        point.ranks = mt_configuration_ranks(&point.configuration);
        if (!mt_plan_fits(problem->cluster, problem->program, &point.configuration,
                          curves->size) ||
            mt_predictor_predict(curves->predictor, &point.configuration, curves->size,
                                 &point.prediction, NULL) != MT_OK)
            continue;
        if (!found || point.prediction.seconds < best->prediction.seconds)
            *best = point;
        found = true;
    }
    return found;
}

static void add_group(struct curves *curves, int g)
{
    const int most = curves->predictor->problem.cluster->groups[g].nodes;
    for (int nodes = 1; nodes <= most;) {
        struct point best;
        if (find_best(&best, curves, g, nodes))
            add(curves, &best);
        const int next = nodes < EACH_UP_TO ? nodes + 1 : (int)(nodes * step);
        nodes = nodes < most && next > most ? most : next;
    }
}

static void add_mixed(struct curves *curves, const struct mt_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        const struct mt_choice *choice = &plan->choices[i];
        const struct point point = {
            .configuration = choice->configuration,
            .curve = curves->predictor->problem.cluster->ngroups,
            .nodes = choice->nodes,
            .ranks = choice->ranks,
            .prediction = choice->prediction,
        };
        if (mt_configuration_only_group(&choice->configuration) < 0)
            add(curves, &point);
    }
}

static int by_nodes(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->nodes != q->nodes)
        return p->nodes < q->nodes ? -1 : 1;
    return (p->ranks > q->ranks) - (p->ranks < q->ranks);
}

static void add_measured(struct curves *curves)
{
    const struct mt_measured_list *measured = &curves->predictor->measured;
    for (int i = 0; i < measured->count; i++) {
        const struct mt_measured *run = &measured->all[i];
        const struct point point = {
            .configuration = run->configuration,
            .curve = curves->predictor->problem.cluster->ngroups + 1,
            .nodes = mt_configuration_nodes(&run->configuration),
            .ranks = mt_configuration_ranks(&run->configuration),
            .prediction = {.seconds = run->seconds, .low = NAN, .high = NAN},
        };
        if (run->size == curves->size)
            add(curves, &point);
    }
}

static void fill(struct curves *curves, const struct mt_plan *plan)
{
    const int ngroups = curves->predictor->problem.cluster->ngroups;
    for (int g = 0; g < ngroups; g++) {
        curves->first[g] = curves->count;
        add_group(curves, g);
    }
    curves->first[ngroups] = curves->count;
    add_mixed(curves, plan);
    curves->first[ngroups + 1] = curves->count;
    add_measured(curves);
    curves->first[ngroups + 2] = curves->count;
    if (curves->count > 0)
        for (int i = ngroups; i < ngroups + 2; i++)
            qsort(curves->points + curves->first[i],
                  (size_t)(curves->first[i + 1] - curves->first[i]),
                  sizeof *curves->points, by_nodes);
}

static const char *label_of(const struct curves *curves, int curve)
{
    const struct mt_cluster *cluster = curves->predictor->problem.cluster;
    if (curve < cluster->ngroups)
        return cluster->groups[curve].name;
    return curve == cluster->ngroups ? "several groups" : "measured";
}

static void show_plot(struct mt_page *page, const struct curves *curves)
{
    const int ncurves = curves->predictor->problem.cluster->ngroups + 2;
    const struct mt_panel panel = {.y_label = "seconds", .log_y = true};
    struct mt_page_chart chart =
        mt_page_chart_begin(page, "times",
                            &(struct mt_plot){.title = "Times over the number of nodes",
                                              .x_label = "nodes",
                                              .log_x = true,
                                              .panels = &panel,
                                              .count = 1});
    for (int c = 0; c < ncurves; c++) {
        const bool measured = c == ncurves - 1;
        if (curves->first[c] == curves->first[c + 1])
            continue;
        mt_page_chart_series(&chart, label_of(curves, c),
                             c < ncurves - 2 ? MT_SERIES_LINE : MT_SERIES_POINTS,
                             measured ? MT_SERIES_BLACK : c + (c >= MT_SERIES_BLACK));
        for (int i = curves->first[c]; i < curves->first[c + 1]; i++) {
            const struct mt_prediction *time = &curves->points[i].prediction;
            if (mt_page_chart_point(&chart, curves->points[i].nodes, time->seconds) &&
                !measured)
                mt_page_chart_band(&chart, time->low, time->high);
        }
    }
}

enum {
    CURVE,
    NODES,
    RANKS,
    CONFIGURATION,
    PREDICTION,
    COLUMNS = PREDICTION + MT_PREDICTION_COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [CURVE] = {"of", "of", MT_COLUMN_TEXT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
};

static void show_table(struct mt_page *page, const struct curves *curves)
{
    const int measured = curves->predictor->problem.cluster->ngroups + 1;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < curves->count; i++) {
        const struct point *point = &curves->points[i];
        mt_view_row(&view);
        mt_view_text(&view, CURVE, label_of(curves, point->curve));
        mt_view_number(&view, NODES, point->nodes);
        mt_view_number(&view, RANKS, point->ranks);
        mt_view_own_text(&view, CONFIGURATION,
                         mt_configuration_format(&point->configuration,
                                                 curves->predictor->problem.cluster));
        if (point->curve == measured)
            mt_view_number(&view, PREDICTION, point->prediction.seconds);
        else
            mt_prediction_view(&view, PREDICTION, &point->prediction);
    }
    mt_page_table(page, "points", &view);
}

void mt_report_curves(struct mt_page *page, const struct mt_predictor *predictor,
                      const struct mt_plan *plan, double size)
{
    struct curves curves = {.predictor = predictor, .size = size};
    fill(&curves, plan);
    if (curves.count > 0) {
        show_plot(page, &curves);
        show_table(page, &curves);
    }
    free(curves.points);
}
