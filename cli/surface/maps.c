/* SPDX-License-Identifier: BSD-3-Clause */
#include "maps.h"

#include "cli/common/canvas.h"
#include "cli/common/plot_script.h"
#include "lib/surface/map.h"
#include "lib/surface/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTOUR_CELLS = 121 }; /* of each axis */
enum { MESH_CELLS = 37 };     /* likewise; of a measured mesh those of the axes */
/* Of a map of digits that fits into a terminal of 80 columns. */
enum { DIGIT_COLUMNS = 65, DIGIT_ROWS = 22, LABEL_WIDTH = 8, ROWS_OF_LABEL = 3 };

/* What the places where one surface overtakes the other are called. */
static const char *overtakes_label(char label[128], const struct mt_drawing *drawing,
                                   const struct mt_surface_marks *marks)
{
    if (marks->overtakes[0] && marks->overtakes[1])
        return "one overtakes the other";
    snprintf(label, 128, "%s overtakes", drawing->labels[marks->overtakes[1]]);
    return label;
}

static char digit(double efficiency, int step)
{
    if (isnan(efficiency))
        return ' ';
    const int steps = (int)floor(100 * efficiency / step);
    return (char)('0' + (steps > 9 ? 9 : steps));
}

/* The later marks cover the earlier ones. */
static void put_marks(struct mt_canvas *canvas, const struct mt_mark_list *list,
                      const struct mt_surface_map *map, char letter)
{
    for (int i = 0; i < list->count; i++) {
        double column = mt_span_cell(map->nodes, list->marks[i].nodes, map->columns);
        double row = mt_span_cell(map->sizes, list->marks[i].size, map->rows);
        mt_canvas_put(canvas, LABEL_WIDTH + 1 + (int)round(column),
                      map->rows - 1 - (int)round(row), letter);
    }
}

static void put_digits(struct mt_canvas *canvas, const struct mt_surface_map *map,
                       int step)
{
    for (int row = 0; row < map->rows; row++) {
        const int line = map->rows - 1 - row;
        char label[24];
        snprintf(label, sizeof label, "%.0f", mt_span_at(map->sizes, row, map->rows));
        if (line % ROWS_OF_LABEL == 0)
            mt_canvas_text_before(canvas, LABEL_WIDTH - 1, line, label);
        mt_canvas_put(canvas, LABEL_WIDTH, line, '|');
        for (int column = 0; column < map->columns; column++)
            mt_canvas_put(canvas, LABEL_WIDTH + 1 + column, line,
                          digit(map->efficiency[row * map->columns + column], step));
    }
}

static void put_nodes(struct mt_canvas *canvas, const struct mt_surface_map *map)
{
    struct mt_canvas_axis axis = {.cells = map->columns};
    double ticks[MT_MAX_TICKS];
    axis.count = mt_span_ticks(ticks, map->nodes);
    for (int i = 0; i < axis.count; i++) {
        struct mt_canvas_tick *tick = &axis.ticks[i];
        tick->at = (int)round(mt_span_cell(map->nodes, ticks[i], map->columns));
        snprintf(tick->text, sizeof tick->text, "%.0f", ticks[i]);
    }
    mt_canvas_put(canvas, LABEL_WIDTH, map->rows, '+');
    mt_canvas_x_axis(canvas, LABEL_WIDTH + 1, map->rows, &axis);
    mt_canvas_text_before(canvas, LABEL_WIDTH + map->columns / 2 + 4, map->rows + 2,
                          "nodes P");
}

static void print_legend(const struct mt_drawing *drawing,
                         const struct mt_surface_marks *marks, int step)
{
    printf("\n0-9: efficiency, in steps of %d %%", step);
    if (marks->ridge.count > 0)
        fputs("; o: best size", stdout);
    if (marks->limit.count > 0)
        fputs("; *: memory limit", stdout);
    if (marks->cliffs.count > 0)
        fputs("; !: cliff", stdout);
    char label[128];
    if (marks->overtaken.count > 0)
        printf("\n#: %s", overtakes_label(label, drawing, marks));
    putchar('\n');
}

