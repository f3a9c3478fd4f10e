/* SPDX-License-Identifier: BSD-3-Clause */
#include "maps.h"

#include "cli/plot/plot_field.h"
#include "cli/plot/plot_script.h"
#include "lib/surface/map.h"
#include "lib/surface/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTOUR_CELLS = 121 }; /* of each axis */
enum { MESH_CELLS = 37 };     /* likewise; of a measured mesh those of the axes */
/* Of a map of digits that fits into a terminal of 80 columns. */
enum { DIGIT_COLUMNS = 65, DIGIT_ROWS = 22 };

enum { RIDGE, CLIFFS, LIMIT, OVERTAKEN, MARKS };

/* A field and what it points into. */
struct surface_field {
    struct mt_field field;
    struct mt_field_mark marks[MARKS];
    struct mt_field_point *points[MARKS]; /* owned */
    char title[280], overtakes[128];
};

static struct mt_field_axis axis_of(const char *name, struct mt_span span, int cells)
{
    struct mt_field_axis axis = {.name = name, .cells = cells};
    double ticks[MT_MAX_TICKS];
    axis.count = mt_span_ticks(ticks, span);
    for (int i = 0; i < axis.count; i++)
        axis.ticks[i] =
            (struct mt_field_tick){mt_span_cell(span, ticks[i], cells), ticks[i]};
    return axis;
}

static void set_axes(struct surface_field *all, const struct mt_drawing *drawing,
                     const char *what, struct mt_span nodes, struct mt_span sizes)
{
    char title[256];
    mt_drawing_title(title, drawing, what, 1);
    snprintf(all->title, sizeof all->title, "%s%s", title,
             drawing->simulated ? " (simulated)" : "");
    all->field.title = all->title;
    all->field.name = "efficiency";
    all->field.x = axis_of("nodes P", nodes, all->field.x.cells);
    all->field.y = axis_of("problem size N", sizes, all->field.y.cells);
}

