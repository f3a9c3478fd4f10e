/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a surface predicts measured runs. */
#include "internal.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

static struct mt_measured_point make_point(const struct mt_surface *surface,
                                           const struct mt_learn_run *run)
{
    const double nodes = run->ranks;
    struct mt_surface_point predicted;
    mt_surface_grid(surface, &run->size, 1, &nodes, 1, &predicted);
    const double speed = predicted.work / (run->ranks * run->seconds);
    struct mt_measured_point point = {.size = run->size,
                                      .nodes = run->ranks,
                                      .seconds = run->seconds,
                                      .predicted_seconds = predicted.seconds,
                                      .predicted_efficiency = predicted.efficiency,
                                      .fits = predicted.fits};
    point.efficiency = speed / mt_surface_machine(surface)->speed;
    point.error = point.predicted_efficiency / point.efficiency - 1;
    return point;
}

static struct mt_point_errors find_errors(const struct mt_measured_point *points,
                                          int count)
{
    struct mt_point_errors errors = {.points = count};
    for (int i = 0; i < count; i++) {
        errors.mean += fabs(points[i].error) / count;
        if (!errors.worst || fabs(points[i].error) > fabs(errors.worst->error))
            errors.worst = &points[i];
    }
    return errors;
}

/* The ridge of points on one number of nodes; sizes that do not fit are left out. */
static struct mt_measured_ridge find_ridge(const struct mt_measured_point *points,
                                           int count)
{
    const struct mt_measured_point *best = NULL, *predicted = NULL;
    int sizes = 0, best_place = 0, predicted_place = 0;
    for (int i = 0; i < count; i++) {
        const struct mt_measured_point *point = &points[i];
        if (!point->fits)
            continue;
        if (!best || point->efficiency > best->efficiency) {
            best = point;
            best_place = sizes;
        }
        if (!predicted ||
            point->predicted_efficiency > predicted->predicted_efficiency) {
            predicted = point;
            predicted_place = sizes;
        }
        sizes++;
    }
    if (sizes < LEAST_SIZES)
        return (struct mt_measured_ridge){0};
    return (struct mt_measured_ridge){.found = true,
                                      .size = best->size,
                                      .predicted_size = predicted->size,
                                      .steps = abs(best_place - predicted_place),
                                      .loss =
                                          1 - predicted->efficiency / best->efficiency};
}

static void find_nodes(struct mt_accuracy *accuracy)
{
    for (int first = 0, end; first < accuracy->count; first = end) {
        const struct mt_measured_point *points = &accuracy->points[first];
        for (end = first + 1; end < accuracy->count; end++)
            if (accuracy->points[end].nodes != points->nodes)
                break;
        accuracy->nodes[accuracy->nnodes++] =
            (struct mt_nodes_accuracy){.nodes = points->nodes,
                                       .errors = find_errors(points, end - first),
                                       .ridge = find_ridge(points, end - first)};
    }
}

static void find_worst(struct mt_accuracy *accuracy)
{
    const struct mt_measured_point **worst = accuracy->worst;
    for (int i = 0; i < accuracy->count; i++) {
        const struct mt_measured_point *point = &accuracy->points[i];
        int place =
            accuracy->nworst < MT_WORST_POINTS ? accuracy->nworst++ : MT_WORST_POINTS;
        for (; place > 0 && fabs(worst[place - 1]->error) < fabs(point->error); place--)
            if (place < MT_WORST_POINTS)
                worst[place] = worst[place - 1];
        if (place < MT_WORST_POINTS)
            worst[place] = point;
    }
}

int mt_accuracy_find(struct mt_accuracy *accuracy, const struct mt_surface *surface,
                     const struct mt_group_runs *runs, struct mt_error *err)
{
    const struct mt_learned_from *from = &mt_surface_algorithm(surface)->learned;
    const size_t count = (size_t)runs->count;
    int learned = 0; /* points; they are sorted by nodes */
    accuracy->points = calloc(count, sizeof *accuracy->points);
    accuracy->nodes = calloc(count, sizeof *accuracy->nodes);
    if (!accuracy->points || !accuracy->nodes) {
        mt_accuracy_clear(accuracy);
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    }
    accuracy->count = runs->count;
    for (int i = 0; i < accuracy->count; i++) {
        accuracy->points[i] = make_point(surface, &runs->runs[i]);
        accuracy->misfits += !accuracy->points[i].fits;
        learned += from->runs > 0 && accuracy->points[i].nodes <= from->nodes;
    }
    accuracy->all = find_errors(accuracy->points, accuracy->count);
    accuracy->learned = find_errors(accuracy->points, learned);
    if (from->runs > 0)
        accuracy->beyond =
            find_errors(accuracy->points + learned, accuracy->count - learned);
    find_nodes(accuracy);
    find_worst(accuracy);
    return MT_OK;
}

void mt_accuracy_clear(struct mt_accuracy *accuracy)
{
    free(accuracy->points);
    free(accuracy->nodes);
    *accuracy = (struct mt_accuracy){0};
}