/* Print a map of digits, with its marks over it: a digit is the efficiency in steps, as
   the legend says. */
static void print_digits(const struct mt_drawing *drawing, const char *what,
                         const struct mt_surface_map *map,
                         const struct mt_surface_marks *marks)
{
    struct mt_canvas canvas = {.columns = LABEL_WIDTH + 1 + DIGIT_COLUMNS + 3,
                               .rows = DIGIT_ROWS + 3};
    char title[256];
    const int cells = map->rows * map->columns;
    const int step = mt_efficiency_step(mt_highest_efficiency(map->efficiency, cells));
    put_digits(&canvas, map, step);
    put_marks(&canvas, &marks->ridge, map, 'o');
    put_marks(&canvas, &marks->cliffs, map, '!');
    put_marks(&canvas, &marks->limit, map, '*');
    put_marks(&canvas, &marks->overtaken, map, '#');
    put_nodes(&canvas, map);
    mt_drawing_title(title, drawing, what, 1);
    printf("\n%s%s\n%*s\n", title, drawing->simulated ? " (simulated)" : "",
           LABEL_WIDTH, "size N");
    mt_canvas_print(&canvas, stdout);
    print_legend(drawing, marks, step);
}

/* Whether a line leads from one place to the next: where it would be very steep, a
   ridge ends, and another is the higher one from there on. */
static bool connected(const struct mt_mark *from, const struct mt_mark *to)
{
    return fabs(log(to->size / from->size)) < 1.5 * fabs(log(to->nodes / from->nodes));
}

/* Marks, in cells of the map. */
static void write_marks(FILE *script, const char *name, const struct mt_mark_list *list,
                        const struct mt_surface_map *map)
{
    fprintf(script, "$%s << EOD\n", name);
    for (int i = 0; i < list->count; i++) {
        const struct mt_mark *mark = &list->marks[i];
        if (i > 0 && !connected(mark - 1, mark))
            fputc('\n', script); /* ends a line */
        fprintf(script, "%.6g %.6g\n",
                mt_span_cell(map->nodes, mark->nodes, map->columns),
                mt_span_cell(map->sizes, mark->size, map->rows));
    }
    fputs("EOD\n", script);
}

static void write_cliffs(FILE *script, const struct mt_mark_list *cliffs,
                         const struct mt_surface_map *map)
{
    fputs("$cliffs << EOD\n", script);
    for (int i = 0; i < cliffs->count; i += 2) {
        const struct mt_mark *from = &cliffs->marks[i], *to = from + 1;
        const double column = mt_span_cell(map->nodes, from->nodes, map->columns);
        const double row = mt_span_cell(map->sizes, from->size, map->rows);
        fprintf(script, "%.6g %.6g %.6g %.6g\n", column, row,
                mt_span_cell(map->nodes, to->nodes, map->columns) - column,
                mt_span_cell(map->sizes, to->size, map->rows) - row);
    }
    fputs("EOD\n", script);
}

/* The frame of what the machine's parameters were learned from. */
static void write_learned(FILE *script, const struct mt_learned_from *learned,
                          const struct mt_surface_map *map)
{
    const double right = mt_span_cell(map->nodes, learned->nodes, map->columns);
    const double bottom = mt_span_cell(map->sizes, learned->size_low, map->rows);
    const double top = mt_span_cell(map->sizes, learned->size_high, map->rows);
    fprintf(script,
            "$learned << EOD\n0 %g\n%g %g\n%g %g\n0 %g\nEOD\n"
            "set label 'learned' at %g, %g right offset -0.5,-0.7 font ',11' "
            "textcolor rgb 'white' front\n",
            bottom, right, bottom, right, top, top, right, top);
}

/* Lines of equal efficiency: gnuplot finds them, for they are drawn over the cells. */
static void write_lines(FILE *script, int step)
{
    fprintf(script,
            "set contour base\nunset surface\n"
            "set cntrparam levels incremental %d, %d, %d\nset table $lines\n"
            "splot $cells matrix using 1:2:3 with lines\nunset table\n",
            step, step, 9 * step);
}

