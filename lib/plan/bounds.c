/* SPDX-License-Identifier: BSD-3-Clause */
/* The data that the bounds of a box need at one size: tables of ways, of the rows of
   each hypothesis, and of the discrepancy. */
#include "bounds.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool mt_region_has(struct mt_region region, const struct mt_cluster *cluster, int g,
                   struct mt_layout layout)
{
    const struct mt_group *group = &cluster->groups[g];
    return group->nodes > 0 &&
           (region.island == MT_MAINLAND ? !group->alone : region.island == g) &&
           layout.bind == region.bind &&
           (region.threads == 0 || mt_layout_threads(layout) == region.threads);
}

/* A point with all ranks on two nodes, in one way. */
static bool make_point(const struct mt_bounds *bounds, int group,
                       struct mt_layout layout, struct mt_point *point)
{
    struct mt_configuration nodes = {{{0}}};
    nodes.use[group] = mt_use_nodes(2, layout);
    const bool made =
        mt_point_make(point, bounds->posterior, &nodes, bounds->question->size);
    point->configuration = NULL;
    return made && isfinite(point->axis);
}

static int find_ways(struct mt_bounds *bounds, struct mt_region region,
                     struct mt_error *err)
{
    const struct mt_cluster *cluster = bounds->predictor->problem.cluster;
    struct mt_point point;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const int layouts = g < cluster->ngroups ? cluster->groups[g].nlayouts : 0;
        bounds->first[g] = bounds->nways;
        for (int i = 0; i < layouts; i++) {
            const struct mt_layout layout = cluster->groups[g].layouts[i];
            struct mt_way way = {.group = g, .layout = layout};
            if (!mt_region_has(region, cluster, g, layout) ||
                !make_point(bounds, g, layout, &point))
                continue;
            for (int r = 0; r < MT_RESOURCES; r++)
                way.takes[r] =
                    (double)mt_node_takes(&cluster->groups[g], (enum mt_resource)r) /
                    layout.processes;
            const int status = mt_array_grow(&bounds->ways, bounds->nways,
                                             sizeof *bounds->ways, "layouts", err);
            if (status != MT_OK)
                return status;
            bounds->ways[bounds->nways++] = way;
        }
    }
    bounds->first[MT_MAX_GROUPS] = bounds->nways;
    return MT_OK;
}

static int allocate(struct mt_bounds *bounds, struct mt_error *err)
{
    const struct mt_mean *mean = &bounds->posterior->mean;
    const size_t ways = (size_t)bounds->nways,
                 cells = (size_t)bounds->posterior->cells.count;
    int rows = 0;
    for (int h = 0; h < mean->nparts; h++) {
        bounds->starts[h] = rows;
        rows += 1 + __builtin_popcount(mean->parts[h].hypothesis.terms);
    }
    bounds->starts[mean->nparts] = rows;
    bounds->factors = calloc((size_t)rows * ways, sizeof *bounds->factors);
    bounds->mean = calloc((size_t)rows * ways, sizeof *bounds->mean);
    bounds->apart = calloc((size_t)rows, sizeof *bounds->apart);
    bounds->knots = calloc(cells, sizeof *bounds->knots);
    bounds->rising = calloc((cells + 1) * ways, sizeof *bounds->rising);
    bounds->falling = calloc((cells + 1) * ways, sizeof *bounds->falling);
    if (!bounds->factors || !bounds->mean || !bounds->apart || !bounds->knots ||
        !bounds->rising || !bounds->falling)
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d layouts",
                       bounds->nways);
    return mt_view_init(&bounds->view, bounds->nways, err);
}

/* The rows of a way. Terms are products of a function of P and one of M, so its seconds
   relative to those of way 0 do not depend on work and P. */
static void find_rows(struct mt_bounds *bounds, int way, struct mt_point *point)
{
    const struct mt_posterior *posterior = bounds->posterior;
    struct mt_point *first = &bounds->probe;
    mt_point_set_ranks(point, 2);
    mt_point_set_ranks(first, 2);
    mt_point_set_work(point, posterior, 1);
    point->work = point->busiest = 1;
    mt_point_fill(point);
    mt_point_set_work(first, posterior, 1);
    first->work = first->busiest = 1;
    mt_point_fill(first);
    for (int h = 0; h < posterior->mean.nparts; h++) {
        const struct mt_mean_part *part = &posterior->mean.parts[h];
        struct mt_rows rows, zero;
        mt_hypothesis_rows(posterior, &part->hypothesis, part->u, point,
                           point->portions, &rows);
        mt_hypothesis_rows(posterior, &part->hypothesis, part->u, first,
                           first->portions, &zero);
        for (int k = 0; k < rows.count; k++) {
            const int at = (bounds->starts[h] + k) * bounds->nways + way;
            bounds->factors[at] = exp(rows.own[k] - zero.own[k]);
            bounds->mean[at] = rows.mean[k];
            bounds->apart[bounds->starts[h] + k] = rows.apart[k];
        }
    }
}

