/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict.h"

#include "cli/common/command.h"
#include "draw.h"
#include "surface.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int fail_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for an efficiency surface");
}

static void clear(struct mt_surface_prediction *prediction)
{
    mt_axis_clear(&prediction->sizes);
    mt_axis_clear(&prediction->nodes);
    mt_cliffs_clear(&prediction->cliffs);
    free(prediction->points);
    free(prediction->ridge);
    free(prediction->speedups);
    free(prediction->levels);
    free(prediction->isos);
}

/* Read "0.5,0.8". */
static int read_levels(struct mt_surface_prediction *prediction, const char *text,
                       struct mt_error *err)
{
    const char *at = text;
    prediction->levels = calloc(strlen(text) + 1, sizeof *prediction->levels);
    if (!prediction->levels)
        return fail_memory(err);
    do {
        char *end;
        const double level = strtod(at, &end);
        if (end == at || (*end && (*end != ',' || !end[1])) || !(level > 0) ||
            level > 1)
            return mt_fail(err, MT_EINVAL,
                           "--efficiency '%s': efficiencies are above 0 and at most 1, "
                           "as '0.5,0.8'",
                           text);
        prediction->levels[prediction->nlevels++] = level;
        at = *end ? end + 1 : end;
    } while (*at);
    return MT_OK;
}

static int read_base(double *base, const char *text, struct mt_error *err)
{
    struct mt_axis axis = {0};
    const int status = mt_axis_parse(&axis, text, "base", err);
    return status == MT_OK ? mt_axis_single(base, &axis, text, "base", err) : status;
}

static bool any_valid(const struct mt_surface_prediction *prediction, double nodes)
{
    for (int i = 0; i < prediction->sizes.count; i++)
        if (mt_surface_at(prediction->surface, prediction->sizes.values[i], nodes)
                .valid)
            return true;
    return false;
}

/* Some algorithms run on squares of processes only, say: numbers of nodes that nobody
   asked for, and on which nothing can run, are of no interest. */
static void leave_out_impossible_nodes(struct mt_surface_prediction *prediction)
{
    struct mt_axis *nodes = &prediction->nodes;
    int kept = 0;
    for (int i = 0; i < nodes->count; i++)
        if (any_valid(prediction, nodes->values[i]))
            nodes->values[kept++] = nodes->values[i];
    if (kept > 0)
        nodes->count = kept;
}

/* Without --size round numbers are shown, but the best ones need not be round. */
static int read_axes(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_surface *surface = prediction->surface;
    const struct mt_surface_options *wanted = &mt_surface_options;
    int status = mt_axis_of_nodes(&prediction->nodes, wanted->nodes,
                                  mt_surface_machine(surface)->nodes, err);
    if (status != MT_OK)
        return status;
    const double most = mt_axis_span(&prediction->nodes).high;
    status = mt_axis_of_sizes(&prediction->sizes, wanted->sizes, surface, most, err);
    if (status != MT_OK)
        return status;
    prediction->span = mt_axis_span(&prediction->sizes);
    return wanted->sizes ? MT_OK
                         : mt_sizes_of_interest(&prediction->span, surface, most, err);
}

static int read_options(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_surface_options *wanted = &mt_surface_options;
    int status = read_axes(prediction, err);
    if (status == MT_OK && !wanted->nodes)
        leave_out_impossible_nodes(prediction);
    if (status == MT_OK && wanted->base)
        status = read_base(&prediction->base, wanted->base, err);
    if (status == MT_OK && wanted->efficiency)
        status = read_levels(prediction, wanted->efficiency, err);
    return status;
}

static int find_points(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_axis *sizes = &prediction->sizes, *nodes = &prediction->nodes;
    prediction->points =
        calloc((size_t)sizes->count * (size_t)nodes->count, sizeof *prediction->points);
    if (!prediction->points)
        return fail_memory(err);
    mt_surface_grid(prediction->surface, sizes->values, sizes->count, nodes->values,
                    nodes->count, prediction->points);
    return MT_OK;
}

static int find_ridge(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_axis *nodes = &prediction->nodes;
    prediction->ridge = calloc((size_t)nodes->count, sizeof *prediction->ridge);
    if (!prediction->ridge)
        return fail_memory(err);
    for (int i = 0; i < nodes->count; i++) {
        struct mt_ridge_point *best = &prediction->ridge[i];
        best->found = mt_best_size(prediction->surface, nodes->values[i],
                                   prediction->span, &best->point, &best->size);
    }
    return MT_OK;
}

