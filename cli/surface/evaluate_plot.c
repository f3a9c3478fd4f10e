/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include "axis.h"
#include "picture.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_LINES = 6,  /* of sections: more are not told apart */
    LINE_POINTS = 80 /* of each of them */
};

/* What is drawn. Zeroed is empty. */
struct canvas {
    struct mt_axis sizes, nodes;
    struct mt_measured_point *measured; /* owned */
    int nmeasured;
};

static void canvas_clear(struct canvas *canvas)
{
    mt_axis_clear(&canvas->sizes);
    mt_axis_clear(&canvas->nodes);
    free(canvas->measured);
}

static int read_picture(enum mt_picture *picture, struct mt_error *err)
{
    *picture = MT_PICTURE_SECTIONS;
    if (!mt_surface_options.picture)
        return MT_OK;
    int status = mt_picture_parse(picture, mt_surface_options.picture, err);
    if (status == MT_OK && *picture != MT_PICTURE_SECTIONS &&
        *picture != MT_PICTURE_SURFACE)
        status = mt_fail(err, MT_EINVAL,
                         "'%s' shows no runs; 'evaluate' draws sections and surface",
                         mt_picture_name(*picture));
    return status;
}

int mt_surface_evaluation_check_picture(struct mt_error *err)
{
    enum mt_picture picture;
    return read_picture(&picture, err);
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Sort, and remove what comes again. */
static void make_set(struct mt_axis *axis)
{
    double *numbers = axis->values;
    int kept = 0;
    qsort(numbers, (size_t)axis->count, sizeof *numbers, compare_numbers);
    for (int i = 0; i < axis->count; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    axis->count = kept;
}

static bool is_among(const struct mt_axis *axis, double number)
{
    return bsearch(&number, axis->values, (size_t)axis->count, sizeof number,
                   compare_numbers) != NULL;
}

/* Whole sizes between the least and the largest that was measured, so that lines are
   smooth, beside those that were. */
static void refine_sizes(struct mt_axis *sizes)
{
    const struct mt_span span = mt_axis_span(sizes);
    for (int i = 0; i < LINE_POINTS; i++)
        sizes->values[sizes->count++] = nearbyint(
            span.low * pow(span.high / span.low, (double)i / (LINE_POINTS - 1)));
    make_set(sizes);
}

static int canvas_init(struct canvas *canvas,
                       const struct mt_surface_evaluation *evaluation,
                       enum mt_picture picture, struct mt_error *err)
{
    const int count = evaluation->count;
    canvas->sizes.values = calloc((size_t)count + LINE_POINTS, sizeof(double));
    canvas->nodes.values = calloc((size_t)count, sizeof(double));
    canvas->measured = calloc((size_t)count, sizeof *canvas->measured);
    if (!canvas->sizes.values || !canvas->nodes.values || !canvas->measured)
        return mt_fail(err, MT_ENOMEM, "no memory for a picture");
    canvas->sizes.count = canvas->nodes.count = count;
    for (int i = 0; i < count; i++) {
        canvas->sizes.values[i] = evaluation->pairs[i].size;
        canvas->nodes.values[i] = evaluation->pairs[i].nodes;
    }
    make_set(&canvas->sizes);
    make_set(&canvas->nodes);
    if (picture == MT_PICTURE_SECTIONS) {
        mt_axis_thin(&canvas->nodes, MOST_LINES);
        refine_sizes(&canvas->sizes);
    }
    for (int i = 0; i < count; i++) {
        const struct mt_surface_pair *pair = &evaluation->pairs[i];
        if (is_among(&canvas->nodes, pair->nodes))
            canvas->measured[canvas->nmeasured++] =
                (struct mt_measured_point){.size = pair->size,
                                           .nodes = pair->nodes,
                                           .efficiency = pair->efficiency};
    }
    return MT_OK;
}

static int draw(const struct mt_surface_evaluation *evaluation,
                const struct canvas *canvas, enum mt_picture picture,
                struct mt_error *err)
{
    const struct mt_surface_input *surface = &evaluation->surface;
    char label[MT_SURFACE_LABEL];
    const struct mt_drawing drawing = {
        .surfaces = {surface->surface},
        .labels = {mt_surface_label(label, surface->surface)},
        .nsurfaces = 1,
        .sizes = canvas->sizes.values,
        .nsizes = canvas->sizes.count,
        .nodes = canvas->nodes.values,
        .nnodes = canvas->nodes.count,
        .measured = canvas->measured,
        .nmeasured = canvas->nmeasured,
        .simulated = mt_cluster_simulated(&evaluation->inputs.cluster),
    };
    return mt_picture_draw(picture, &drawing, mt_surface_options.plot, err);
}

int mt_surface_evaluation_plot(const struct mt_surface_evaluation *evaluation,
                               struct mt_error *err)
{
    enum mt_picture picture;
    struct canvas canvas = {0};
    int status = read_picture(&picture, err);
    if (status == MT_OK)
        status = canvas_init(&canvas, evaluation, picture, err);
    if (status == MT_OK)
        status = draw(evaluation, &canvas, picture, err);
    canvas_clear(&canvas);
    return status;
}