static void find_knots(struct mt_bounds *bounds)
{
    const struct mt_posterior *posterior = bounds->posterior;
    const int cells = posterior->cells.count;
    for (int i = 0; i < cells; i++)
        bounds->knots[i] = log(posterior->points[i].ranks);
    qsort(bounds->knots, (size_t)cells, sizeof *bounds->knots, mt_compare_doubles);
    for (int i = 0; i < cells; i++)
        if (i == 0 || bounds->knots[i] > bounds->knots[bounds->nknots - 1])
            bounds->knots[bounds->nknots++] = bounds->knots[i];
}

/* The discrepancy of a way: a cell's part of it falls on both sides of the cell's P. */
static void find_discrepancy(struct mt_bounds *bounds, int way, struct mt_point *point)
{
    const struct mt_posterior *posterior = bounds->posterior;
    const int count = bounds->nways, last = bounds->nknots;
    double *rising = &bounds->rising[way], *falling = &bounds->falling[way];
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_point *cell = &posterior->points[i];
        mt_point_set_ranks(point, cell->ranks);
        const double part =
                         posterior->mean.alike[i] * mt_discrepancy_alike(point, cell),
                     t = log(cell->ranks);
        int k = 0;
        while (bounds->knots[k] < t)
            k++;
        rising[(size_t)k * count] += part * exp(-bounds->rate * t);
        falling[(size_t)(k + 1) * count] += part * exp(bounds->rate * t);
    }
    for (int k = 1; k <= last; k++) {
        rising[(size_t)(last - k) * count] += rising[(size_t)(last - k + 1) * count];
        falling[(size_t)k * count] += falling[(size_t)(k - 1) * count];
    }
}

/* Sort the ways by the seconds of the compute term, a geometric mean over the
   hypotheses. */
static int find_places(struct mt_bounds *bounds, struct mt_error *err)
{
    struct {
        double seconds; /* first, to be compared */
        int way;
    } *order = calloc((size_t)bounds->nways, sizeof *order);
    const struct mt_mean *mean = &bounds->posterior->mean;
    if (!order)
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d layouts",
                       bounds->nways);
    for (int i = 0; i < bounds->nways; i++) {
        order[i].way = i;
        for (int h = 0; h < mean->nparts; h++)
            order[i].seconds +=
                mean->parts[h].weight *
                log(bounds->factors[bounds->starts[h] * bounds->nways + i]);
    }
    qsort(order, (size_t)bounds->nways, sizeof *order, mt_compare_doubles);
    for (int i = 0; i < bounds->nways; i++)
        bounds->ways[order[i].way].place = i;
    free(order);
    return MT_OK;
}

/* The part of mixed configurations; and a bound of all roundings of the sum over the
   cells. */
static void find_constants(struct mt_bounds *bounds)
{
    const struct mt_posterior *posterior = bounds->posterior;
    const struct mt_configuration none = {{{0}}};
    const struct mt_point several = {.configuration = &none, .nportions = 2};
    double sum = 1;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_point *cell = &posterior->points[i];
        bounds->mixed +=
            posterior->mean.mixed[i] * mt_discrepancy_mixed(&several, cell);
        sum += fabs(posterior->mean.alike[i] * mt_discrepancy_alike(cell, cell)) +
               fabs(posterior->mean.mixed[i]);
    }
    bounds->slack = 64 * DBL_EPSILON * sum;
}

int mt_bounds_init(struct mt_bounds *bounds, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_region region,
                   struct mt_error *err)
{
    const struct mt_posterior *posterior = predictor->problem.models->posterior;
    struct mt_bounds made = {.predictor = predictor,
                             .posterior = posterior,
                             .question = question,
                             .rate = 1 / (mt_reach * log(2))};
    int status = find_ways(&made, region, err);
    if (status == MT_OK && made.nways > 0)
        status = allocate(&made, err);
    for (int i = 0; i < made.nways && status == MT_OK; i++) {
        struct mt_point point;
        make_point(&made, made.ways[i].group, made.ways[i].layout, &point);
        if (i == 0) {
            made.probe = point;
            find_knots(&made);
        }
        find_rows(&made, i, &point);
        find_discrepancy(&made, i, &point);
    }
    if (status == MT_OK && made.nways > 0)
        status = find_places(&made, err);
    if (status != MT_OK) {
        mt_bounds_clear(&made);
        return status;
    }
    find_constants(&made);
    *bounds = made;
    return MT_OK;
}

void mt_bounds_clear(struct mt_bounds *bounds)
{
    free(bounds->ways);
    free(bounds->factors);
    free(bounds->mean);
    free(bounds->apart);
    free(bounds->knots);
    free(bounds->rising);
    free(bounds->falling);
    mt_view_free(bounds->view);
    *bounds = (struct mt_bounds){0};
}
