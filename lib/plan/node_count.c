/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest number of nodes with some efficiency. Runs that give efficiencies are a
   series; other points are predicted by an auto model of all runs of the group. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_runs(const void *left, const void *right)
{
    const struct mt_scaling_run *a = left, *b = right;
    int order = strcmp(a->group, b->group);
    if (order == 0)
        order = mt_layout_compare(a->layout, b->layout);
    if (order == 0)
        order = (a->size > b->size) - (a->size < b->size);
    return order ? order : (a->nodes > b->nodes) - (a->nodes < b->nodes);
}

static int check_run(const struct mt_scaling_run *run, struct mt_error *err)
{
    const struct mt_layout layout = run->layout;
    if (run->nodes < 1 || run->nodes > MT_MOST_NODES)
        return mt_fail(err, MT_EINVAL, "a run is on 1 to %d nodes, not on %d",
                       MT_MOST_NODES, run->nodes);
    if (layout.processes < 1 || layout.processes > MT_MOST_NODE_THREADS ||
        layout.threads < 0 || layout.threads > MT_MOST_THREADS)
        return mt_fail(
            err, MT_EINVAL,
            "a node runs 1 to %d processes of up to %d threads, not %d of %d",
            MT_MOST_NODE_THREADS, MT_MOST_THREADS, layout.processes, layout.threads);
    if (run->nodes > INT_MAX / MT_SCALING_REACH / layout.processes)
        return mt_fail(err, MT_EINVAL, "%d nodes with %d processes each are too many",
                       run->nodes, layout.processes);
    if (!(run->size > 0 && isfinite(run->size)))
        return mt_fail(err, MT_EINVAL, "size of a run is not positive: '%g'",
                       run->size);
    if (!(run->seconds > 0 && isfinite(run->seconds)))
        return mt_fail(err, MT_EINVAL,
                       "time of a run is not positive: '%g' s on %d nodes",
                       run->seconds, run->nodes);
    return MT_OK;
}

static int check(const struct mt_scaling_run *runs, int count,
                 const struct mt_scaling_question *question, struct mt_error *err)
{
    int status = MT_OK;
    if (!(question->efficiency > 0 && question->efficiency <= 1))
        return mt_fail(err, MT_EINVAL,
                       "an efficiency is above 0 and at most 1 (100 %%), not %g",
                       question->efficiency);
    if (!(question->confidence > 0 && question->confidence < 1))
        return mt_fail(err, MT_EINVAL, "a confidence is above 0 and below 1, not %g",
                       question->confidence);
    for (int i = 0; i < count && status == MT_OK; i++)
        status = check_run(&runs[i], err);
    return status;
}

/* The runs of one group, in order, and the predictor of others. */
struct group {
    const struct mt_scaling_run *runs; /* borrowed */
    int count;
    struct mt_cluster cluster; /* of this group alone */
    struct mt_program program;
    struct mt_predictor predictor;
};

static void clear_group(struct group *group)
{
    mt_predictor_clear(&group->predictor);
    mt_cluster_clear(&group->cluster);
}

/* A cluster of the most nodes possible. */
static int describe(struct group *group, struct mt_error *err)
{
    struct mt_cluster *cluster = &group->cluster;
    cluster->name = strdup(group->runs[0].group);
    cluster->groups = calloc(1, sizeof *cluster->groups);
    if (!cluster->name || !cluster->groups)
        return mt_fail(err, MT_ENOMEM, "no memory for a group");
    struct mt_group *nodes = cluster->groups;
    cluster->ngroups = 1;
    nodes->nodes = MT_MOST_NODES;
    nodes->name = strdup(cluster->name);
    int status = nodes->name ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a group");
    for (int i = 0; i < group->count && status == MT_OK; i++) {
        const struct mt_layout layout = group->runs[i].layout;
        if (i > 0 && mt_layout_compare(layout, group->runs[i - 1].layout) == 0)
            continue;
        status = mt_array_grow(&nodes->layouts, nodes->nlayouts, sizeof layout,
                               "layouts", err);
        if (status == MT_OK)
            nodes->layouts[nodes->nlayouts++] = layout;
    }
    return status;
}

