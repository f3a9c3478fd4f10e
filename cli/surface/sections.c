/* SPDX-License-Identifier: BSD-3-Clause */
#include "axis.h"
#include "lines.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>

/* "LABEL, TEXT", the label only where there are two. */
static void write_label(char label[128], const struct mt_drawing *drawing, int surface,
                        const char *text)
{
    if (drawing->nsurfaces > 1)
        snprintf(label, 128, "%s, %s", drawing->labels[surface], text);
    else
        snprintf(label, 128, "%s", text);
}

static int add_prediction(struct mt_lines *lines, const struct mt_drawing *drawing,
                          int surface, double nodes, int color, struct mt_error *err)
{
    char label[128], text[32];
    snprintf(text, sizeof text, "P = %.0f", nodes);
    write_label(label, drawing, surface, text);
    int status =
        mt_lines_begin(lines, MT_SERIES_LINE, color, drawing->nsizes, label, err);
    for (int i = 0; i < drawing->nsizes && status == MT_OK; i++) {
        const double size = drawing->sizes[i];
        const struct mt_surface_point point =
            mt_surface_at(drawing->surfaces[surface], size, nodes);
        if (point.valid)
            mt_lines_add(lines, size, 100 * point.efficiency);
    }
    return status;
}

/* What was measured is of the first surface. Points have the colours of their lines, so
   the legend need not list them all. */
static int add_measured(struct mt_lines *lines, const struct mt_drawing *drawing,
                        double nodes, int color, struct mt_error *err)
{
    char label[128] = "";
    if (color == 0)
        write_label(label, drawing, 0, "measured");
    int status =
        mt_lines_begin(lines, MT_SERIES_POINTS, color, drawing->nmeasured, label, err);
    for (int i = 0; i < drawing->nmeasured && status == MT_OK; i++)
        if (drawing->measured[i].nodes == nodes)
            mt_lines_add(lines, drawing->measured[i].size,
                         100 * drawing->measured[i].efficiency);
    return status;
}

/* Where the memory ends on the numbers of nodes that are drawn. */
static int add_limits(struct mt_lines *lines, const struct mt_drawing *drawing,
                      int sections, struct mt_error *err)
{
    const struct mt_span sizes = mt_drawing_sizes(drawing);
    int status = mt_lines_begin(lines, MT_SERIES_POINTS, MT_SERIES_BLACK,
                                drawing->nsurfaces * sections, "memory limit", err);
    for (int i = 0; i < drawing->nsurfaces * sections && status == MT_OK; i++) {
        const struct mt_surface *surface = drawing->surfaces[i / sections];
        const double nodes =
            drawing->nodes[mt_axis_pick(i % sections, drawing->nnodes, sections)];
        double limit = mt_surface_memory_limit(surface, nodes, sizes.low, sizes.high);
        if (isnan(limit))
            limit = sizes.low;
        if (limit < sizes.high)
            mt_lines_add(lines, limit,
                         100 * mt_surface_at(surface, limit, nodes).efficiency);
    }
    return status;
}

static int add_sections(struct mt_lines *lines, const struct mt_drawing *drawing,
                        struct mt_error *err)
{
    const int most = MT_LINE_COLORS / drawing->nsurfaces;
    const int sections = drawing->nnodes < most ? drawing->nnodes : most;
    int status = MT_OK, color = 0;
    for (int s = 0; s < drawing->nsurfaces; s++) {
        for (int i = 0; i < sections && status == MT_OK; i++, color++) {
            const double nodes =
                drawing->nodes[mt_axis_pick(i, drawing->nnodes, sections)];
            status = add_prediction(lines, drawing, s, nodes, color, err);
            if (status == MT_OK && s == 0 && drawing->nmeasured > 0)
                status = add_measured(lines, drawing, nodes, color, err);
        }
    }
    return status == MT_OK ? add_limits(lines, drawing, sections, err) : status;
}

int mt_draw_sections(const struct mt_drawing *drawing, const char *target,
                     struct mt_error *err)
{
    struct mt_lines lines = {0};
    int status = add_sections(&lines, drawing, err);
    if (status == MT_OK)
        status = mt_lines_draw(&lines, drawing,
                               &(struct mt_line_axes){.what = "Efficiency",
                                                      .nsurfaces = drawing->nsurfaces,
                                                      .x_label = "problem size N",
                                                      .x = mt_drawing_sizes(drawing),
                                                      .y_label = "efficiency [%]"},
                               target, err);
    mt_lines_clear(&lines);
    return status;
}
