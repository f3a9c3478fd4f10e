/* SPDX-License-Identifier: BSD-3-Clause */
#include "axis.h"
#include "lines.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>

/* A speed's unit that leaves numbers of a few digits. */
struct unit {
    const char *name;
    double value;
};

static struct unit find_unit(double most)
{
    static const struct unit units[] = {
        {"Tf", 1e12}, {"Gf", 1e9}, {"Mf", 1e6}, {"kf", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (most >= units[i].value)
            return units[i];
    return (struct unit){"f", 1};
}

/* Operations per second of all nodes together; NaN where it is not valid. */
static double speed_of_all(const struct mt_surface *surface, double size, double nodes)
{
    return nodes * mt_surface_at(surface, size, nodes).speed;
}

static double highest_speed(const struct mt_drawing *drawing)
{
    double most = 0;
    for (int s = 0; s < drawing->nsurfaces; s++)
        for (int i = 0; i < drawing->nsizes; i++)
            for (int j = 0; j < drawing->nnodes; j++)
                most = fmax(most, speed_of_all(drawing->surfaces[s], drawing->sizes[i],
                                               drawing->nodes[j]));
    return most;
}

static int add_speeds(struct mt_lines *lines, const struct mt_drawing *drawing,
                      int surface, double size, int color, double unit,
                      struct mt_error *err)
{
    const bool two = drawing->nsurfaces > 1;
    char label[128];
    snprintf(label, sizeof label, "%s%sN = %.0f", two ? drawing->labels[surface] : "",
             two ? ", " : "", size);
    int status =
        mt_lines_begin(lines, MT_SERIES_LINE, color, drawing->nnodes, label, err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        mt_lines_add(lines, drawing->nodes[i],
                     speed_of_all(drawing->surfaces[surface], size, drawing->nodes[i]) /
                         unit);
    return status;
}

/* From which of the drawing's numbers of nodes on a size fits, where not on all. */
static int add_limits(struct mt_lines *lines, const struct mt_drawing *drawing,
                      int nsizes, double unit, struct mt_error *err)
{
    int status = mt_lines_begin(lines, MT_SERIES_POINTS, MT_SERIES_BLACK,
                                drawing->nsurfaces * nsizes, "memory limit", err);
    for (int i = 0; i < drawing->nsurfaces * nsizes && status == MT_OK; i++) {
        const struct mt_surface *surface = drawing->surfaces[i / nsizes];
        const double size =
            drawing->sizes[mt_axis_pick(i % nsizes, drawing->nsizes, nsizes)];
        int first = 0;
        while (first < drawing->nnodes - 1 &&
               !mt_surface_at(surface, size, drawing->nodes[first]).fits)
            first++;
        if (first > 0)
            mt_lines_add(lines, drawing->nodes[first],
                         speed_of_all(surface, size, drawing->nodes[first]) / unit);
    }
    return status;
}

/* Numbers of nodes at which one of two surfaces overtakes the other. */
struct marks {
    double nodes[MT_MAX_LINES];
    int count;
};

static int add_marks(struct marks *marks, const struct mt_drawing *drawing, double size,
                     struct mt_error *err)
{
    struct mt_crossings crossings = {0};
    int status =
        mt_crossings_find(&crossings, drawing->surfaces[0], drawing->surfaces[1], size,
                          mt_drawing_nodes(drawing), err);
    /* The first one only says which is faster at the start. */
    for (int i = 1; i < crossings.count && marks->count < MT_MAX_LINES; i++)
        marks->nodes[marks->count++] = crossings.crossings[i].nodes;
    mt_crossings_clear(&crossings);
    return status;
}

static int add_all(struct mt_lines *lines, struct marks *marks,
                   const struct mt_drawing *drawing, double unit, struct mt_error *err)
{
    const int most = MT_LINE_COLORS / drawing->nsurfaces;
    const int nsizes = drawing->nsizes < most ? drawing->nsizes : most;
    int status = MT_OK, color = 0;
    for (int i = 0; i < nsizes && status == MT_OK; i++) {
        const double size = drawing->sizes[mt_axis_pick(i, drawing->nsizes, nsizes)];
        for (int s = 0; s < drawing->nsurfaces && status == MT_OK; s++, color++)
            status = add_speeds(lines, drawing, s, size, color, unit, err);
        if (status == MT_OK && drawing->nsurfaces > 1)
            status = add_marks(marks, drawing, size, err);
    }
    return status == MT_OK ? add_limits(lines, drawing, nsizes, unit, err) : status;
}

int mt_draw_speeds(const struct mt_drawing *drawing, const char *target,
                   struct mt_error *err)
{
    const struct unit unit = find_unit(highest_speed(drawing));
    struct mt_lines lines = {0};
    struct marks marks = {0};
    char y_label[64];
    snprintf(y_label, sizeof y_label, "speed of all nodes [%s]", unit.name);
    int status = add_all(&lines, &marks, drawing, unit.value, err);
    if (status == MT_OK)
        status = mt_lines_draw(&lines, drawing,
                               &(struct mt_line_axes){.what = "Speeds",
                                                      .nsurfaces = drawing->nsurfaces,
                                                      .x_label = "nodes P",
                                                      .x = mt_drawing_nodes(drawing),
                                                      .y_label = y_label,
                                                      .log_y = true,
                                                      .marks = marks.nodes,
                                                      .nmarks = marks.count},
                               target, err);
    mt_lines_clear(&lines);
    return status;
}
