/* SPDX-License-Identifier: BSD-3-Clause */
/* Plots: their points, their axes, and the script by which gnuplot draws them. */
#include "plot.h"

#include "cli/process/memory.h"
#include "lib/base/options.h"
#include "plot_script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Size of pictures, in points, and of a diagram in the terminal, in lines. */
enum { WIDTH = 900, HEIGHT = 600, LINES = 24 };

/* In points: the width of a letter, the height of a line of text, and the space above
   and below a diagram. */
enum { COLUMN = 9, LINE = 17, MARGINS = 100 };

/* The width of a diagram, in letters. */
enum { COLUMNS_OF_DIAGRAM = 85 };

/* Okabe and Ito's colours, which colour-blind readers can tell apart. */
static const char *const colors[MT_SERIES_COLORS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

int mt_plot_check(const char *target, bool json, struct mt_error *err)
{
    enum mt_plot_kind kind;
    const int status =
        mt_option_blame(mt_plot_kind_find(&kind, target, err), "--plot", err);
    if (status == MT_OK && json && kind == MT_PLOT_TERM)
        return mt_fail(err, MT_EINVAL, "--plot=term and --json exclude each other");
    return status;
}

/* Whether the panel can show this y. */
static bool has_place(const struct mt_panel *panel, double y)
{
    return isfinite(y) && (y > 0 || !panel->log_y);
}

void mt_panel_series(struct mt_panel *panel, const char *label,
                     enum mt_series_style style, int color)
{
    mt_array_extend(&panel->series, panel->count, sizeof *panel->series);
    panel->series[panel->count++] =
        (struct mt_series){.label = mt_strdup(label), .style = style, .color = color};
}

bool mt_panel_point(struct mt_panel *panel, double x, double y)
{
    struct mt_series *series = &panel->series[panel->count - 1];
    if (!has_place(panel, y))
        return false;
    mt_array_extend(&series->points, series->count, sizeof *series->points);
    series->points[series->count++] =
        (struct mt_plot_point){.x = x, .y = y, .low = y, .high = y};
    return true;
}

void mt_panel_interval(struct mt_panel *panel, double low, double high)
{
    const struct mt_series *series = &panel->series[panel->count - 1];
    if (!has_place(panel, low) || !has_place(panel, high))
        return;
    series->points[series->count - 1].low = low;
    series->points[series->count - 1].high = high;
}

void mt_panel_name(struct mt_panel *panel, char *name)
{
    const struct mt_series *series = &panel->series[panel->count - 1];
    series->points[series->count - 1].name = name;
}

bool mt_series_has_intervals(const struct mt_series *series)
{
    for (int i = 0; i < series->count; i++)
        if (series->points[i].low < series->points[i].high)
            return true;
    return false;
}

void mt_plot_mark(struct mt_plot *plot, double x)
{
    mt_array_extend(&plot->marks, plot->nmarks, sizeof *plot->marks);
    plot->marks[plot->nmarks++] = x;
}

static void clear_series(struct mt_series *series)
{
    for (int i = 0; i < series->count; i++)
        free(series->points[i].name);
    free(series->points);
    free(series->label);
}

void mt_plot_clear(struct mt_plot *plot)
{
    for (int p = 0; p < MT_MOST_PANELS; p++) {
        for (int s = 0; s < plot->panels[p].count; s++)
            clear_series(&plot->panels[p].series[s]);
        free(plot->panels[p].series);
        free(plot->panels[p].y_label);
    }
    free(plot->marks);
    free(plot->title);
    free(plot->subtitle);
    *plot = (struct mt_plot){0};
}

double mt_plot_axis_fraction(const struct mt_plot_axis *axis, double value)
{
    if (axis->log)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

static void add_tick(struct mt_plot_axis *axis, double tick)
{
    if (axis->count < MT_PLOT_TICKS && tick >= axis->low * (1 - 1e-9) &&
        tick <= axis->high * (1 + 1e-9))
        axis->ticks[axis->count++] = tick;
}

/* Multiples of 1, 2 or 5 times a power of ten, about six of them. */
static void add_linear_ticks(struct mt_plot_axis *axis)
{
    const double width = (axis->high - axis->low) / 6,
                 power = pow(10, floor(log10(width)));
    const double factor = width / power;
    const double step = power * (factor > 5 ? 10 : factor > 2 ? 5 : factor > 1 ? 2 : 1);
    for (double i = ceil(axis->low / step); i * step <= axis->high; i++)
        add_tick(axis, i * step);
}

/* 1, 2 and 5 times powers of ten; over more than two of these, powers alone. */
static void add_log_ticks(struct mt_plot_axis *axis)
{
    const int first = (int)floor(log10(axis->low)),
              last = (int)floor(log10(axis->high));
    const int every = (last - first) / MT_PLOT_TICKS + 1;
    for (int power = first; power <= last; power += every) {
        add_tick(axis, pow(10, power));
        if (last - first > 2)
            continue;
        add_tick(axis, 2 * pow(10, power));
        add_tick(axis, 5 * pow(10, power));
    }
}

static void add_ticks(struct mt_plot_axis *axis)
{
    if (axis->log)
        add_log_ticks(axis);
    if (axis->count < 2) { /* on a log axis, too, where it is short */
        axis->count = 0;
        add_linear_ticks(axis);
    }
}

/* Note an x of the data, for ascending ticks; a count beyond the room means too
   many. */
static void note_x(struct mt_plot_axis *axis, double x)
{
    int at = 0;
    axis->low = fmin(axis->low, x);
    axis->high = fmax(axis->high, x);
    while (at < axis->count && at < MT_PLOT_TICKS && axis->ticks[at] < x)
        at++;
    if (axis->count > MT_PLOT_TICKS || (at < axis->count && axis->ticks[at] == x))
        return;
    if (axis->count < MT_PLOT_TICKS) {
        memmove(axis->ticks + at + 1, axis->ticks + at,
                (size_t)(axis->count - at) * sizeof *axis->ticks);
        axis->ticks[at] = x;
    }
    axis->count++;
}

struct mt_plot_axis mt_plot_x_axis(const struct mt_plot *plot)
{
    struct mt_plot_axis axis = {.low = INFINITY, .high = -INFINITY, .log = plot->log_x};
    for (int p = 0; p < plot->count; p++)
        for (int s = 0; s < plot->panels[p].count; s++)
            for (int i = 0; i < plot->panels[p].series[s].count; i++)
                note_x(&axis, plot->panels[p].series[s].points[i].x);
    const bool too_many = axis.count > MT_PLOT_TICKS;
    const double share = axis.low < axis.high ? 0.04 : 0.5; /* the margins */
    if (axis.log) {
        const double factor =
            axis.low < axis.high ? pow(axis.high / axis.low, share) : 2;
        axis.low /= factor;
        axis.high *= factor;
    } else {
        const double margin = axis.low < axis.high ? (axis.high - axis.low) * share : 1;
        axis.low -= margin;
        axis.high += margin;
    }
    if (plot->round_ticks || too_many)
        axis.count = 0;
    if (axis.count == 0)
        add_ticks(&axis);
    return axis;
}

struct mt_plot_axis mt_panel_y_axis(const struct mt_panel *panel)
{
    struct mt_plot_axis axis = {
        .low = INFINITY, .high = -INFINITY, .log = panel->log_y};
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            axis.low = fmin(axis.low, panel->series[s].points[i].y);
            axis.high = fmax(axis.high, panel->series[s].points[i].y);
        }
    if (axis.log) {
        axis.low /= 1.3;
        axis.high *= 1.5;
    } else if (panel->y_limit > 0 && axis.high > panel->y_limit) {
        axis.low = 0;
        axis.high = panel->y_limit;
    } else if (axis.low >= 0) {
        axis.low = 0;
        axis.high = axis.high > 0 ? axis.high * 1.3 : 1;
    } else {
        const double margin = 0.05 * fmax(axis.high - axis.low, 1e-9 * -axis.low);
        axis.low -= margin;
        axis.high += margin;
    }
    add_ticks(&axis);
    return axis;
}

static void write_data(FILE *script, const struct mt_series *series, const char *name)
{
    fprintf(script, "%s << EOD\n", name);
    for (int i = 0; i < series->count; i++) {
        const struct mt_plot_point *point = &series->points[i];
        fprintf(script, "%.9g %.9g %.9g %.9g\n", point->x, point->y, point->low,
                point->high);
    }
    fputs("EOD\n", script);
}

/* The label of a line, next to its end. */
struct end {
    const struct mt_series *series; /* with the label */
    const struct mt_plot_point *point;
    double height; /* of the label: 0 at the bottom of the diagram, 1 at its top */
};

/* Whether the series' label is next to its line's end rather than in the key. */
static bool is_labelled_at_end(const struct mt_series *series)
{
    return series->label && series->style != MT_SERIES_POINTS && series->count > 1;
}

/* The last point of the lines of a colour: a thin line may go on where a line ends. */
static const struct mt_plot_point *last_of_color(const struct mt_panel *panel,
                                                 int color)
{
    const struct mt_plot_point *last = NULL;
    for (int s = 0; s < panel->count; s++) {
        const struct mt_series *series = &panel->series[s];
        if (series->color != color || series->count < 2 ||
            series->style == MT_SERIES_POINTS)
            continue;
        if (!last || series->points[series->count - 1].x > last->x)
            last = &series->points[series->count - 1];
    }
    return last;
}

static int compare_heights(const void *a, const void *b)
{
    const struct end *first = a, *second = b;
    return (first->height > second->height) - (first->height < second->height);
}

/* Move labels apart that would overlap: up from the bottom, then down from the top. */
static void spread(struct end *ends, int count, double gap)
{
    qsort(ends, (size_t)count, sizeof *ends, compare_heights);
    for (int i = 1; i < count; i++)
        ends[i].height = fmax(ends[i].height, ends[i - 1].height + gap);
    double highest = 1;
    for (int i = count - 1; i >= 0; i--, highest -= gap)
        ends[i].height = fmin(ends[i].height, highest);
}

/* Write the labels of a panel's lines; `gap`: the least distance between two. */
static void write_ends(FILE *script, const struct mt_panel *panel,
                       const struct mt_plot_axis *x, const struct mt_plot_axis *y,
                       double gap)
{
    struct end *ends = mt_calloc((size_t)panel->count, sizeof *ends);
    int count = 0;
    for (int s = 0; s < panel->count; s++) {
        const struct mt_series *series = &panel->series[s];
        if (!is_labelled_at_end(series))
            continue;
        const struct mt_plot_point *last = last_of_color(panel, series->color);
        const double height = mt_plot_axis_fraction(y, last->y);
        ends[count++] = (struct end){series, last, fmin(fmax(height, 0), 1)};
    }
    spread(ends, count, gap);
    for (int i = 0; i < count; i++) {
        fputs("set label ", script);
        mt_plot_write_quoted(script, ends[i].series->label);
        fprintf(script,
                " at graph %.4g, graph %.4g left offset 1,0 textcolor rgb '%s'\n",
                mt_plot_axis_fraction(x, ends[i].point->x), ends[i].height,
                colors[ends[i].series->color % MT_SERIES_COLORS]);
    }
    free(ends);
}

static void write_label(FILE *script, const struct mt_series *series, bool in_key)
{
    if (series->label && in_key) {
        fputs("title ", script);
        mt_plot_write_quoted(script, series->label);
    } else {
        fputs("notitle", script);
    }
}

/* A line of a single point becomes an open symbol, since it would be invisible. */
static void write_series(FILE *script, const struct mt_series *series, const char *name)
{
    static const int shapes[MT_SERIES_COLORS] = {7, 5, 9, 13, 11, 15, 3};
    const bool band = mt_series_has_intervals(series);
    const bool single = series->count == 1;
    const char *color = colors[series->color % MT_SERIES_COLORS];
    const bool line = series->style != MT_SERIES_POINTS && !single;
    const bool open = series->style == MT_SERIES_LINE && single;
    const int shape = /* each after its open form */
        shapes[series->color % MT_SERIES_COLORS] - open;

    if (band && line)
        fprintf(script,
                "%s using 1:3:4 with filledcurves fillstyle transparent solid 0.15 "
                "noborder linecolor rgb '%s' notitle, ",
                name, color);
    if (band && !line)
        fprintf(script,
                "%s using 1:2:3:4 with yerrorbars pointtype %d linecolor rgb '%s' "
                "notitle, ",
                name, shape, color);
    if (line)
        fprintf(script, "%s using 1:2 with lines linewidth %d linecolor rgb '%s' ",
                name, series->style == MT_SERIES_HINT ? 1 : 2, color);
    else
        fprintf(script, "%s using 1:2 with points pointtype %d linecolor rgb '%s' ",
                name, shape, color);
    write_label(script, series, !is_labelled_at_end(series));
}

/* In the terminal: a line in a character of its own, or points in letters. */
static void write_letters(FILE *script, const struct mt_series *series,
                          const char *name)
{
    const bool points = series->style == MT_SERIES_POINTS || series->count == 1;
    fprintf(script, "%s using 1:2 with %s %d ", name,
            points ? "points pointtype" : "lines linetype", series->color + 1);
    write_label(script, series, true);
}

static void write_axis(FILE *script, char name, const struct mt_plot_axis *axis)
{
    fprintf(script, "%sset logscale %c\nset %crange [%.9g:%.9g]\nset %ctics (",
            axis->log ? "" : "un", name, name, axis->low, axis->high, name);
    for (int i = 0; i < axis->count; i++)
        fprintf(script, "%s'%.9g' %.9g", i ? ", " : "", axis->ticks[i], axis->ticks[i]);
    fputs(")\n", script);
}

static void write_marks(FILE *script, const struct mt_plot *plot)
{
    if (plot->nmarks > 0)
        fputs("set key opaque\n", script); /* otherwise marks would strike out its
                                              text */
    for (int i = 0; i < plot->nmarks; i++)
        fprintf(script,
                "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead "
                "dashtype 2 linecolor rgb '#888888'\n"
                "set label '%.9g' at first %.9g, graph 0.02 rotate offset -0.6,0 "
                "font ',11' textcolor rgb '#555555'\n",
                plot->marks[i], plot->marks[i], plot->marks[i], plot->marks[i]);
}

/* The names of points, above and to the right; to the left if they might exceed the
   diagram. */
static void write_names(FILE *script, const struct mt_plot_axis *x,
                        const struct mt_series *series)
{
    static const double most_right = 0.8;
    for (int i = 0; i < series->count; i++) {
        const struct mt_plot_point *point = &series->points[i];
        const bool left = mt_plot_axis_fraction(x, point->x) > most_right;
        if (!point->name)
            continue;
        fputs("set label ", script);
        mt_plot_write_quoted(script, point->name);
        fprintf(script, " at first %.9g, first %.9g %s font ',12'\n", point->x,
                point->y, left ? "right offset -0.4,0.7" : "left offset 0.8,0.7");
    }
}

static bool is_drawn(const struct mt_plot_script *script,
                     const struct mt_series *series)
{
    const bool skipped =
        script->kind == MT_PLOT_TERM && series->style == MT_SERIES_HINT;
    return !skipped && series->count > 0;
}

static double height_of(const struct mt_plot *plot)
{
    return plot->count > 1 ? HEIGHT * 4 / 3. : HEIGHT;
}

/* What a diagram takes of the picture's height: the first is the largest. */
static double share_of_panel(const struct mt_plot *plot, int index)
{
    static const double first = 0.65;
    return plot->count == 1 ? 1 : index == 0 ? first : 1 - first;
}

static void write_panel(const struct mt_plot_script *picture,
                        const struct mt_plot *plot, int index)
{
    FILE *script = picture->file;
    const bool letters = picture->kind == MT_PLOT_TERM;
    const struct mt_panel *panel = &plot->panels[index];
    const struct mt_plot_axis x = mt_plot_x_axis(plot), y = mt_panel_y_axis(panel);
    char name[32];
    for (int s = 0; s < panel->count; s++) {
        snprintf(name, sizeof name, "$data_%d_%d", index, s);
        write_data(script, &panel->series[s], name);
        if (!letters)
            write_names(script, &x, &panel->series[s]);
    }
    if (!letters)
        write_ends(script, panel, &x, &y,
                   LINE / (share_of_panel(plot, index) * height_of(plot) - MARGINS));
    mt_plot_write_setting(script, "ylabel", panel->y_label);
    write_axis(script, 'y', &y);
    const char *separator = "plot ";
    for (int s = 0; s < panel->count; s++) {
        if (!is_drawn(picture, &panel->series[s]))
            continue;
        snprintf(name, sizeof name, "$data_%d_%d", index, s);
        fputs(separator, script);
        (letters ? write_letters : write_series)(script, &panel->series[s], name);
        separator = ", ";
    }
    fputc('\n', script);
}

/* Columns to the right of the diagrams: what the longest label takes beyond them. */
static double columns_for_ends(const struct mt_plot *plot)
{
    double columns = 0;
    const struct mt_plot_axis x = mt_plot_x_axis(plot);
    for (int p = 0; p < plot->count; p++)
        for (int s = 0; s < plot->panels[p].count; s++) {
            const struct mt_series *series = &plot->panels[p].series[s];
            if (!is_labelled_at_end(series))
                continue;
            const struct mt_plot_point *last =
                last_of_color(&plot->panels[p], series->color);
            const double inside = 1 - mt_plot_axis_fraction(&x, last->x);
            columns = fmax(columns, (double)strlen(series->label) - 1 -
                                        inside * COLUMNS_OF_DIAGRAM);
        }
    return columns;
}

/* The first diagram has the title and the marks' numbers. */
static void write_stack(const struct mt_plot_script *picture,
                        const struct mt_plot *plot)
{
    FILE *script = picture->file;
    if (plot->count > 1)
        fputs("set multiplot\n", script);
    for (int p = 0; p < plot->count; p++) {
        if (plot->count > 1)
            fprintf(script, "set size 1,%g\nset origin 0,%g\n", share_of_panel(plot, p),
                    p ? 0 : share_of_panel(plot, 1));
        if (p == 1)
            fputs("unset title\nunset label\nset key horizontal\n", script);
        write_panel(picture, plot, p);
    }
}

static void write_script(struct mt_plot_script *script, const struct mt_plot *plot)
{
    FILE *file = script->file;
    const struct mt_plot_axis x = mt_plot_x_axis(plot);
    char title[256];
    snprintf(title, sizeof title, plot->subtitle ? "%s (%s)" : "%s", plot->title,
             plot->subtitle);
    mt_plot_script_title(script, title);
    mt_plot_write_setting(file, "xlabel", plot->x_label);
    fputs("set key left top reverse Left\n"
          "set grid linetype 1 linewidth 0.5 linecolor rgb '#cccccc'\n"
          "set border 3\nset tics nomirror\n"
          "set pointsize 1.1\nset lmargin 10\n",
          file);
    fprintf(file, "set rmargin %.3g\n",
            script->kind == MT_PLOT_TERM ? 3 : 3 + columns_for_ends(plot));
    write_axis(file, 'x', &x);
    write_marks(file, plot);
    write_stack(script, plot);
}

static int check_panels(const struct mt_plot *plot, struct mt_error *err)
{
    for (int p = 0; p < plot->count; p++) {
        int points = 0;
        for (int s = 0; s < plot->panels[p].count; s++)
            points += plot->panels[p].series[s].count;
        if (points == 0)
            return mt_fail(err, MT_EINVAL, "nothing to draw in '%s'", plot->title);
    }
    return MT_OK;
}

int mt_plot_draw(const struct mt_plot *plot, const char *target, struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = check_panels(plot, err);
    if (status == MT_OK)
        status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(
            &script, &(struct mt_plot_size){
                         .width = WIDTH + (int)(columns_for_ends(plot) * COLUMN),
                         .height = (int)height_of(plot),
                         .lines = plot->count > 1 ? LINES * 2 : LINES});
        write_script(&script, plot);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
