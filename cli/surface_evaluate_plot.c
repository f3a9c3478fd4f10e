/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface_evaluate.h"

#include "plot.h"
#include "surface_picture.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_LINES = 6,  /* of sections: more are not told apart */
    LINE_POINTS = 80 /* of each of them */
};

/* What is drawn. Zeroed is empty. */
struct canvas {
    double *sizes, *nodes;              /* owned; ascending */
    struct mt_measured_point *measured; /* owned */
    int nsizes, nnodes, nmeasured;
};

static void canvas_clear(struct canvas *canvas)
{
    free(canvas->sizes);
    free(canvas->nodes);
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

int mt_surface_evaluation_check_plot(struct mt_error *err)
{
    enum mt_picture picture;
    if (mt_surface_options.picture && !mt_surface_options.plot)
        return mt_fail(err, MT_EINVAL, "--picture needs --plot");
    int status = read_picture(&picture, err);
    if (status == MT_OK && mt_surface_options.plot)
        status = mt_plot_check(mt_surface_options.plot,
                               mt_common.json || mt_surface_options.csv, err);
    return status;
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Sort, and remove what comes again. */
static int make_set(double *numbers, int count)
{
    int kept = 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    for (int i = 0; i < count; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

/* Keep the first, the last, and what lies evenly between them. */
static int thin_out(double *numbers, int count, int most)
{
    if (count <= most)
        return count;
    for (int i = 0; i < most; i++)
        numbers[i] = numbers[lround((double)i * (count - 1) / (most - 1))];
    return most;
}

static bool is_among(const double *numbers, int count, double number)
{
    return bsearch(&number, numbers, (size_t)count, sizeof *numbers, compare_numbers) !=
           NULL;
}

/* Whole sizes between the least and the largest that was measured, so that lines are
   smooth, beside those that were. */
static void refine_sizes(struct canvas *canvas)
{
    const double low = canvas->sizes[0], high = canvas->sizes[canvas->nsizes - 1];
    for (int i = 0; i < LINE_POINTS; i++)
        canvas->sizes[canvas->nsizes + i] =
            nearbyint(low * pow(high / low, (double)i / (LINE_POINTS - 1)));
    canvas->nsizes = make_set(canvas->sizes, canvas->nsizes + LINE_POINTS);
}

static int canvas_init(struct canvas *canvas,
                       const struct mt_surface_evaluation *evaluation,
                       enum mt_picture picture, struct mt_error *err)
{
    const int count = evaluation->count;
    canvas->sizes = calloc((size_t)count + LINE_POINTS, sizeof *canvas->sizes);
    canvas->nodes = calloc((size_t)count, sizeof *canvas->nodes);
    canvas->measured = calloc((size_t)count, sizeof *canvas->measured);
    if (!canvas->sizes || !canvas->nodes || !canvas->measured)
        return mt_fail(err, MT_ENOMEM, "no memory for a picture");
    for (int i = 0; i < count; i++) {
        canvas->sizes[i] = evaluation->pairs[i].size;
        canvas->nodes[i] = evaluation->pairs[i].nodes;
    }
    canvas->nsizes = make_set(canvas->sizes, count);
    canvas->nnodes = make_set(canvas->nodes, count);
    if (picture == MT_PICTURE_SECTIONS) {
        canvas->nnodes = thin_out(canvas->nodes, canvas->nnodes, MOST_LINES);
        refine_sizes(canvas);
    }
    for (int i = 0; i < count; i++) {
        const struct mt_surface_pair *pair = &evaluation->pairs[i];
        if (is_among(canvas->nodes, canvas->nnodes, pair->nodes))
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
    char label[128];
    snprintf(label, sizeof label, "%s %s", surface->machine.name,
             surface->algorithm->name);
    const struct mt_drawing drawing = {
        .surfaces = {surface->surface},
        .labels = {label},
        .nsurfaces = 1,
        .sizes = canvas->sizes,
        .nsizes = canvas->nsizes,
        .nodes = canvas->nodes,
        .nnodes = canvas->nnodes,
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
