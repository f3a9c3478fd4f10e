/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagram of times over the number of nodes: at most six things in it. */
#include "times.h"

#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"

#include <math.h>
#include <stdlib.h>

/* Numbers of nodes of a group that are drawn: all up to the first, then in steps by the
   second, which on a logarithmic axis look even. */
enum { EACH_UP_TO = 16 };
static const double step = 1.15;

/* The fastest layout on `nodes` nodes of a group; false: none is possible. */
static bool find_fastest(struct mt_prediction *fastest,
                         const struct mt_plan_report *report, int g, int nodes)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_group *group = &problem->cluster->groups[g];
    const double size = report->question->size;
    bool found = false;
    for (int i = 0; i < group->nlayouts; i++) {
        struct mt_configuration configuration = {0};
        struct mt_prediction prediction;
        configuration.use[g] = mt_use_nodes(nodes, group->layouts[i]);
        if (!mt_plan_fits(problem->cluster, problem->program, &configuration, size) ||
            mt_predictor_predict(report->predictor, &configuration, size, &prediction,
                                 NULL) != MT_OK)
            continue;
        if (!found || prediction.seconds < fastest->seconds)
            *fastest = prediction;
        found = true;
    }
    return found;
}

/* Draw only the groups that are fastest alone, so that a reader can tell the lines
   apart. */
enum { MOST_GROUPS = 5 };

/* The time of a group by itself on its best number of nodes. */
struct group_best {
    int group;
    double seconds; /* INFINITY: it cannot run the program */
};

static int by_seconds(const void *a, const void *b)
{
    const struct group_best *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds > y->seconds ? 1 : -1)
                                    : x->group - y->group;
}

static int next_nodes(int nodes, int most)
{
    const int next = nodes < EACH_UP_TO ? nodes + 1 : (int)(nodes * step);
    return nodes < most && next > most ? most : next;
}

static double find_best_time(const struct mt_plan_report *report, int g)
{
    const int most = report->predictor->problem.cluster->groups[g].nodes;
    double best = INFINITY;
    for (int nodes = 1; nodes <= most; nodes = next_nodes(nodes, most)) {
        struct mt_prediction fastest;
        if (find_fastest(&fastest, report, g, nodes))
            best = fmin(best, fastest.seconds);
    }
    return best;
}

/* The fastest group has its interval; more bands would hide each other. */
static void draw_group(struct mt_panel *panel, const struct mt_plan_report *report,
                       int g, int color, bool band)
{
    const struct mt_group *group = &report->predictor->problem.cluster->groups[g];
    mt_panel_series(panel, group->name, MT_SERIES_LINE, color);
    for (int nodes = 1; nodes <= group->nodes;
         nodes = next_nodes(nodes, group->nodes)) {
        struct mt_prediction fastest;
        if (find_fastest(&fastest, report, g, nodes) &&
            mt_panel_point(panel, nodes, fastest.seconds) && band)
            mt_panel_interval(panel, fastest.low, fastest.high);
    }
}

/* Returns how many groups are drawn. */
static int draw_groups(struct mt_panel *panel, const struct mt_plan_report *report)
{
    struct group_best best[MT_MAX_GROUPS];
    const int count = report->predictor->problem.cluster->ngroups;
    int drawn = 0;
    for (int g = 0; g < count; g++)
        best[g] = (struct group_best){g, find_best_time(report, g)};
    qsort(best, (size_t)count, sizeof *best, by_seconds);
    for (; drawn < count && drawn < MOST_GROUPS && isfinite(best[drawn].seconds);
         drawn++)
        draw_group(panel, report, best[drawn].group, drawn, drawn == 0);
    return drawn;
}

static bool uses_several(const struct mt_choice *choice)
{
    return mt_configuration_only_group(&choice->configuration) < 0;
}

/* The best configuration of several groups for each number of nodes. Choices are sorted
   by time. */
static void draw_mixes(struct mt_panel *panel, const struct mt_plan *plan)
{
    mt_panel_series(panel, "several groups", MT_SERIES_POINTS, MOST_GROUPS);
    for (int i = 0; i < plan->count; i++) {
        const struct mt_choice *choice = &plan->choices[i];
        bool first = uses_several(choice);
        for (int j = 0; j < i && first; j++)
            first = !uses_several(&plan->choices[j]) ||
                    plan->choices[j].nodes != choice->nodes;
        if (first)
            mt_panel_point(panel, choice->nodes, choice->prediction.seconds);
    }
}

static void draw_chosen(struct mt_panel *panel, const struct mt_plan_report *report)
{
    const struct mt_choice *chosen = &report->plan->choices[0];
    mt_panel_series(panel, NULL, MT_SERIES_POINTS, MT_SERIES_BLACK);
    if (mt_panel_point(panel, chosen->nodes, chosen->prediction.seconds))
        mt_panel_name(panel,
                      mt_need(mt_configuration_format(
                          &chosen->configuration, report->predictor->problem.cluster)));
}

void mt_report_times(struct mt_plot *plot, const struct mt_plan_report *report)
{
    const struct mt_measured_list *measured = &report->predictor->measured;
    const int groups = report->predictor->problem.cluster->ngroups;
    *plot = (struct mt_plot){.x_label = "nodes", .log_x = true, .count = 1};
    struct mt_panel *panel = &plot->panels[0];
    plot->title = mt_strdup("Times over the number of nodes");
    panel->y_label = mt_strdup("seconds");
    panel->log_y = true;
    const int drawn = draw_groups(panel, report);
    if (drawn < groups)
        plot->subtitle = mt_asprintf("the %d fastest of %d groups", drawn, groups);
    draw_mixes(panel, report->plan);
    mt_panel_series(panel, "measured", MT_SERIES_POINTS, MT_SERIES_BLACK);
    for (int i = 0; i < measured->count; i++)
        if (measured->all[i].size == report->question->size)
            mt_panel_point(panel,
                           mt_configuration_nodes(&measured->all[i].configuration),
                           measured->all[i].seconds);
    draw_chosen(panel, report);
}