/* The field of a map, without marks. */
static void set_map(struct surface_field *all, const struct mt_drawing *drawing,
                    const char *what, const struct mt_surface_map *map)
{
    all->field.x.cells = map->columns;
    all->field.y.cells = map->rows;
    set_axes(all, drawing, what, map->nodes, map->sizes);
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

/* Whether a line connects two places. Where it would be very steep, one ridge ends and
   another is the higher one from there on. */
static bool connected(const struct mt_mark *from, const struct mt_mark *to)
{
    return fabs(log(to->size / from->size)) < 1.5 * fabs(log(to->nodes / from->nodes));
}

static int set_marks(struct surface_field *all, int index,
                     const struct mt_mark_list *list, const struct mt_surface_map *map,
                     struct mt_error *err)
{
    struct mt_field_mark *mark = &all->marks[index];
    struct mt_field_point *points = /* and ends of lines between them */
        calloc(2 * (size_t)list->count + 1, sizeof *points);
    if (!points)
        return mt_fail(err, MT_ENOMEM, "no memory for the marks of a picture");
    for (int i = 0; i < list->count; i++) {
        if (mark->style == MT_MARK_PATH && i > 0 &&
            !connected(&list->marks[i - 1], &list->marks[i]))
            points[mark->count++] = (struct mt_field_point){NAN, NAN};
        points[mark->count++] =
            place_of(map, list->marks[i].nodes, list->marks[i].size);
    }
    mark->points = all->points[index] = points;
    return MT_OK;
}

/* What the places where one surface overtakes the other are called. */
static void name_overtaking(char name[128], const struct mt_drawing *drawing,
                            const struct mt_surface_marks *marks)
{
    if (marks->overtakes[0] && marks->overtakes[1])
        snprintf(name, 128, "one overtakes the other");
    else
        snprintf(name, 128, "%s overtakes", drawing->labels[marks->overtakes[1]]);
}

static int set_all_marks(struct surface_field *all, const struct mt_drawing *drawing,
                         const struct mt_surface_marks *marks,
                         const struct mt_surface_map *map, struct mt_error *err)
{
    name_overtaking(all->overtakes, drawing, marks);
    all->marks[RIDGE] = (struct mt_field_mark){
        .style = MT_MARK_PATH, .label = "best size", .letter = 'o'};
    all->marks[CLIFFS] =
        (struct mt_field_mark){.style = MT_MARK_STEPS, .label = "cliff", .letter = '!'};
    all->marks[LIMIT] = (struct mt_field_mark){
        .style = MT_MARK_EDGE, .label = "memory limit", .letter = '*'};
    all->marks[OVERTAKEN] = (struct mt_field_mark){
        .style = MT_MARK_POINTS, .label = all->overtakes, .letter = '#'};
    all->field.marks = all->marks;
    all->field.nmarks = MARKS;
    int status = set_marks(all, RIDGE, &marks->ridge, map, err);
    if (status == MT_OK)
        status = set_marks(all, CLIFFS, &marks->cliffs, map, err);
    if (status == MT_OK)
        status = set_marks(all, LIMIT, &marks->limit, map, err);
    if (status == MT_OK)
        status = set_marks(all, OVERTAKEN, &marks->overtaken, map, err);
    return status;
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
                    const char *target, struct mt_error *err)
{
    struct mt_surface_marks marks = {0};
    struct surface_field all = {.overtakes = ""};
    set_map(&all, drawing, "Efficiency", map);
    set_frame(&all, drawing, map);
    int status = mt_surface_marks_find(&marks, drawing->surfaces, map, err);
    if (status == MT_OK)
        status = set_all_marks(&all, drawing, &marks, map, err);
    if (status == MT_OK)
        status = mt_field_draw(&all.field, target, err);
    for (int m = 0; m < MARKS; m++)
        free(all.points[m]);
    mt_surface_marks_clear(&marks);
    return status;
}

int mt_draw_contours(const struct mt_drawing *drawing, const char *target,
                     struct mt_error *err)
{
    enum mt_plot_kind kind;
    int status = mt_plot_kind_find(&kind, target, err);
    if (status != MT_OK)
        return status;
    const bool digits = kind == MT_PLOT_TERM;
    struct mt_surface_map map = {.nodes = mt_drawing_nodes(drawing),
                                 .sizes = mt_drawing_sizes(drawing),
                                 .columns = digits ? DIGIT_COLUMNS : CONTOUR_CELLS,
                                 .rows = digits ? DIGIT_ROWS : CONTOUR_CELLS};
    status = mt_surface_map_make(&map, drawing->surfaces[0], err);
    if (status == MT_OK)
        status = draw_map(drawing, &map, target, err);
    mt_surface_map_clear(&map);
    return status;
}

/* In the terminal a map of digits stands for the perspective. */
static int print_mesh(const struct mt_drawing *drawing, const struct mt_mesh *mesh,
                      const char *target, struct mt_error *err)
{
    struct mt_surface_map map = {0};
    struct surface_field all = {.overtakes = ""};
    int status = mt_mesh_to_map(&map, mesh, DIGIT_COLUMNS, DIGIT_ROWS, err);
    if (status == MT_OK) {
        set_map(&all, drawing, "Measured efficiency", &map);
        status = mt_field_draw(&all.field, target, err);
    }
    mt_surface_map_clear(&map);
    return status;
}

static void fill_places(double *places, const double *values, int count,
                        struct mt_span span)
{
    for (int i = 0; i < count; i++)
        places[i] = mt_span_cell(span, values[i], MESH_CELLS);
}

static int draw_mesh(const struct mt_drawing *drawing, const struct mt_mesh *mesh,
                     const char *target, struct mt_error *err)
{
    const double highest =
        mt_highest_efficiency(mesh->efficiency, mesh->columns * mesh->rows);
    struct surface_field all = {.field = {.x.cells = MESH_CELLS,
                                          .y.cells = MESH_CELLS,
                                          .step = mt_efficiency_step(highest)}};
    double *places = calloc((size_t)mesh->columns + (size_t)mesh->rows, sizeof *places);
    if (!places)
        return mt_fail(err, MT_ENOMEM, "no memory for a mesh");
    set_axes(&all, drawing,
             drawing->nmeasured > 0 ? "Measured efficiency" : "Efficiency",
             mt_mesh_nodes(mesh), mt_mesh_sizes(mesh));
    fill_places(places, mesh->nodes, mesh->columns, mt_mesh_nodes(mesh));
    fill_places(places + mesh->columns, mesh->sizes, mesh->rows, mt_mesh_sizes(mesh));
    const struct mt_field_mesh crossings = {.columns = places,
                                            .rows = places + mesh->columns,
                                            .ncolumns = mesh->columns,
                                            .nrows = mesh->rows,
                                            .values = mesh->efficiency,
                                            .highest = highest};
    const int status = mt_field_draw_mesh(&all.field, &crossings, target, err);
    free(places);
    return status;
}

static int make_predicted_mesh(struct mt_mesh *mesh, const struct mt_drawing *drawing,
                               struct mt_error *err)
{
    struct mt_surface_map map = {.nodes = mt_drawing_nodes(drawing),
                                 .sizes = mt_drawing_sizes(drawing),
                                 .columns = MESH_CELLS,
                                 .rows = MESH_CELLS};
    int status = mt_surface_map_make(&map, drawing->surfaces[0], err);
    if (status == MT_OK)
        status = mt_mesh_of_map(mesh, &map, err);
    mt_surface_map_clear(&map);
    return status;
}

int mt_draw_perspective(const struct mt_drawing *drawing, const char *target,
                        struct mt_error *err)
{
    const bool measured = drawing->nmeasured > 0;
    struct mt_mesh mesh = {0};
    enum mt_plot_kind kind;
    int status = mt_plot_kind_find(&kind, target, err);
    if (status != MT_OK)
        return status;
    if (kind == MT_PLOT_TERM && !measured)
        return mt_draw_contours(drawing, target, err);
    status = measured
                 ? mt_mesh_of_points(&mesh, drawing->measured, drawing->nmeasured, err)
                 : make_predicted_mesh(&mesh, drawing, err);
    if (status == MT_OK)
        status = kind == MT_PLOT_TERM ? print_mesh(drawing, &mesh, target, err)
                                      : draw_mesh(drawing, &mesh, target, err);
    mt_mesh_clear(&mesh);
    return status;
}
