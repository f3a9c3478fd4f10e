/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that motley surface predict reports on a surface. */
#include "internal.h"

#include <stdlib.h>

static int fail_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for an efficiency surface");
}

static bool any_valid(const struct mt_survey *survey, double nodes)
{
    for (int i = 0; i < survey->sizes.count; i++)
        if (mt_surface_at(survey->surface, survey->sizes.values[i], nodes).valid)
            return true;
    return false;
}

/* Some algorithms run on squares of processes only, so leave out default numbers of
   nodes on which nothing can run. */
static void leave_out_impossible_nodes(struct mt_survey *survey)
{
    struct mt_axis *nodes = &survey->nodes;
    int kept = 0;
    for (int i = 0; i < nodes->count; i++)
        if (any_valid(survey, nodes->values[i]))
            nodes->values[kept++] = nodes->values[i];
    if (kept > 0)
        nodes->count = kept;
}

/* Default sizes are round numbers; the best ones are sought in the whole span. */
static int choose_axes(struct mt_survey *survey,
                       const struct mt_survey_request *request, struct mt_error *err)
{
    const struct mt_surface *surface = survey->surface;
    int status =
        request->nodes
            ? mt_axis_copy(&survey->nodes, request->nodes, err)
            : mt_axis_of_nodes(&survey->nodes, mt_surface_machine(surface)->nodes, err);
    if (status != MT_OK)
        return status;
    const double most = mt_axis_span(&survey->nodes).high;
    status = request->sizes ? mt_axis_copy(&survey->sizes, request->sizes, err)
                            : mt_axis_of_sizes(&survey->sizes, surface, most, err);
    if (status != MT_OK)
        return status;
    survey->span = mt_axis_span(&survey->sizes);
    if (!request->sizes)
        status = mt_sizes_of_interest(&survey->span, surface, most, err);
    if (!request->nodes)
        leave_out_impossible_nodes(survey);
    return status;
}

static int find_points(struct mt_survey *survey, struct mt_error *err)
{
    const struct mt_axis *sizes = &survey->sizes, *nodes = &survey->nodes;
    survey->points =
        calloc((size_t)sizes->count * (size_t)nodes->count, sizeof *survey->points);
    if (!survey->points)
        return fail_memory(err);
    mt_surface_grid(survey->surface, sizes->values, sizes->count, nodes->values,
                    nodes->count, survey->points);
    return MT_OK;
}

static int find_ridge(struct mt_survey *survey, struct mt_error *err)
{
    const struct mt_axis *nodes = &survey->nodes;
    survey->ridge = calloc((size_t)nodes->count, sizeof *survey->ridge);
    if (!survey->ridge)
        return fail_memory(err);
    for (int i = 0; i < nodes->count; i++) {
        struct mt_ridge_point *best = &survey->ridge[i];
        best->found = mt_best_size(survey->surface, nodes->values[i], survey->span,
                                   &best->point, &best->size);
    }
    return MT_OK;
}

static int find_cliffs(struct mt_survey *survey, struct mt_error *err)
{
    const struct mt_axis *sizes = &survey->sizes, *nodes = &survey->nodes;
    int status = MT_OK;
    for (int i = 0; i < nodes->count && sizes->count > 1 && status == MT_OK; i++)
        status = mt_cliffs_of_sizes(&survey->cliffs, survey->surface, nodes->values[i],
                                    survey->span, err);
    for (int i = 0; i < sizes->count && nodes->count > 1 && status == MT_OK; i++)
        status = mt_cliffs_of_nodes(&survey->cliffs, survey->surface, sizes->values[i],
                                    mt_axis_span(nodes), err);
    return status;
}

static int find_speedups(struct mt_survey *survey, double base, struct mt_error *err)
{
    const struct mt_axis *nodes = &survey->nodes;
    survey->base = base;
    if (base == 0)
        return MT_OK;
    survey->speedups = calloc((size_t)nodes->count, sizeof *survey->speedups);
    if (!survey->speedups)
        return fail_memory(err);
    for (int i = 0; i < nodes->count; i++) {
        struct mt_speedup_row *row = &survey->speedups[i];
        for (int kind = 0; kind < MT_NSPEEDUPS; kind++)
            row->speedups[kind] = mt_speedup(survey->surface, (enum mt_speedup)kind,
                                             base, nodes->values[i], &row->sizes[kind]);
    }
    return MT_OK;
}

/* Without requested sizes, include small ones. */
static int find_isos(struct mt_survey *survey, const struct mt_survey_request *request,
                     struct mt_error *err)
{
    const struct mt_axis *nodes = &survey->nodes;
    const int count = request->nlevels * nodes->count;
    struct mt_span span = survey->span;
    if (count == 0)
        return MT_OK;
    survey->isos = calloc((size_t)count, sizeof *survey->isos);
    if (!survey->isos)
        return fail_memory(err);
    if (!request->sizes)
        span.low = 1;
    survey->nisos = count;
    for (int i = 0; i < count; i++) {
        struct mt_iso_row *row = &survey->isos[i];
        row->efficiency = request->levels[i / nodes->count];
        row->nodes = nodes->values[i % nodes->count];
        row->found = mt_iso_efficiency(survey->surface, row->efficiency, row->nodes,
                                       span, &row->sizes);
    }
    return MT_OK;
}

int mt_survey_make(struct mt_survey *survey, const struct mt_surface *surface,
                   const struct mt_survey_request *request, struct mt_error *err)
{
    survey->surface = surface;
    int status = choose_axes(survey, request, err);
    if (status == MT_OK)
        status = find_points(survey, err);
    if (status == MT_OK)
        status = find_ridge(survey, err);
    if (status == MT_OK)
        status = find_cliffs(survey, err);
    if (status == MT_OK)
        status = find_speedups(survey, request->base, err);
    if (status == MT_OK)
        status = find_isos(survey, request, err);
    if (status != MT_OK)
        mt_survey_clear(survey);
    return status;
}

void mt_survey_clear(struct mt_survey *survey)
{
    mt_axis_clear(&survey->sizes);
    mt_axis_clear(&survey->nodes);
    mt_cliffs_clear(&survey->cliffs);
    free(survey->points);
    free(survey->ridge);
    free(survey->speedups);
    free(survey->isos);
    *survey = (struct mt_survey){0};
}
