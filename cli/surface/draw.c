/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw.h"

#include "surface.h"

/* So many curves can be told apart; and so far apart are the points of one. */
enum { CURVES = 6 };
static const double fine = 1.04;

static int check_axis(const struct mt_axis *axis, const char *option,
                      enum mt_picture picture, struct mt_error *err)
{
    if (axis->count > 1)
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "a picture of %s needs more than one number in --%s",
                   mt_picture_name(picture), option);
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

static int draw(const struct mt_drawing *drawing, enum mt_picture picture,
                struct mt_axis *sizes, struct mt_axis *nodes, struct mt_error *err)
{
    struct mt_drawing complete = *drawing;
    const int status = fit_axes(sizes, nodes, picture, err);
    if (status != MT_OK)
        return status;
    complete.sizes = sizes->values;
    complete.nsizes = sizes->count;
    complete.nodes = nodes->values;
    complete.nnodes = nodes->count;
    return mt_picture_draw(picture, &complete, mt_surface_options.plot, err);
}

int mt_surface_draw(const struct mt_drawing *drawing, enum mt_picture usual,
                    const struct mt_axis *sizes, const struct mt_axis *nodes,
                    struct mt_error *err)
{
    enum mt_picture picture = usual;
    struct mt_axis own_sizes = {0}, own_nodes = {0};
    int status = MT_OK;
    if (!mt_surface_options.plot)
        return MT_OK;
    if (mt_surface_options.picture)
        status = mt_picture_parse(&picture, mt_surface_options.picture, err);
    if (status == MT_OK)
        status = mt_axis_copy(&own_sizes, sizes, err);
    if (status == MT_OK)
        status = mt_axis_copy(&own_nodes, nodes, err);
    if (status == MT_OK)
        status = draw(drawing, picture, &own_sizes, &own_nodes, err);
    mt_axis_clear(&own_sizes);
    mt_axis_clear(&own_nodes);
    return status;
}
