/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot.h"

#include "canvas.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Around the diagram: the numbers of y to its left, its name above; below the axis, the
   numbers and the name of x. */
enum { LEFT = 10, TOP = 1, BOTTOM = 3 };

/* A diagram on a canvas. */
struct diagram {
    struct mt_canvas *canvas;
    const struct mt_panel *panel;
    struct mt_plot_axis x, y;
    int columns, rows;
};

/* One line and column less than the window has, so that nothing wraps or scrolls. */
static struct winsize window_size(void)
{
    struct winsize window = {.ws_col = 80, .ws_row = 25};
    if (isatty(STDOUT_FILENO))
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &window);
    if (window.ws_col < 40)
        window.ws_col = 80;
    if (window.ws_col > MT_CANVAS_COLUMNS)
        window.ws_col = MT_CANVAS_COLUMNS;
    if (window.ws_row < 16)
        window.ws_row = 25;
    if (window.ws_row > MT_CANVAS_ROWS)
        window.ws_row = MT_CANVAS_ROWS;
    window.ws_col--;
    window.ws_row--;
    return window;
}

static char letter_of(const struct mt_series *series)
{
    static const char lines[] = "abcdef*", points[] = "ABCDEF#";
    const int color = series->color % MT_SERIES_COLORS;
    return series->style == MT_SERIES_POINTS ? points[color] : lines[color];
}

static void put_cell(const struct diagram *diagram, double column, double row,
                     char letter)
{
    const long c = lround(column), r = lround(row);
    if (c >= 0 && c < diagram->columns && r >= 0 && r < diagram->rows)
        mt_canvas_put(diagram->canvas, LEFT + (int)c, TOP + diagram->rows - 1 - (int)r,
                      letter);
}

/* From where a line comes to where it leads, in cells. */
static void put_line(const struct diagram *diagram, const double from[2],
                     const double to[2], char letter)
{
    const double length = fmax(fabs(to[0] - from[0]), fabs(to[1] - from[1]));
    const int steps = (int)fmin(ceil(length), 1000) + 1;
    for (int i = 0; i < steps; i++)
        put_cell(diagram, from[0] + (to[0] - from[0]) * i / steps,
                 from[1] + (to[1] - from[1]) * i / steps, letter);
}

static void draw_series(const struct diagram *diagram, const struct mt_series *series)
{
    const char letter = letter_of(series);
    double before[2] = {NAN, NAN};
    for (int i = 0; i < series->count; i++) {
        if (!mt_panel_shows(diagram->panel, series->y[i]))
            continue;
        const double cell[2] = {
            mt_plot_axis_fraction(&diagram->x, series->x[i]) * (diagram->columns - 1),
            mt_plot_axis_fraction(&diagram->y, series->y[i]) * (diagram->rows - 1)};
        if (series->style == MT_SERIES_LINE && !isnan(before[0]))
            put_line(diagram, before, cell, letter);
        put_cell(diagram, cell[0], cell[1], letter);
        memcpy(before, cell, sizeof before);
    }
}

static struct mt_canvas_axis cells_of(const struct mt_plot_axis *axis, int cells,
                                      const char *format)
{
    struct mt_canvas_axis result = {.cells = cells, .count = axis->count};
    for (int i = 0; i < axis->count; i++) {
        result.ticks[i].at =
            (int)lround(mt_plot_axis_fraction(axis, axis->ticks[i]) * (cells - 1));
        snprintf(result.ticks[i].text, sizeof result.ticks[i].text, format,
                 axis->ticks[i]);
    }
    return result;
}

static void draw_axes(const struct diagram *diagram, const char *x_label)
{
    struct mt_canvas *canvas = diagram->canvas;
    const int bottom = TOP + diagram->rows;
    const struct mt_canvas_axis x = cells_of(&diagram->x, diagram->columns, "%.9g"),
                                y = cells_of(&diagram->y, diagram->rows, "%.4g");
    mt_canvas_text(canvas, 0, 0, diagram->panel->y_label);
    mt_canvas_y_axis(canvas, LEFT - 1, bottom - 1, &y);
    mt_canvas_put(canvas, LEFT - 1, bottom, '+');
    mt_canvas_x_axis(canvas, LEFT, bottom, &x);
    mt_canvas_text(canvas, LEFT + (diagram->columns - (int)strlen(x_label)) / 2,
                   bottom + 2, x_label);
}

static bool is_drawn(const struct mt_panel *panel, const struct mt_series *series)
{
    return series->style != MT_SERIES_HINT && mt_panel_count(panel, series) > 0;
}

/* The names of the series, as many in a line as it has room for. */
static void print_key(const struct mt_panel *panel, int columns, FILE *stream)
{
    int column = 0;
    for (int s = 0; s < panel->count; s++) {
        const struct mt_series *series = &panel->series[s];
        if (!series->label || !is_drawn(panel, series))
            continue;
        const int length = (int)strlen(series->label) + 2;
        if (column > 0 && column + 3 + length > columns) {
            fputc('\n', stream);
            column = 0;
        }
        column += fprintf(stream, "%s%c %s", column > 0 ? "   " : "", letter_of(series),
                          series->label);
    }
    fputs(column > 0 ? "\n\n" : "\n", stream);
}

/* Points are drawn upon lines. */
static void draw_panel(const struct diagram *diagram, const char *x_label)
{
    draw_axes(diagram, x_label);
    for (int points = 0; points <= 1; points++)
        for (int s = 0; s < diagram->panel->count; s++) {
            const struct mt_series *series = &diagram->panel->series[s];
            if (is_drawn(diagram->panel, series) &&
                (series->style == MT_SERIES_POINTS) == points)
                draw_series(diagram, series);
        }
}

void mt_plot_print(const struct mt_plot *plot, FILE *stream)
{
    const struct winsize window = window_size();
    fprintf(stream, plot->subtitle ? "\n%s (%s)\n\n" : "\n%s\n\n", plot->title,
            plot->subtitle);
    for (int p = 0; p < plot->count; p++) {
        struct mt_canvas canvas = {.columns = window.ws_col, .rows = window.ws_row};
        const struct diagram diagram = {.canvas = &canvas,
                                        .panel = &plot->panels[p],
                                        .x = mt_plot_x_axis(plot),
                                        .y = mt_panel_y_axis(&plot->panels[p]),
                                        .columns = window.ws_col - LEFT,
                                        .rows = window.ws_row - TOP - BOTTOM};
        if (diagram.panel->title)
            fprintf(stream, "%s\n\n", diagram.panel->title);
        draw_panel(&diagram, plot->x_label);
        print_key(diagram.panel, window.ws_col, stream);
        mt_canvas_print(&canvas, stream);
        fputc('\n', stream);
    }
}
