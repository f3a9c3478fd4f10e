/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "cli/plot/plot.h"
#include "lib/base/array.h"
#include "lines.h"
#include "maps.h"
#include "surface.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most curves that can be told apart; and the factor between a curve's points. */
enum { CURVES = 6 };
static const double fine = 1.04;
enum { LINE_POINTS = 80 }; /* of a curve beside measured points */

/* Lines are made, maps are drawn. */
static const struct {
    const char *name;
    int (*draw)(const struct mt_drawing *drawing, const char *target,
                struct mt_error *err);
    int (*plot)(const struct mt_drawing *drawing, mt_plot_use *use, void *to,
                struct mt_error *err);
} pictures[MT_NPICTURES] = {
    [MT_PICTURE_CONTOURS] = {"contours", .draw = mt_draw_contours},
    [MT_PICTURE_SURFACE] = {"surface", .draw = mt_draw_perspective},
    [MT_PICTURE_SECTIONS] = {"sections", .plot = mt_plot_sections},
    [MT_PICTURE_SPEEDUPS] = {"speed-ups", .plot = mt_plot_speedups},
    [MT_PICTURE_SPEEDS] = {"speeds", .plot = mt_plot_speeds},
};

static const char *picture_name(enum mt_picture picture)
{
    return pictures[picture].name;
}

static int parse_picture(enum mt_picture *picture, const char *name,
                         struct mt_error *err)
{
    for (int i = 0; i < MT_NPICTURES; i++) {
        if (strcmp(name, pictures[i].name) == 0) {
            *picture = (enum mt_picture)i;
            return MT_OK;
        }
    }
    return mt_fail(err, MT_EINVAL,
                   "unknown picture: '%s' (there are contours, surface, sections, "
                   "speed-ups and speeds)",
                   name);
}

int mt_surface_check_output(struct mt_error *err)
{
    const struct mt_surface_options *wanted = &mt_surface_options;
    enum mt_picture picture = MT_NPICTURES;
    if (wanted->csv && mt_common.json)
        return mt_fail(err, MT_EINVAL, "--csv and --json exclude each other");
    if (wanted->picture && !wanted->plot)
        return mt_fail(err, MT_EINVAL, "--picture needs --plot, which says where to");
    int status =
        wanted->picture ? parse_picture(&picture, wanted->picture, err) : MT_OK;
    if (status == MT_OK && picture == MT_PICTURE_SPEEDUPS && !wanted->base)
        status = mt_fail(err, MT_EINVAL,
                         "speed-ups are drawn by 'surface predict' with --base, the "
                         "size on one node");
    if (status == MT_OK && wanted->plot)
        status = mt_plot_check(wanted->plot, mt_common.json || wanted->csv, err);
    return status;
}

static int draw_plot(const struct mt_plot *plot, void *target, struct mt_error *err)
{
    return mt_plot_draw(plot, *(const char **)target, err);
}

/* Draw into a .svg or .png file or 'term', as mt_plot_draw(). */
static int draw_picture(enum mt_picture picture, const struct mt_drawing *drawing,
                        const char *target, struct mt_error *err)
{
    const int status = mt_plot_check(target, false, err);
    if (status != MT_OK)
        return status;
    return pictures[picture].draw
               ? pictures[picture].draw(drawing, target, err)
               : pictures[picture].plot(drawing, draw_plot, &target, err);
}

static int check_axis(const struct mt_axis *axis, const char *option,
                      enum mt_picture picture, struct mt_error *err)
{
    if (axis->count > 1)
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "a picture of %s needs more than one number in --%s",
                   picture_name(picture), option);
}

/* The axes as the picture needs them. */
static int fit_axes(struct mt_axis *sizes, struct mt_axis *nodes,
                    enum mt_picture picture, struct mt_error *err)
{
    int status = MT_OK;
    switch (picture) {
    case MT_PICTURE_SECTIONS:
        status = check_axis(sizes, "size", picture, err);
        if (status == MT_OK)
            status = mt_axis_refine(sizes, fine, err);
        mt_axis_thin(nodes, CURVES);
        return status;
    case MT_PICTURE_SPEEDUPS:
    case MT_PICTURE_SPEEDS:
        status = check_axis(nodes, "nodes", picture, err);
        if (status == MT_OK)
            status = mt_axis_refine(nodes, fine, err);
        mt_axis_thin(sizes, CURVES);
        return status;
    default:
        status = check_axis(sizes, "size", picture, err);
        return status == MT_OK ? check_axis(nodes, "nodes", picture, err) : status;
    }
}

/* A drawing with axes of its own. Zeroed is empty. */
struct complete {
    struct mt_drawing drawing;
    struct mt_axis sizes, nodes;
};

static void complete_clear(struct complete *complete)
{
    mt_axis_clear(&complete->sizes);
    mt_axis_clear(&complete->nodes);
}

/* The drawing with those axes, as the picture needs them; the caller clears it, also
   after a failure. */
static int complete_init(struct complete *complete, const struct mt_drawing *drawing,
                         enum mt_picture picture, const struct mt_axis *sizes,
                         const struct mt_axis *nodes, struct mt_error *err)
{
    *complete = (struct complete){.drawing = *drawing};
    int status = mt_axis_copy(&complete->sizes, sizes, err);
    if (status == MT_OK)
        status = mt_axis_copy(&complete->nodes, nodes, err);
    if (status == MT_OK)
        status = fit_axes(&complete->sizes, &complete->nodes, picture, err);
    complete->drawing.sizes = complete->sizes.values;
    complete->drawing.nsizes = complete->sizes.count;
    complete->drawing.nodes = complete->nodes.values;
    complete->drawing.nnodes = complete->nodes.count;
    return status;
}