static int fit(struct group *group, struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_samples samples = {.count = group->count};
    static char name[] = "program";
    samples.samples = calloc((size_t)group->count, sizeof *samples.samples);
    if (!samples.samples)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", group->count);
    for (int i = 0; i < group->count; i++) {
        const struct mt_scaling_run *run = &group->runs[i];
        samples.samples[i].configuration.use[0] = mt_use_nodes(run->nodes, run->layout);
        samples.samples[i].size = run->size;
        samples.samples[i].seconds = run->seconds;
    }
    group->program.name = name;
    return mt_predictor_fit(&group->predictor, &group->cluster, &group->program,
                            &samples, &options, err);
}

/* A series that is being answered. */
struct search {
    struct mt_scaling_series *series; /* with the points that ran */
    const struct mt_predictor *predictor;
    const struct mt_scaling_question *question;
    double exponent; /* weak: of the nodes, by which the size grows */
};

/* The efficiency of a run of one second. */
static double efficiency_at(const struct mt_scaling_series *series, int nodes)
{
    const struct mt_scaling_point *first = &series->points[0];
    return first->measured * (series->weak ? 1 : (double)first->nodes / nodes);
}

/* The size on these nodes, by the sizes that ran. */
static double size_at(const struct search *search, int nodes)
{
    const struct mt_scaling_series *series = search->series;
    double sum = 0;
    if (!series->weak)
        return series->size;
    for (int i = 0; i < series->count; i++)
        sum += log(series->points[i].size) +
               search->exponent * log((double)nodes / series->points[i].nodes);
    return exp(sum / series->count);
}

/* Fill in everything that was not measured. */
static int predict(const struct search *search, struct mt_scaling_point *point,
                   struct mt_error *err)
{
    const double worth = efficiency_at(search->series, point->nodes);
    const double wanted = search->question->efficiency;
    const bool ran = point->runs > 0;
    struct mt_prediction *prediction = &point->prediction;
    struct mt_configuration configuration = {{{0}}};
    configuration.use[0] = mt_use_nodes(point->nodes, search->series->layout);
    const int status = mt_models_predict(&search->predictor->problem, &configuration,
                                         point->size, prediction, err);
    if (status != MT_OK)
        return status;
    prediction->unseen =
        !ran &&
        (prediction->unseen || mt_predictor_guesses(search->predictor, &configuration));
    point->efficiency = worth / (ran ? point->measured : prediction->seconds);
    point->speedup = point->efficiency * point->nodes;
    point->chance = ran ? point->efficiency >= wanted
                        : mt_prediction_chance(prediction, worth / wanted);
    return MT_OK;
}

static int predict_at(const struct search *search, int nodes,
                      struct mt_scaling_point *point, struct mt_error *err)
{
    *point = (struct mt_scaling_point){
        .nodes = nodes, .size = size_at(search, nodes), .measured = NAN};
    return predict(search, point, err);
}

/* Set `best`, which has the confidence, to the most nodes below `end` that have it. The
   chance may not fall monotonically: search from above, step by step, and bisect only
   the last step. */
static int find_most(const struct search *search, struct mt_scaling_point *best,
                     int end, struct mt_error *err)
{
    const double confidence = search->question->confidence;
    struct mt_scaling_point point;
    int status = MT_OK, fails = end, nodes = end - 1;
    while (status == MT_OK && nodes > best->nodes) {
        status = predict_at(search, nodes, &point, err);
        if (status == MT_OK && point.chance >= confidence)
            *best = point;
        else
            fails = nodes;
        nodes = (int)fmin(nodes / node_step, nodes - 1);
    }
    while (status == MT_OK && fails - best->nodes > 1) {
        status = predict_at(search, (best->nodes + fails) / 2, &point, err);
        if (status == MT_OK && point.chance >= confidence)
            *best = point;
        else
            fails = (best->nodes + fails) / 2;
    }
    return status;
}

