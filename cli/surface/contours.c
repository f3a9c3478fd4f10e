/* SPDX-License-Identifier: BSD-3-Clause */
/* The map that --plot draws: lines of equal efficiency over nodes and sizes, with the
   best sizes, the memory limit, the cliffs, and the crossings with a second surface. */
#include "cli/plot/plot.h"
#include "cli/plot/plot_field.h"
#include "cli/process/memory.h"
#include "lib/surface/map.h"
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 121 }; /* of each axis */

enum { RIDGE, CLIFFS, LIMIT, OVERTAKEN, MARKS };

int mt_surface_check_plot(struct mt_error *err)
{
    return mt_surface_options.plot
               ? mt_plot_check(mt_surface_options.plot, mt_common.json, err)
               : MT_OK;
}

/* A step of 1, 2 or 5 times a power of ten that gives a few ticks. */
static double round_step(double width)
{
    const double power = pow(10, floor(log10(width)));
    if (width / power > 6)
        return 2 * power;
    return width / power > 3 ? power : power / 2;
}

/* The ticks of a logarithmic axis: powers of two, or, where these are few, round
   numbers. Returns how many. */
static int find_ticks(double ticks[MT_FIELD_TICKS], struct mt_span span)
{
    const int first = (int)ceil(log2(span.low)), last = (int)floor(log2(span.high));
    const int octaves = (last - first) / MT_FIELD_TICKS + 1;
    int count = 0;
    if (last - first >= 2) {
        for (int power = first; power <= last; power += octaves)
            ticks[count++] = exp2(power);
        return count;
    }
    const double step = fmax(round_step(span.high - span.low), 1);
    for (double tick = ceil(span.low / step) * step;
         tick <= span.high && count < MT_FIELD_TICKS; tick += step)
        ticks[count++] = tick;
    return count;
}

/* A field and the data that it points into. */
struct surface_field {
    struct mt_field field;
    struct mt_field_mark marks[MARKS];
    struct mt_field_point *points[MARKS]; /* owned */
    char title[280], overtakes[128];
};

static struct mt_field_axis axis_of(const char *name, struct mt_span span, int cells)
{
    struct mt_field_axis axis = {.name = name, .cells = cells};
    double ticks[MT_FIELD_TICKS];
    axis.count = find_ticks(ticks, span);
    for (int i = 0; i < axis.count; i++)
        axis.ticks[i] =
            (struct mt_field_tick){mt_span_cell(span, ticks[i], cells), ticks[i]};
    return axis;
}

/* The field of a map, without marks. */
static void set_map(struct surface_field *all, const struct mt_drawing *drawing,
                    const struct mt_surface_map *map)
{
    snprintf(all->title, sizeof all->title, "Efficiency of %s%s", drawing->labels[0],
             drawing->simulated ? " (simulated)" : "");
    all->field.title = all->title;
    all->field.name = "efficiency";
    all->field.x = axis_of("nodes P", map->nodes, map->columns);
    all->field.y = axis_of("problem size N", map->sizes, map->rows);
    all->field.values = map->efficiency;
    all->field.step = mt_efficiency_step(
        mt_highest_efficiency(map->efficiency, map->columns * map->rows));
}

static struct mt_field_point place_of(const struct mt_surface_map *map, double nodes,
                                      double size)
{
    return (struct mt_field_point){mt_span_cell(map->nodes, nodes, map->columns),
                                   mt_span_cell(map->sizes, size, map->rows)};
}

/* Whether a line connects two places. A very steep line would mean that one ridge ends
   and another is higher from there on. */
static bool connected(const struct mt_mark *from, const struct mt_mark *to)
{
    return fabs(log(to->size / from->size)) < 1.5 * fabs(log(to->nodes / from->nodes));
}