int mt_surface_draw(const struct mt_drawing *drawing, enum mt_picture usual,
                    const struct mt_axis *sizes, const struct mt_axis *nodes,
                    struct mt_error *err)
{
    enum mt_picture picture = usual;
    struct complete complete = {.drawing = *drawing};
    int status = MT_OK;
    if (!mt_surface_options.plot)
        return MT_OK;
    if (mt_surface_options.picture)
        status = parse_picture(&picture, mt_surface_options.picture, err);
    if (status == MT_OK)
        status = complete_init(&complete, drawing, picture, sizes, nodes, err);
    if (status == MT_OK)
        status = draw_picture(picture, &complete.drawing, mt_surface_options.plot, err);
    complete_clear(&complete);
    return status;
}

int mt_surface_plot(const struct mt_drawing *drawing, enum mt_picture picture,
                    const struct mt_axis *sizes, const struct mt_axis *nodes,
                    mt_plot_use *use, void *to, struct mt_error *err)
{
    struct complete complete;
    int status = complete_init(&complete, drawing, picture, sizes, nodes, err);
    if (status == MT_OK)
        status = pictures[picture].plot(&complete.drawing, use, to, err);
    complete_clear(&complete);
    return status;
}

/* Of what was measured, what is drawn. Zeroed is empty. */
struct selection {
    struct mt_axis sizes, nodes;
    struct mt_measured_point *measured; /* owned */
    int nmeasured;
};

static void selection_clear(struct selection *selection)
{
    mt_axis_clear(&selection->sizes);
    mt_axis_clear(&selection->nodes);
    free(selection->measured);
}

/* Sort, and remove what comes again. */
static void make_set(struct mt_axis *axis)
{
    double *numbers = axis->values;
    int kept = 0;
    qsort(numbers, (size_t)axis->count, sizeof *numbers, mt_compare_doubles);
    for (int i = 0; i < axis->count; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    axis->count = kept;
}

static bool is_among(const struct mt_axis *axis, double number)
{
    return bsearch(&number, axis->values, (size_t)axis->count, sizeof number,
                   mt_compare_doubles) != NULL;
}

/* Add whole sizes between those measured, so that lines are smooth. */
static void refine_sizes(struct mt_axis *sizes)
{
    const struct mt_span span = mt_axis_span(sizes);
    for (int i = 0; i < LINE_POINTS; i++)
        sizes->values[sizes->count++] = nearbyint(
            span.low * pow(span.high / span.low, (double)i / (LINE_POINTS - 1)));
    make_set(sizes);
}

static int selection_init(struct selection *selection,
                          const struct mt_accuracy *accuracy, enum mt_picture picture,
                          struct mt_error *err)
{
    const int count = accuracy->count;
    selection->sizes.values = calloc((size_t)count + LINE_POINTS, sizeof(double));
    selection->nodes.values = calloc((size_t)count, sizeof(double));
    selection->measured = calloc((size_t)count, sizeof *selection->measured);
    if (!selection->sizes.values || !selection->nodes.values || !selection->measured)
        return mt_fail(err, MT_ENOMEM, "no memory for a picture");
    selection->sizes.count = selection->nodes.count = count;
    for (int i = 0; i < count; i++) {
        selection->sizes.values[i] = accuracy->points[i].size;
        selection->nodes.values[i] = accuracy->points[i].nodes;
    }
    make_set(&selection->sizes);
    make_set(&selection->nodes);
    if (picture == MT_PICTURE_SECTIONS) {
        mt_axis_thin(&selection->nodes, CURVES);
        refine_sizes(&selection->sizes);
    }
    for (int i = 0; i < count; i++) {
        const struct mt_measured_point *point = &accuracy->points[i];
        if (is_among(&selection->nodes, point->nodes))
            selection->measured[selection->nmeasured++] = *point;
    }
    return MT_OK;
}

static int read_measured_picture(enum mt_picture *picture, struct mt_error *err)
{
    *picture = MT_PICTURE_SECTIONS;
    if (!mt_surface_options.picture)
        return MT_OK;
    int status = parse_picture(picture, mt_surface_options.picture, err);
    if (status == MT_OK && *picture != MT_PICTURE_SECTIONS &&
        *picture != MT_PICTURE_SURFACE)
        status = mt_fail(err, MT_EINVAL,
                         "'%s' shows no runs; 'evaluate' draws sections and surface",
                         picture_name(*picture));
    return status;
}

int mt_surface_check_measured(struct mt_error *err)
{
    enum mt_picture picture;
    return read_measured_picture(&picture, err);
}

static int draw_selection(const struct selection *selection,
                          const struct mt_surface *surface, enum mt_picture picture,
                          bool simulated, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    const struct mt_drawing drawing = {
        .surfaces = {surface},
        .labels = {mt_surface_label(label, surface)},
        .nsurfaces = 1,
        .sizes = selection->sizes.values,
        .nsizes = selection->sizes.count,
        .nodes = selection->nodes.values,
        .nnodes = selection->nodes.count,
        .measured = selection->measured,
        .nmeasured = selection->nmeasured,
        .simulated = simulated,
    };
    return draw_picture(picture, &drawing, mt_surface_options.plot, err);
}

int mt_surface_draw_measured(const struct mt_surface *surface,
                             const struct mt_accuracy *accuracy, bool simulated,
                             struct mt_error *err)
{
    enum mt_picture picture;
    struct selection selection = {0};
    int status = read_measured_picture(&picture, err);
    if (status == MT_OK)
        status = selection_init(&selection, accuracy, picture, err);
    if (status == MT_OK)
        status = draw_selection(&selection, surface, picture, simulated, err);
    selection_clear(&selection);
    return status;
}