/* Insert a point, unless it exists; returns its place, or a status. */
static int put_point(struct mt_scaling_series *series,
                     const struct mt_scaling_point *point, struct mt_error *err)
{
    int place = series->count;
    while (place > 0 && series->points[place - 1].nodes >= point->nodes)
        place--;
    if (place < series->count && series->points[place].nodes == point->nodes)
        return place;
    const int status = mt_array_grow(&series->points, series->count,
                                     sizeof *series->points, "points", err);
    if (status != MT_OK)
        return status;
    memmove(&series->points[place + 1], &series->points[place],
            (size_t)(series->count - place) * sizeof *series->points);
    series->points[place] = *point;
    series->count++;
    return place;
}

/* The points that ran, of which the first has an efficiency of 1. */
static int take_measured(struct search *search, struct mt_error *err)
{
    struct mt_scaling_series *series = search->series;
    const struct mt_measured_list *list = &search->predictor->measured;
    int status = MT_OK;
    for (int i = 0; i < list->count && status >= MT_OK; i++) {
        const struct mt_measured *measured = &list->all[i];
        const struct mt_use use = measured->configuration.use[0];
        const struct mt_scaling_point point = {.nodes = use.nodes,
                                               .size = measured->size,
                                               .measured = measured->seconds,
                                               .runs = measured->runs};
        if (mt_layout_compare(use.layout, series->layout) == 0 &&
            (series->weak || measured->size == series->size))
            status = put_point(series, &point, err);
    }
    if (status < MT_OK)
        return status;
    const struct mt_scaling_point *last = &series->points[series->count - 1];
    series->most = last->nodes;
    search->exponent = log(last->size / series->size) /
                       log((double)last->nodes / series->points[0].nodes);
    status = MT_OK;
    for (int i = 0; i < series->count && status == MT_OK; i++)
        status = predict(search, &series->points[i], err);
    return status;
}

static int answer(struct search *search, struct mt_error *err)
{
    struct mt_scaling_series *series = search->series;
    const int reach = (int)fmin(MT_SCALING_REACH * (double)series->most,
                                INT_MAX / series->layout.processes);
    int last = series->count - 1;
    while (series->points[last].chance < 1)
        last--;
    const int end =
        last < series->count - 1 ? series->points[last + 1].nodes : reach + 1;
    struct mt_scaling_point best = series->points[last];
    int status = find_most(search, &best, end, err);
    for (double nodes = 2.0 * series->most; status >= MT_OK && nodes <= reach;
         nodes *= 2) {
        struct mt_scaling_point point;
        status = predict_at(search, (int)nodes, &point, err);
        if (status == MT_OK)
            status = put_point(series, &point, err);
        if (nodes > best.nodes)
            break;
    }
    if (status >= MT_OK)
        status = put_point(series, &best, err);
    if (status < MT_OK)
        return status;
    series->answer = status;
    series->open = best.nodes == reach;
    return MT_OK;
}

/* The end of the runs with the first one's group, layout and, unless `weak`, size;
   `several`: they ran on several numbers of nodes. */
static int end_of(const struct mt_scaling_run *runs, int count, bool weak,
                  bool *several)
{
    int end = 1;
    *several = false;
    while (end < count && strcmp(runs[end].group, runs[0].group) == 0 &&
           mt_layout_compare(runs[end].layout, runs[0].layout) == 0 &&
           (weak || runs[end].size == runs[0].size))
        *several |= runs[end++].nodes != runs[0].nodes;
    return end;
}

