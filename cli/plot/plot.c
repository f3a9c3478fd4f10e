/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot.h"

#include "lib/base/options.h"

#include "plot_script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of pictures, in points; and of a diagram in the terminal, in lines. */
enum { WIDTH = 900, HEIGHT = 600, FACET_HEIGHT = 450, FACETS_BESIDE = 2, LINES = 24 };

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

static bool has_band(const struct mt_panel *panel, const struct mt_series *series)
{
    if (!series->low || !series->high)
        return false;
    for (int i = 0; i < series->count; i++)
        if (mt_panel_shows(panel, series->y[i]) &&
            mt_panel_shows(panel, series->low[i]) &&
            mt_panel_shows(panel, series->high[i]))
            return true;
    return false;
}

static void write_data(FILE *script, const struct mt_panel *panel,
                       const struct mt_series *series, const char *name)
{
    const bool band = has_band(panel, series);
    fprintf(script, "%s << EOD\n", name);
    for (int i = 0; i < series->count; i++) {
        if (!mt_panel_shows(panel, series->y[i]))
            continue;
        double low = band ? series->low[i] : NAN, high = band ? series->high[i] : NAN;
        if (!mt_panel_shows(panel, low) || !mt_panel_shows(panel, high))
            low = high = series->y[i];
        fprintf(script, "%.9g %.9g %.9g %.9g\n", series->x[i], series->y[i], low, high);
    }
    fputs("EOD\n", script);
}

static void write_label(FILE *script, const struct mt_series *series)
{
    if (series->label) {
        fputs("title ", script);
        mt_plot_write_quoted(script, series->label);
    } else {
        fputs("notitle", script);
    }
}

/* A line of a single point is an open symbol: it would not be seen. */
static void write_series(FILE *script, const struct mt_panel *panel,
                         const struct mt_series *series, const char *name)
{
    static const int shapes[MT_SERIES_COLORS] = {7, 5, 9, 13, 11, 15, 3};
    const bool band = has_band(panel, series);
    const bool single = mt_panel_count(panel, series) == 1;
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
    write_label(script, series);
}

/* In the terminal: a line in a character of its own, or points in letters. */
static void write_letters(FILE *script, const struct mt_panel *panel,
                          const struct mt_series *series, const char *name)
{
    const bool points =
        series->style == MT_SERIES_POINTS || mt_panel_count(panel, series) == 1;
    fprintf(script, "%s using 1:2 with %s %d ", name,
            points ? "points pointtype" : "lines linetype", series->color + 1);
    write_label(script, series);
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
        fputs("set key opaque\n", script); /* or marks strike out what it says */
    for (int i = 0; i < plot->nmarks; i++)
        fprintf(script,
                "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead "
                "dashtype 2 linecolor rgb '#888888'\n"
                "set label '%.9g' at first %.9g, graph 0.02 rotate offset -0.6,0 "
                "font ',11' textcolor rgb '#555555'\n",
                plot->marks[i], plot->marks[i], plot->marks[i], plot->marks[i]);
}

/* The name of a series at its end: where, as a fraction of the y axis. */
struct end {
    const struct mt_series *series;
    double at;
};
enum { MOST_ENDS = 64 };

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Names that would cover each other give way to both sides, as far as the diagram
   reaches. */
static void spread_ends(struct end *ends, int count, double gap)
{
    enum { ROUNDS = 200 };
    qsort(ends, (size_t)count, sizeof *ends, compare_ends);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; i < count; i++) {
            const double lack = fmax(gap - (ends[i].at - ends[i - 1].at), 0);
            ends[i - 1].at -= lack / 2;
            ends[i].at += lack / 2;
        }
    for (int i = count - 1; i >= 0; i--)
        ends[i].at = fmin(ends[i].at, 1 - (count - 1 - i) * gap);
}

static int find_ends(struct end ends[MOST_ENDS], const struct mt_panel *panel,
                     const struct mt_plot_axis *axis)
{
    int count = 0;
    for (int s = 0; s < panel->count && count < MOST_ENDS; s++) {
        const struct mt_series *series = &panel->series[s];
        int last = -1;
        for (int i = 0; i < series->count; i++)
            if (mt_panel_shows(panel, series->y[i]) &&
                (last < 0 || series->x[i] > series->x[last]))
                last = i;
        if (series->label && last >= 0)
            ends[count++] = (struct end){
                series, fmin(mt_plot_axis_fraction(axis, series->y[last]), 1)};
    }
    return count;
}

/* Black letters after a point in the line's colour, as not all colours can be read. */
static void write_ends(FILE *script, const struct mt_panel *panel,
                       const struct mt_plot_axis *axis, bool facet)
{
    struct end ends[MOST_ENDS];
    const int count = find_ends(ends, panel, axis);
    size_t longest = 0;
    spread_ends(ends, count, facet ? 0.06 : 0.045);
    fputs("unset key\nunset label\n", script);
    for (int i = 0; i < count; i++) {
        fputs("set label ", script);
        mt_plot_write_quoted(script, ends[i].series->label);
        fprintf(script,
                " at graph 1.015, graph %.4g left point pointtype 7 pointsize 0.7 "
                "linecolor rgb '%s' offset 0.8,0\n",
                ends[i].at, colors[ends[i].series->color % MT_SERIES_COLORS]);
        const size_t length = strlen(ends[i].series->label);
        longest = length > longest ? length : longest;
    }
    fprintf(script, "set rmargin %zu\n", 4 + longest);
}

/* The names of points, above each and to its right; where that may reach beyond the
   diagram, to its left. */