static void set_marks(struct surface_field *all, int index,
                      const struct mt_mark_list *list, const struct mt_surface_map *map)
{
    struct mt_field_mark *mark = &all->marks[index];
    struct mt_field_point *points = /* including ends of lines between them */
        mt_calloc(2 * (size_t)list->count + 1, sizeof *points);
    for (int i = 0; i < list->count; i++) {
        if (mark->style == MT_MARK_PATH && i > 0 &&
            !connected(&list->marks[i - 1], &list->marks[i]))
            points[mark->count++] = (struct mt_field_point){NAN, NAN};
        points[mark->count++] =
            place_of(map, list->marks[i].nodes, list->marks[i].size);
    }
    mark->points = all->points[index] = points;
}

/* The label of the crossings. */
static void name_overtaking(char name[128], const struct mt_drawing *drawing,
                            const struct mt_surface_marks *marks)
{
    if (marks->overtakes[0] && marks->overtakes[1])
        snprintf(name, 128, "one overtakes the other");
    else
        snprintf(name, 128, "%s overtakes", drawing->labels[marks->overtakes[1]]);
}

static void set_all_marks(struct surface_field *all, const struct mt_drawing *drawing,
                          const struct mt_surface_marks *marks,
                          const struct mt_surface_map *map)
{
    name_overtaking(all->overtakes, drawing, marks);
    all->marks[RIDGE] =
        (struct mt_field_mark){.style = MT_MARK_PATH, .label = "best size"};
    all->marks[CLIFFS] =
        (struct mt_field_mark){.style = MT_MARK_STEPS, .label = "cliff"};
    all->marks[LIMIT] =
        (struct mt_field_mark){.style = MT_MARK_EDGE, .label = "memory limit"};
    all->marks[OVERTAKEN] =
        (struct mt_field_mark){.style = MT_MARK_POINTS, .label = all->overtakes};
    all->field.marks = all->marks;
    all->field.nmarks = MARKS;
    set_marks(all, RIDGE, &marks->ridge, map);
    set_marks(all, CLIFFS, &marks->cliffs, map);
    set_marks(all, LIMIT, &marks->limit, map);
    set_marks(all, OVERTAKEN, &marks->overtaken, map);
}

/* The part of the map that the machine's parameters were learned from. */
static void set_frame(struct surface_field *all, const struct mt_drawing *drawing,
                      const struct mt_surface_map *map)
{
    const struct mt_learned_from *learned =
        &mt_surface_algorithm(drawing->surfaces[0])->learned;
    if (learned->nodes == 0)
        return;
    all->field.frame_label = "learned";
    all->field.frame[0] = place_of(map, map->nodes.low, learned->size_low);
    all->field.frame[1] = place_of(map, learned->nodes, learned->size_high);
}

static int draw_map(const struct mt_drawing *drawing, const struct mt_surface_map *map,
                    struct mt_error *err)
{
    struct mt_surface_marks marks = {0};
    struct surface_field all = {.overtakes = ""};
    set_map(&all, drawing, map);
    set_frame(&all, drawing, map);
    int status = mt_surface_marks_find(&marks, drawing->surfaces, map, err);
    if (status == MT_OK)
        set_all_marks(&all, drawing, &marks, map);
    if (status == MT_OK)
        status = mt_field_draw(&all.field, mt_surface_options.plot, err);
    for (int m = 0; m < MARKS; m++)
        free(all.points[m]);
    mt_surface_marks_clear(&marks);
    return status;
}

static int check_axis(const struct mt_axis *axis, const char *option,
                      struct mt_error *err)
{
    if (axis->count > 1)
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "a picture needs more than one number in --%s",
                   option);
}

int mt_contours_draw(const struct mt_drawing *drawing, struct mt_error *err)
{
    if (!mt_surface_options.plot)
        return MT_OK;
    int status = check_axis(drawing->sizes, "size", err);
    if (status == MT_OK)
        status = check_axis(drawing->nodes, "nodes", err);
    if (status != MT_OK)
        return status;
    struct mt_surface_map map = {.nodes = mt_axis_span(drawing->nodes),
                                 .sizes = mt_axis_span(drawing->sizes),
                                 .columns = CELLS,
                                 .rows = CELLS};
    status = mt_surface_map_make(&map, drawing->surfaces[0], err);
    if (status == MT_OK)
        status = draw_map(drawing, &map, err);
    mt_surface_map_clear(&map);
    return status;
}