/* Add the cliffs that were found, and release their list. */
static int add_cliffs(struct mt_cliffs *all, struct mt_cliffs *found,
                      struct mt_error *err)
{
    const size_t count = (size_t)all->count + (size_t)found->count;
    struct mt_cliff *cliffs = realloc(all->cliffs, (count + 1) * sizeof *cliffs);
    if (cliffs) {
        if (found->count > 0)
            memcpy(cliffs + all->count, found->cliffs,
                   (size_t)found->count * sizeof *cliffs);
        all->cliffs = cliffs;
        all->count = (int)count;
    }
    mt_cliffs_clear(found);
    return cliffs ? MT_OK : fail_memory(err);
}

static int find_cliffs(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_axis *sizes = &prediction->sizes, *nodes = &prediction->nodes;
    struct mt_cliffs found = {0};
    int status = MT_OK;
    for (int i = 0; i < nodes->count && sizes->count > 1 && status == MT_OK; i++) {
        status = mt_cliffs_of_sizes(&found, prediction->surface, nodes->values[i],
                                    prediction->span, err);
        if (status == MT_OK)
            status = add_cliffs(&prediction->cliffs, &found, err);
    }
    for (int i = 0; i < sizes->count && nodes->count > 1 && status == MT_OK; i++) {
        status = mt_cliffs_of_nodes(&found, prediction->surface, sizes->values[i],
                                    mt_axis_span(nodes), err);
        if (status == MT_OK)
            status = add_cliffs(&prediction->cliffs, &found, err);
    }
    return status;
}

static int find_speedups(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_axis *nodes = &prediction->nodes;
    if (prediction->base == 0)
        return MT_OK;
    prediction->speedups = calloc((size_t)nodes->count, sizeof *prediction->speedups);
    if (!prediction->speedups)
        return fail_memory(err);
    for (int i = 0; i < nodes->count; i++) {
        struct mt_speedup_row *row = &prediction->speedups[i];
        for (int kind = 0; kind < MT_NSPEEDUPS; kind++)
            row->speedups[kind] =
                mt_speedup(prediction->surface, (enum mt_speedup)kind, prediction->base,
                           nodes->values[i], &row->sizes[kind]);
    }
    return MT_OK;
}

static int find_isos(struct mt_surface_prediction *prediction, struct mt_error *err)
{
    const struct mt_axis *nodes = &prediction->nodes;
    prediction->isos = calloc((size_t)prediction->nlevels * (size_t)nodes->count + 1,
                              sizeof *prediction->isos);
    if (!prediction->isos)
        return fail_memory(err);
    struct mt_span span = prediction->span;
    if (!mt_surface_options.sizes)
        span.low = 1;
    struct mt_iso_row *row = prediction->isos;
    for (int level = 0; level < prediction->nlevels; level++)
        for (int i = 0; i < nodes->count; i++, row++)
            row->found =
                mt_iso_efficiency(prediction->surface, prediction->levels[level],
                                  nodes->values[i], span, &row->sizes);
    return MT_OK;
}

static int show(const struct mt_surface_prediction *prediction, struct mt_error *err)
{
    if (mt_common.json)
        return mt_surface_prediction_print_json(prediction, err);
    if (mt_surface_options.csv) {
        mt_surface_prediction_print_csv(prediction);
        return MT_OK;
    }
    return mt_surface_prediction_print(prediction, err);
}

static int draw(const struct mt_surface_prediction *prediction, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    const struct mt_drawing drawing = {
        .surfaces = {prediction->surface},
        .labels = {mt_surface_label(label, prediction->surface)},
        .nsurfaces = 1,
        .base = prediction->base,
        .simulated = mt_surface_machine(prediction->surface)->simulated,
    };
    return mt_surface_draw(&drawing, MT_PICTURE_CONTOURS, &prediction->sizes,
                           &prediction->nodes, err);
}

static int predict(const struct mt_surface *surface, struct mt_error *err)
{
    struct mt_surface_prediction prediction = {.surface = surface};
    int status = read_options(&prediction, err);
    if (status == MT_OK)
        status = find_points(&prediction, err);
    if (status == MT_OK)
        status = find_ridge(&prediction, err);
    if (status == MT_OK)
        status = find_cliffs(&prediction, err);
    if (status == MT_OK)
        status = find_speedups(&prediction, err);
    if (status == MT_OK)
        status = find_isos(&prediction, err);
    if (status == MT_OK)
        status = show(&prediction, err);
    if (status == MT_OK)
        status = draw(&prediction, err);
    clear(&prediction);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    int status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = predict(input.surface, err);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm",  "nodes", "size",    "base",
                                      "efficiency", "plot",  "picture", "csv",
                                      "json",       NULL};

const struct mt_action mt_surface_predict = {
    .name = "predict",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "efficiency, speed and time over sizes and nodes",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
