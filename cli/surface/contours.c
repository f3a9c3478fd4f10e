/* SPDX-License-Identifier: BSD-3-Clause */
#include "letters.h"
#include "marks.h"
#include "parts.h"

#include "cli/common/plot_script.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 121, ROWS = 121 };

/* Whether a line leads from one place to the next: where it would be very steep, a
   ridge ends, and another is the higher one from there on. */
static bool connected(const struct mt_place *from, const struct mt_place *to)
{
    return fabs(log(to->size / from->size)) < 1.5 * fabs(log(to->nodes / from->nodes));
}

/* Places, in cells of the map. */
static void write_places(FILE *script, const char *name, const struct mt_places *places,
                         const struct mt_surface_map *map)
{
    fprintf(script, "$%s << EOD\n", name);
    for (int i = 0; i < places->count; i++) {
        const struct mt_place *place = &places->places[i];
        if (i > 0 && !connected(place - 1, place))
            fputc('\n', script); /* ends a line */
        fprintf(script, "%.6g %.6g\n",
                mt_span_cell(map->nodes, place->nodes, map->columns),
                mt_span_cell(map->sizes, place->size, map->rows));
    }
    fputs("EOD\n", script);
}

static void write_cliffs(FILE *script, const struct mt_places *cliffs,
                         const struct mt_surface_map *map)
{
    fputs("$cliffs << EOD\n", script);
    for (int i = 0; i < cliffs->count; i += 2) {
        const struct mt_place *from = &cliffs->places[i], *to = from + 1;
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

static void write_plot(FILE *script, const struct mt_drawing *drawing,
                       const struct mt_surface_marks *marks, bool learned)
{
    fputs("plot $cells matrix using 1:2:3 with image notitle, "
          "$lines using 1:2 with lines linewidth 0.8 linecolor rgb 'white' notitle",
          script);
    if (marks->limit.count > 0)
        fprintf(script,
                ", $limit using 1:2:(%d) with filledcurves fillstyle transparent solid "
                "0.45 noborder linecolor rgb 'white' notitle",
                ROWS - 1);
    /* Labels some way apart, but not on the border, where they would be cut. */
    fprintf(script,
            ", $lines using ($1 > 2 && $1 < %d ? $1 : NaN):"
            "($2 > 2 && $2 < %d ? $2 : NaN):(sprintf('%%g', $3)) every 70::30 "
            "with labels font ',11' textcolor rgb 'white' notitle",
            COLUMNS - 3, ROWS - 3);
    if (learned)
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
        mt_plot_write_quoted(script, mt_surface_overtakes_label(title, drawing, marks));
    }
    fputc('\n', script);
}

static void write_script(FILE *script, const struct mt_drawing *drawing,
                         const struct mt_surface_map *map,
                         const struct mt_surface_marks *marks)
{
    const struct mt_learned_from *learned =
        &mt_surface_algorithm(drawing->surfaces[0])->learned;
    const int step = mt_efficiency_step(
        mt_highest_efficiency(map->efficiency, map->columns * map->rows));
    mt_write_cells(script, map);
    write_lines(script, step);
    write_places(script, "ridge", &marks->ridge, map);
    write_places(script, "limit", &marks->limit, map);
    write_cliffs(script, &marks->cliffs, map);
    write_places(script, "overtaken", &marks->overtaken, map);
    if (learned->nodes > 0)
        write_learned(script, learned, map);
    mt_write_cell_axis(script, "x", "nodes P", map->nodes, map->columns);
    mt_write_cell_axis(script, "y", "problem size N", map->sizes, map->rows);
    mt_write_efficiency_colors(script, step);
    fputs("set tics out nomirror\nset bmargin at screen 0.16\nset xlabel offset 0,0.5\n"
          "set key at screen 0.47, screen 0.005 bottom center horizontal reverse Left "
          "maxrows 2\n",
          script);
    write_plot(script, drawing, marks, learned->nodes > 0);
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
        write_script(script.file, drawing, map, marks);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}

int mt_draw_contours(const struct mt_drawing *drawing, const char *target,
                     struct mt_error *err)
{
    struct mt_surface_map map = {0};
    struct mt_surface_marks marks = {0};
    enum mt_plot_kind kind;
    int status = mt_plot_kind_find(&kind, target, err);
    const bool letters = status == MT_OK && kind == MT_PLOT_TERM;
    if (status == MT_OK)
        status = mt_surface_map_make(
            &map, drawing->surfaces[0], mt_drawing_nodes(drawing),
            mt_drawing_sizes(drawing), letters ? MT_LETTER_COLUMNS : COLUMNS,
            letters ? MT_LETTER_ROWS : ROWS, err);
    if (status == MT_OK)
        status = mt_surface_marks_find(&marks, drawing, &map, err);
    if (status == MT_OK && letters)
        mt_print_letters(drawing, "Efficiency", &map, &marks);
    else if (status == MT_OK)
        status = draw_colors(drawing, &map, &marks, target, err);
    mt_surface_marks_clear(&marks);
    mt_surface_map_clear(&map);
    return status;
}
