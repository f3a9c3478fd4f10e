/* SPDX-License-Identifier: BSD-3-Clause */
/* A field of cells as a script for gnuplot, in colours or in digits. */
#include "plot_field.h"

#include "plot_script.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 680 }; /* of pictures, in points */
/* In the terminal: the most columns and lines of digits, and the space around them. */
enum { MOST_COLUMNS = 64, MOST_LINES = 24, LEFT = 9, RIGHT = 4, BELOW = 7, ABOVE = 3 };

/* printf() may write "-nan". */
static void write_value(FILE *script, double value)
{
    if (isnan(value))
        fputs("NaN", script);
    else
        fprintf(script, "%.4g", 100 * value);
}

static void write_cells(FILE *script, const struct mt_field *field)
{
    fputs("$cells << EOD\n", script);
    for (int row = 0; row < field->y.cells; row++) {
        for (int column = 0; column < field->x.cells; column++) {
            write_value(script, field->values[row * field->x.cells + column]);
            fputc(' ', script);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Lines of equal value: gnuplot computes them first, to draw them over the cells. */
static void write_lines(FILE *script, int step)
{
    fprintf(script,
            "set contour base\nunset surface\n"
            "set cntrparam levels incremental %d, %d, %d\nset table $lines\n"
            "splot $cells matrix using 1:2:3 with lines\nunset table\n",
            step, step, 9 * step);
}

static void write_axis(FILE *script, char letter, const struct mt_field_axis *axis,
                       bool whole_cells)
{
    const double margin = whole_cells ? 0.5 : 0;
    char setting[] = "xlabel";
    setting[0] = letter;
    mt_plot_write_setting(script, setting, axis->name);
    fprintf(script, "set %crange [%g:%g]\nset %ctics (", letter, 0 - margin,
            axis->cells - 1 + margin, letter);
    for (int i = 0; i < axis->count; i++)
        fprintf(script, "%s'%.0f' %.6g", i > 0 ? ", " : "", axis->ticks[i].number,
                axis->ticks[i].cell);
    fputs(")\n", script);
}

/* Ten colours, from dark to light, which colour-blind readers can order, too. */
static void write_colors(FILE *script, const struct mt_field *field)
{
    fprintf(script,
            "set palette defined (0 '#440154', 0.14 '#46327e', 0.29 '#365c8d', "
            "0.43 '#277f8e', 0.57 '#1fa187', 0.71 '#4ac16d', 0.86 '#a0da39', "
            "1 '#fde725') maxcolors 10\n"
            "set cbrange [0:%d]\nset cbtics %d\n"
            "set cblabel '%s [%%]' offset 1,0\n",
            10 * field->step, field->step, field->name);
}

static void write_point(FILE *script, const struct mt_field_point *point)
{
    if (isnan(point->column))
        fputc('\n', script); /* ends a line */
    else
        fprintf(script, "%.6g %.6g\n", point->column, point->row);
}

static void write_step(FILE *script, const struct mt_field_point *from,
                       const struct mt_field_point *to)
{
    fprintf(script, "%.6g %.6g %.6g %.6g\n", from->column, from->row,
            to->column - from->column, to->row - from->row);
}

static void write_points(FILE *script, const struct mt_field_mark *mark, int index)
{
    fprintf(script, "$mark_%d << EOD\n", index);
    if (mark->style == MT_MARK_STEPS)
        for (int i = 0; i + 1 < mark->count; i += 2)
            write_step(script, &mark->points[i], &mark->points[i + 1]);
    else
        for (int i = 0; i < mark->count; i++)
            write_point(script, &mark->points[i]);
    fputs("EOD\n", script);
}

/* Text over the colours has a white box, since no text colour is readable on all. */
static void write_frame(FILE *script, const struct mt_field *field)
{
    const struct mt_field_point *low = &field->frame[0], *high = &field->frame[1];
    fprintf(script, "$frame << EOD\n%g %g\n%g %g\n%g %g\n%g %g\n%g %g\nEOD\n",
            low->column, low->row, high->column, low->row, high->column, high->row,
            low->column, high->row, low->column, low->row);
    fputs("set label ", script);
    mt_plot_write_quoted(script, field->frame_label);
    fprintf(script, " at %g, %g right offset -0.5,-0.8 font ',11' boxed front\n",
            high->column, high->row);
}

static void plot_mark(FILE *script, const struct mt_field_mark *mark, int index)
{
    switch (mark->style) {
    case MT_MARK_PATH:
        fprintf(script,
                ", $mark_%d using 1:2 with lines linewidth 4 linecolor rgb 'white' "
                "notitle, $mark_%d using 1:2 with linespoints pointtype 7 "
                "pointsize 0.6 linecolor rgb 'black' title ",
                index, index);
        break;
    case MT_MARK_EDGE:
        fprintf(script,
                ", $mark_%d using 1:2 with points pointtype 3 linecolor rgb 'black' "
                "title ",
                index);
        break;
    case MT_MARK_STEPS:
        fprintf(script,
                ", $mark_%d using 1:2:3:4 with vectors nohead linewidth 3 "
                "linecolor rgb '#d55e00' title ",
                index);
        break;
    case MT_MARK_POINTS:
        fprintf(script,
                ", $mark_%d using 1:2 with points pointtype 5 linecolor rgb 'white' "
                "notitle, $mark_%d using 1:2 with points pointtype 4 linewidth 1.5 "
                "linecolor rgb 'black' title ",
                index, index);
        break;
    }
    mt_plot_write_quoted(script, mark->label);
}

/* Cells per digit on an axis of at most `most` digits. */
static int each_of(const struct mt_field_axis *axis, int most)
{
    return (axis->cells + most - 1) / most;
}

/* The length of an axis in letters, so that digits are evenly spaced, and those of
   whole cells have room, up to `each`. */
static int letters_of(const struct mt_field_axis *axis, bool whole_cells, int most,
                      int each)
{
    const int digits = (axis->cells - 1) / each_of(axis, most) + 1;
    const int room = most / digits;
    return whole_cells ? digits * (room < each ? room : each) : digits - 1;
}

/* In the terminal: a digit for each cell, or for each of some, and marks in letters. */
static void write_digits(FILE *script, const struct mt_field *field)
{
    const int columns = each_of(&field->x, MOST_COLUMNS);
    const int rows = each_of(&field->y, MOST_LINES);
    fprintf(script,
            "set lmargin %d\nset rmargin %d\nset bmargin %d\nset tmargin %d\n"
            "set title offset 0,1\nset ylabel ''\n"
            "set label '%s' at screen 0, graph 1 left offset 1,1\n"
            "set key at screen 0.5, screen 0 bottom center\n"
            "plot $cells matrix using 1:2:($3 == $3 ? "
            "sprintf('%%d', $3 < %d ? $3 / %d : 9) : '') every %d:%d with labels "
            "notitle, NaN with dots title '0-9: %s in steps of %d %%'",
            LEFT, RIGHT, BELOW, ABOVE, field->y.name, 10 * field->step, field->step,
            columns, rows, field->name, field->step);
    for (int m = 0; m < field->nmarks; m++) {
        if (field->marks[m].count == 0)
            continue;
        fprintf(script, ", $mark_%d using 1:2 with points pointtype %d title ", m,
                m + 1);
        mt_plot_write_quoted(script, field->marks[m].label);
    }
    fputc('\n', script);
}

static void write_plot(FILE *script, const struct mt_field *field)
{
    /* Rectangles, since browsers blur the bitmap that SVG would have. */
    fputs("plot $cells matrix using 1:2:3 with image pixels notitle", script);
    if (!field->bare)
        fputs(", $lines using 1:2 with lines linewidth 0.8 linecolor rgb 'white' "
              "notitle",
              script);
    for (int m = 0; m < field->nmarks; m++)
        if (field->marks[m].style == MT_MARK_EDGE && field->marks[m].count > 0)
            fprintf(script,
                    ", $mark_%d using 1:2:(%d) with filledcurves fillstyle "
                    "transparent solid 0.45 noborder linecolor rgb 'white' notitle",
                    m, field->y.cells - 1);
    /* Labels at some distance, but not on the border, where they would be cut off. */
    if (!field->bare)
        fprintf(script,
                ", $lines using ($1 > 2 && $1 < %d ? $1 : NaN):"
                "($2 > 2 && $2 < %d ? $2 : NaN):(sprintf('%%g', $3)) every 70::30 "
                "with labels boxed font ',11' notitle",
                field->x.cells - 3, field->y.cells - 3);
    if (field->frame_label)
        fputs(", $frame using 1:2 with lines linewidth 1.5 dashtype 2 "
              "linecolor rgb 'white' notitle",
              script);
    for (int m = 0; m < field->nmarks; m++)
        if (field->marks[m].count > 0)
            plot_mark(script, &field->marks[m], m);
    fputc('\n', script);
}

static void write_field(const struct mt_plot_script *picture,
                        const struct mt_field *field)
{
    FILE *script = picture->file;
    const bool letters = picture->kind == MT_PLOT_TERM;
    write_cells(script, field);
    if (!field->bare && !letters)
        write_lines(script, field->step);
    for (int m = 0; m < field->nmarks; m++)
        if (field->marks[m].count > 0)
            write_points(script, &field->marks[m], m);
    write_axis(script, 'x', &field->x, field->bare);
    write_axis(script, 'y', &field->y, field->bare);
    if (letters) {
        write_digits(script, field);
        return;
    }
    fputs("set style textbox opaque margins 0.3,0.2 fillcolor rgb 'white' noborder\n",
          script);
    if (field->frame_label)
        write_frame(script, field);
    write_colors(script, field);
    fputs("set tics out nomirror\nset bmargin at screen 0.16\nset xlabel offset 0,0.5\n"
          "set key at screen 0.47, screen 0.005 bottom center horizontal reverse Left "
          "maxrows 2\n",
          script);
    write_plot(script, field);
}

int mt_field_draw(const struct mt_field *field, const char *target,
                  struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(
            &script, &(struct mt_plot_size){
                         .width = WIDTH,
                         .height = HEIGHT,
                         .columns = LEFT + RIGHT + 1 +
                                    letters_of(&field->x, field->bare, MOST_COLUMNS,
                                               MOST_COLUMNS),
                         .lines = ABOVE + BELOW +
                                  letters_of(&field->y, field->bare, MOST_LINES, 2)});
        mt_plot_script_title(&script, field->title);
        write_field(&script, field);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