/* Whether each size ran on one number of nodes, which grows with it. */
static bool is_weak(const struct mt_scaling_run *runs, int count)
{
    for (int i = 1; i < count; i++)
        if ((runs[i].size == runs[i - 1].size) !=
                (runs[i].nodes == runs[i - 1].nodes) ||
            runs[i].nodes < runs[i - 1].nodes)
            return false;
    return runs[count - 1].nodes > runs[0].nodes;
}

/* The series that begins with the first of these runs of a group. */
static int add_series(struct mt_scaling *scaling, const struct group *group,
                      const struct mt_scaling_run *first, bool weak,
                      const struct mt_scaling_question *question, struct mt_error *err)
{
    int status = mt_array_grow(&scaling->series, scaling->count,
                               sizeof *scaling->series, "series of runs", err);
    if (status != MT_OK)
        return status;
    struct mt_scaling_series *series = &scaling->series[scaling->count++];
    *series = (struct mt_scaling_series){.group = strdup(first->group),
                                         .layout = first->layout,
                                         .weak = weak,
                                         .size = first->size};
    struct search search = {series, &group->predictor, question, 0};
    if (!series->group)
        return mt_fail(err, MT_ENOMEM, "no memory for a group");
    status = take_measured(&search, err);
    return status == MT_OK ? answer(&search, err) : status;
}

/* All series of a group. */
static int add_group(struct mt_scaling *scaling, struct group *group,
                     const struct mt_scaling_question *question, struct mt_error *err)
{
    bool several, weak = false, fitted = false;
    int status = MT_OK;
    for (int at = 0, end = 0, end_of_layout = 0; at < group->count && status == MT_OK;
         at = end) {
        const struct mt_scaling_run *first = &group->runs[at];
        if (at == end_of_layout) {
            end_of_layout += end_of(first, group->count - at, true, &several);
            weak = is_weak(first, end_of_layout - at);
        }
        end = at + end_of(first, group->count - at, weak, &several);
        if (!several) {
            scaling->left_out += end - at;
            continue;
        }
        if (!fitted)
            status = fit(group, err);
        fitted = true;
        if (status == MT_OK)
            status = add_series(scaling, group, first, weak, question, err);
    }
    return status;
}

static int find(struct mt_scaling *scaling, const struct mt_scaling_run *sorted,
                int count, const struct mt_scaling_question *question,
                struct mt_error *err)
{
    int status = MT_OK;
    for (int at = 0, end = 0; at < count && status == MT_OK; at = end) {
        while (end < count && strcmp(sorted[end].group, sorted[at].group) == 0)
            end++;
        struct group group = {.runs = &sorted[at], .count = end - at};
        status = describe(&group, err);
        if (status == MT_OK)
            status = add_group(scaling, &group, question, err);
        clear_group(&group);
    }
    if (status == MT_OK && scaling->count == 0)
        status = mt_fail(err, MT_ERANK,
                         "every size ran on one number of nodes only: efficiency needs "
                         "runs of one size on several");
    return status;
}

int mt_scaling_find(struct mt_scaling *scaling, const struct mt_scaling_run *runs,
                    int count, const struct mt_scaling_question *question,
                    struct mt_error *err)
{
    struct mt_scaling found = {0};
    int status = check(runs, count, question, err);
    if (status != MT_OK)
        return status;
    struct mt_scaling_run *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", count);
    for (int i = 0; i < count; i++) {
        sorted[i] = runs[i];
        if (sorted[i].layout.threads == 1)
            sorted[i].layout.threads = 0;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_runs);
    status = find(&found, sorted, count, question, err);
    free(sorted);
    if (status == MT_OK)
        *scaling = found;
    else
        mt_scaling_clear(&found);
    return status;
}

void mt_scaling_clear(struct mt_scaling *scaling)
{
    for (int i = 0; i < scaling->count; i++) {
        free(scaling->series[i].group);
        free(scaling->series[i].points);
    }
    free(scaling->series);
    *scaling = (struct mt_scaling){0};
}