static void write_contour_plot(FILE *script, const struct mt_drawing *drawing,
                               const struct mt_surface_map *map,
                               const struct mt_surface_marks *marks)
{
    fputs("plot $cells matrix using 1:2:3 with image notitle, "
          "$lines using 1:2 with lines linewidth 0.8 linecolor rgb 'white' notitle",
          script);
    if (marks->limit.count > 0)
        fprintf(script,
                ", $limit using 1:2:(%d) with filledcurves fillstyle transparent solid "
                "0.45 noborder linecolor rgb 'white' notitle",
                map->rows - 1);
    /* Labels some way apart, but not on the border, where they would be cut. */
    fprintf(script,
            ", $lines using ($1 > 2 && $1 < %d ? $1 : NaN):"
            "($2 > 2 && $2 < %d ? $2 : NaN):(sprintf('%%g', $3)) every 70::30 "
            "with labels font ',11' textcolor rgb 'white' notitle",
            map->columns - 3, map->rows - 3);
    if (mt_surface_algorithm(drawing->surfaces[0])->learned.nodes > 0)
        fputs(", $learned using 1:2 with lines linewidth 1.5 dashtype 2 "
              "linecolor rgb 'white' notitle",
              script);
    if (marks->limit.count > 0)
        fputs(", $limit using 1:2 with points pointtype 3 linecolor rgb 'black' "
              "title 'memory limit'",
              script);
    if (marks->ridge.count > 0)
        fputs(", $ridge using 1:2 with lines linewidth 4 linecolor rgb 'white' "
              "notitle, $ridge using 1:2 with linespoints pointtype 7 pointsize 0.6 "
              "linecolor rgb 'black' title 'best size'",
              script);
    if (marks->cliffs.count > 0)
        fputs(", $cliffs using 1:2:3:4 with vectors nohead linewidth 3 "
              "linecolor rgb '#d55e00' title 'cliff'",
              script);
    if (marks->overtaken.count > 0) {
        char title[128];
        fputs(", $overtaken using 1:2 with points pointtype 5 "
              "linecolor rgb 'white' notitle, "
              "$overtaken using 1:2 with points pointtype 4 linewidth 1.5 "
              "linecolor rgb 'black' title ",
              script);
        mt_plot_write_quoted(script, overtakes_label(title, drawing, marks));
    }
    fputc('\n', script);
}

static void write_contours(FILE *script, const struct mt_drawing *drawing,
                           const struct mt_surface_map *map,
                           const struct mt_surface_marks *marks)
{
    const struct mt_learned_from *learned =
        &mt_surface_algorithm(drawing->surfaces[0])->learned;
    const int step = mt_efficiency_step(
        mt_highest_efficiency(map->efficiency, map->columns * map->rows));
    mt_write_cells(script, map);
    write_lines(script, step);
    write_marks(script, "ridge", &marks->ridge, map);
    write_marks(script, "limit", &marks->limit, map);
    write_cliffs(script, &marks->cliffs, map);
    write_marks(script, "overtaken", &marks->overtaken, map);
    if (learned->nodes > 0)
        write_learned(script, learned, map);
    mt_write_cell_axis(script, "x", "nodes P", map->nodes, map->columns);
    mt_write_cell_axis(script, "y", "problem size N", map->sizes, map->rows);
    mt_write_efficiency_colors(script, step);
    fputs("set tics out nomirror\nset bmargin at screen 0.16\nset xlabel offset 0,0.5\n"
          "set key at screen 0.47, screen 0.005 bottom center horizontal reverse Left "
          "maxrows 2\n",
          script);
    write_contour_plot(script, drawing, map, marks);
}