static void write_names(FILE *script, const struct mt_plot_axis *x,
                        const struct mt_panel *panel, const struct mt_series *series)
{
    static const double most_right = 0.8;
    for (int i = 0; i < series->count && series->names; i++) {
        if (!mt_panel_shows(panel, series->y[i]))
            continue;
        const bool left = mt_plot_axis_fraction(x, series->x[i]) > most_right;
        fputs("set label ", script);
        mt_plot_write_quoted(script, series->names[i]);
        fprintf(script, " at first %.9g, first %.9g %s font ',12'\n", series->x[i],
                series->y[i], left ? "right offset -0.4,0.7" : "left offset 0.8,0.7");
    }
}

static bool is_drawn(const struct mt_plot_script *script, const struct mt_panel *panel,
                     const struct mt_series *series)
{
    const bool skipped =
        script->kind == MT_PLOT_TERM && series->style == MT_SERIES_HINT;
    return !skipped && mt_panel_count(panel, series) > 0;
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
        write_data(script, panel, &panel->series[s], name);
        if (!letters)
            write_names(script, &x, panel, &panel->series[s]);
    }
    mt_plot_write_setting(script, "ylabel", panel->y_label);
    if (panel->title)
        mt_plot_write_setting(script, "title", panel->title);
    write_axis(script, 'y', &y);
    if (plot->names_at_ends && !letters)
        write_ends(script, panel, &y, plot->facets);
    const char *separator = "plot ";
    for (int s = 0; s < panel->count; s++) {
        if (!is_drawn(picture, panel, &panel->series[s]))
            continue;
        snprintf(name, sizeof name, "$data_%d_%d", index, s);
        fputs(separator, script);
        (letters ? write_letters : write_series)(script, panel, &panel->series[s],
                                                 name);
        separator = ", ";
    }
    fputc('\n', script);
}

static const char *plot_title(char title[256], const struct mt_plot *plot)
{
    snprintf(title, 256, plot->subtitle ? "%s (%s)" : "%s", plot->title,
             plot->subtitle);
    return title;
}

static int facets_beside(const struct mt_plot_script *script,
                         const struct mt_plot *plot)
{
    const int most = script->kind == MT_PLOT_TERM ? 1 : FACETS_BESIDE;
    return plot->count < most ? plot->count : most;
}

static int facet_rows(const struct mt_plot_script *script, const struct mt_plot *plot)
{
    const int beside = facets_beside(script, plot);
    return (plot->count + beside - 1) / beside;
}

/* The first diagram is the largest, and has the title and the marks' numbers. */
static void write_stack(const struct mt_plot_script *picture,
                        const struct mt_plot *plot)
{
    FILE *script = picture->file;
    const double first = 0.65, other = (1 - first) / (plot->count - 1);
    if (plot->count > 1)
        fputs("set multiplot\n", script);
    for (int p = 0; p < plot->count; p++) {
        if (plot->count > 1)
            fprintf(script, "set size 1,%g\nset origin 0,%g\n", p ? other : first,
                    p ? 1 - first - p * other : 1 - first);
        if (p == 1)
            fputs("unset title\nunset label\nset key horizontal\n", script);
        write_panel(picture, plot, p);
    }
}

static void write_facets(const struct mt_plot_script *picture,
                         const struct mt_plot *plot)
{
    FILE *script = picture->file;
    char title[256];
    fprintf(script, "set multiplot layout %d,%d title ", facet_rows(picture, plot),
            facets_beside(picture, plot));
    mt_plot_write_quoted(script, plot_title(title, plot));
    fputc('\n', script);
    for (int p = 0; p < plot->count; p++)
        write_panel(picture, plot, p);
}

static void write_script(struct mt_plot_script *script, const struct mt_plot *plot)
{
    FILE *file = script->file;
    const struct mt_plot_axis x = mt_plot_x_axis(plot);
    char title[256];
    mt_plot_script_title(script, plot_title(title, plot));
    mt_plot_write_setting(file, "xlabel", plot->x_label);
    fprintf(file,
            "set key left top reverse Left\n"
            "set grid linetype 1 linewidth 0.5 linecolor rgb '#cccccc'\n"
            "set border 3\nset tics nomirror\n"
            "set pointsize %g\nset lmargin 10\nset rmargin 3\n",
            plot->facets ? 0.7 : 1.1);
    write_axis(file, 'x', &x);
    write_marks(file, plot);
    if (plot->facets)
        write_facets(script, plot);
    else
        write_stack(script, plot);
}

static int check_panels(const struct mt_plot *plot, struct mt_error *err)
{
    for (int p = 0; p < plot->count; p++) {
        int points = 0;
        for (int s = 0; s < plot->panels[p].count; s++)
            points += mt_panel_count(&plot->panels[p], &plot->panels[p].series[s]);
        if (points == 0)
            return mt_fail(err, MT_EINVAL, "nothing to draw in '%s'", plot->title);
    }
    return MT_OK;
}

static void write_terminal(const struct mt_plot_script *script,
                           const struct mt_plot *plot)
{
    const int rows = plot->facets ? facet_rows(script, plot) : 1;
    struct mt_plot_size size = {.width = WIDTH,
                                .height = plot->facets ? FACET_HEIGHT * rows : HEIGHT,
                                .lines = LINES * rows};
    if (!plot->facets && plot->count > 1) {
        size.height = size.height * 4 / 3;
        size.lines = size.lines * 2;
    }
    mt_plot_script_terminal(script, &size);
}

int mt_plot_draw(const struct mt_plot *plot, const char *target, struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = check_panels(plot, err);
    if (status == MT_OK)
        status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        write_terminal(&script, plot);
        write_script(&script, plot);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