static int draw_colors(const struct mt_drawing *drawing,
                       const struct mt_surface_map *map,
                       const struct mt_surface_marks *marks, const char *target,
                       struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(&script, 900, 680);
        mt_write_title(&script, drawing, "Efficiency");
        write_contours(script.file, drawing, map, marks);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
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
    struct mt_surface_marks marks = {0};
    struct mt_surface_map map = {.nodes = mt_drawing_nodes(drawing),
                                 .sizes = mt_drawing_sizes(drawing),
                                 .columns = digits ? DIGIT_COLUMNS : CONTOUR_CELLS,
                                 .rows = digits ? DIGIT_ROWS : CONTOUR_CELLS};
    status = mt_surface_map_make(&map, drawing->surfaces[0], err);
    if (status == MT_OK)
        status = mt_surface_marks_find(&marks, drawing->surfaces, &map, err);
    if (status == MT_OK && digits)
        print_digits(drawing, "Efficiency", &map, &marks);
    else if (status == MT_OK)
        status = draw_colors(drawing, &map, &marks, target, err);
    mt_surface_marks_clear(&marks);
    mt_surface_map_clear(&map);
    return status;
}

static void write_mesh(FILE *script, const struct mt_mesh *mesh)
{
    const struct mt_span nodes = mt_mesh_nodes(mesh), sizes = mt_mesh_sizes(mesh);
    fputs("$mesh << EOD\n", script);
    for (int row = 0; row < mesh->rows; row++) {
        for (int column = 0; column < mesh->columns; column++) {
            const double efficiency = mesh->efficiency[row * mesh->columns + column];
            fprintf(script, "%.5g %.5g ",
                    mt_span_cell(nodes, mesh->nodes[column], MESH_CELLS),
                    mt_span_cell(sizes, mesh->sizes[row], MESH_CELLS));
            if (isnan(efficiency)) /* printf() may write "-nan" */
                fputs("NaN\n", script);
            else
                fprintf(script, "%.4g\n", 100 * efficiency);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_perspective(FILE *script, const struct mt_mesh *mesh)
{
    const double highest =
        mt_highest_efficiency(mesh->efficiency, mesh->columns * mesh->rows);
    const int step = mt_efficiency_step(highest);
    mt_write_cell_axis(script, "x", "nodes P", mt_mesh_nodes(mesh), MESH_CELLS);
    mt_write_cell_axis(script, "y", "problem size N", mt_mesh_sizes(mesh), MESH_CELLS);
    mt_write_efficiency_colors(script, step);
    fputs("set palette maxcolors 0\n", script);
    write_mesh(script, mesh);
    fprintf(script,
            "set zrange [0:%.4g]\nset zlabel 'efficiency [%%]' rotate parallel\n"
            "set xlabel rotate parallel\nset ylabel rotate parallel\n"
            "set xtics offset 0.3,-0.3\nset ytics offset -1.2,-0.4\nset xyplane at "
            "0\nset view 58, 126, 1, 1\n"
            "unset colorbox\nset grid\n"
            "set pm3d depthorder border linecolor rgb '#303030' linewidth 0.4\n"
            "splot $mesh using 1:2:3 with pm3d notitle\n",
            fmax(10 * step, 100 * highest));
}

static int draw_mesh(const struct mt_drawing *drawing, const struct mt_mesh *mesh,
                     const char *target, struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(&script, 900, 680);
        mt_write_title(&script, drawing,
                       drawing->nmeasured > 0 ? "Measured efficiency" : "Efficiency");
        write_perspective(script.file, mesh);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}

/* Digits know no perspective: a map of them shows the same. */
static int print_mesh(const struct mt_drawing *drawing, const struct mt_mesh *mesh,
                      struct mt_error *err)
{
    const struct mt_surface_marks no_marks = {0};
    struct mt_surface_map map = {0};
    const int status = mt_mesh_to_map(&map, mesh, DIGIT_COLUMNS, DIGIT_ROWS, err);
    if (status == MT_OK)
        print_digits(drawing, "Measured efficiency", &map, &no_marks);
    mt_surface_map_clear(&map);
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
        status = kind == MT_PLOT_TERM ? print_mesh(drawing, &mesh, err)
                                      : draw_mesh(drawing, &mesh, target, err);
    mt_mesh_clear(&mesh);
    return status;
}
