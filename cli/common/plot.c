/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot.h"

#include "plot_script.h"

#include <math.h>
#include <stdio.h>

enum { MAX_TICKS = 12 };

int mt_plot_check(const char *target, bool json, struct mt_error *err)
{
    enum mt_plot_kind kind;
    int status = mt_plot_kind_find(&kind, target, err);
    if (status == MT_OK && json && kind == MT_PLOT_TERM)
        return mt_fail(err, MT_EINVAL, "--plot=term and --json exclude each other");
    return status;
}

static bool visible(const struct mt_panel *panel, double y)
{
    return isfinite(y) && (y > 0 || !panel->log_y);
}

static int count_visible(const struct mt_panel *panel, const struct mt_series *series)
{
    int count = 0;
    for (int i = 0; i < series->count; i++)
        count += visible(panel, series->y[i]);
    return count;
}

/* Letters cannot shade, so bands and bars are for pictures only. */
static bool has_band(const struct mt_panel *panel, const struct mt_series *series,
                     enum mt_plot_kind kind)
{
    if (kind == MT_PLOT_TERM || !series->low || !series->high)
        return false;
    for (int i = 0; i < series->count; i++)
        if (visible(panel, series->y[i]) && visible(panel, series->low[i]) &&
            visible(panel, series->high[i]))
            return true;
    return false;
}

static void write_data(FILE *script, const struct mt_panel *panel,
                       const struct mt_series *series, const char *name, bool band)
{
    fprintf(script, "%s << EOD\n", name);
    for (int i = 0; i < series->count; i++) {
        if (!visible(panel, series->y[i]))
            continue;
        double low = band ? series->low[i] : NAN, high = band ? series->high[i] : NAN;
        if (!visible(panel, low) || !visible(panel, high))
            low = high = series->y[i];
        fprintf(script, "%.9g %.9g %.9g %.9g\n", series->x[i], series->y[i], low, high);
    }
    fputs("EOD\n", script);
}

/* A line of a single point is an open symbol: it would not be seen. */
static void write_series(FILE *script, const struct mt_series *series, const char *name,
                         bool single, bool band)
{
    /* Okabe and Ito's colours, which colour-blind readers can tell apart. */
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#000000"};
    static const int shapes[] = {7, 5, 9, 13, 11, 15, 3};
    const int ncolors = sizeof colors / sizeof *colors;
    const char *color = colors[series->color % ncolors];
    const bool line = series->style != MT_SERIES_POINTS && !single;
    const bool open = series->style == MT_SERIES_LINE && single;
    int shape = shapes[series->color % ncolors] - open; /* each after its open form */

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
    if (series->label) {
        fputs("title ", script);
        mt_plot_write_quoted(script, series->label);
    } else {
        fputs("notitle", script);
    }
}

/* The x of the data are the ticks when they are few: they are the sizes that were
   measured. */
static void write_x_ticks(FILE *script, const double *ticks, int count)
{
    if (count > MAX_TICKS)
        return;
    fputs("set xtics (", script);
    for (int i = 0; i < count; i++)
        fprintf(script, "%s'%.9g' %.9g", i ? ", " : "", ticks[i], ticks[i]);
    fputs(")\n", script);
}

static void write_x_axis(FILE *script, const struct mt_plot *plot)
{
    double ticks[MAX_TICKS], low = INFINITY, high = -INFINITY;
    int count = 0; /* of different x; MAX_TICKS + 1: too many */
    for (int p = 0; p < plot->count; p++) {
        for (int s = 0; s < plot->panels[p].count; s++) {
            const struct mt_series *series = &plot->panels[p].series[s];
            for (int i = 0; i < series->count; i++) {
                double x = series->x[i];
                int known = 0;
                while (known < count && known < MAX_TICKS && ticks[known] != x)
                    known++;
                if (known == count && count < MAX_TICKS)
                    ticks[count++] = x;
                else if (known == MAX_TICKS)
                    count = MAX_TICKS + 1;
                low = fmin(low, x);
                high = fmax(high, x);
            }
        }
    }
    if (plot->ticks)
        write_x_ticks(script, plot->ticks, plot->nticks);
    else
        write_x_ticks(script, ticks, count);
    double margin = low < high ? 0.04 : 0.5;
    if (plot->log_x) {
        double factor = low < high ? pow(high / low, margin) : 2;
        fprintf(script, "set logscale x\nset xrange [%.9g:%.9g]\n", low / factor,
                high * factor);
    } else {
        double width = low < high ? (high - low) * margin : 1;
        fprintf(script, "set xrange [%.9g:%.9g]\n", low - width, high + width);
    }
}

static void write_log_y_axis(FILE *script, double low, double high)
{
    fprintf(script, "set logscale y\nset yrange [%.9g:%.9g]\n", low / 1.3, high * 1.5);
    if (high / low >= 1000)
        return; /* a tick for each power of ten is enough */
    const int first = (int)floor(log10(low)), last = (int)ceil(log10(high));
    fputs("set ytics (", script);
    for (int power = first; power <= last; power++)
        fprintf(script, "%s%g, %g, %g", power > first ? ", " : "", pow(10, power),
                2 * pow(10, power), 5 * pow(10, power));
    fputs(")\n", script);
}

static void write_y_axis(FILE *script, const struct mt_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < panel->count; s++) {
        const struct mt_series *series = &panel->series[s];
        for (int i = 0; i < series->count; i++) {
            if (!visible(panel, series->y[i]))
                continue;
            low = fmin(low, series->y[i]);
            high = fmax(high, series->y[i]);
        }
    }
    mt_plot_write_setting(script, "ylabel", panel->y_label);
    fputs("unset logscale y\nset ytics auto\nset yrange [*:*]\n", script);
    if (panel->log_y)
        write_log_y_axis(script, low, high);
    else if (panel->y_limit > 0 && high > panel->y_limit)
        fprintf(script, "set yrange [0:%.9g]\n", panel->y_limit);
    else if (low >= 0)
        fprintf(script, "set yrange [0:%.9g]\n", high > 0 ? high * 1.3 : 1.0);
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

/* Whether there is anything to see of a series. */
static bool is_drawn(const struct mt_panel *panel, const struct mt_series *series,
                     enum mt_plot_kind kind)
{
    return count_visible(panel, series) > 0 &&
           (series->style != MT_SERIES_HINT || kind != MT_PLOT_TERM);
}

static int write_panel(FILE *script, const struct mt_plot *plot, int index,
                       enum mt_plot_kind kind, struct mt_error *err)
{
    const struct mt_panel *panel = &plot->panels[index];
    int drawn = 0;
    for (int s = 0; s < panel->count; s++) {
        char name[32];
        snprintf(name, sizeof name, "$data_%d_%d", index, s);
        if (!is_drawn(panel, &panel->series[s], kind))
            continue;
        write_data(script, panel, &panel->series[s], name,
                   has_band(panel, &panel->series[s], kind));
        drawn++;
    }
    if (drawn == 0)
        return mt_fail(err, MT_EINVAL, "nothing to draw in '%s'", plot->title);

    write_y_axis(script, panel);
    const char *separator = "plot ";
    for (int s = 0; s < panel->count; s++) {
        char name[32];
        snprintf(name, sizeof name, "$data_%d_%d", index, s);
        if (!is_drawn(panel, &panel->series[s], kind))
            continue;
        fputs(separator, script);
        write_series(script, &panel->series[s], name,
                     count_visible(panel, &panel->series[s]) == 1,
                     has_band(panel, &panel->series[s], kind));
        separator = ", ";
    }
    fputc('\n', script);
    return MT_OK;
}

static int write_script(FILE *script, const struct mt_plot *plot,
                        enum mt_plot_kind kind, struct mt_error *err)
{
    char title[256];
    snprintf(title, sizeof title, plot->subtitle ? "%s (%s)" : "%s", plot->title,
             plot->subtitle);
    mt_plot_write_setting(script, "title", title);
    mt_plot_write_setting(script, "xlabel", plot->x_label);
    const bool beside = plot->key_beside && kind != MT_PLOT_TERM;
    fprintf(script, "set key %s top reverse Left\n", beside ? "outside right" : "left");
    if (kind != MT_PLOT_TERM)
        fprintf(script,
                "set grid linetype 1 linewidth 0.5 linecolor rgb '#cccccc'\n"
                "set border 3\nset tics nomirror\n"
                "set pointsize 1.1\nset lmargin 10\n%s",
                beside ? "" : "set rmargin 3\n");
    write_x_axis(script, plot);
    if (kind != MT_PLOT_TERM)
        write_marks(script, plot);

    /* Letters do not overlay, so in the terminal the panels just follow each other. */
    bool overlay = kind != MT_PLOT_TERM && plot->count > 1;
    const double first = 0.65, other = (1 - first) / (plot->count - 1);
    if (overlay)
        fputs("set multiplot\n", script);
    int status = MT_OK;
    for (int p = 0; p < plot->count && status == MT_OK; p++) {
        if (overlay)
            fprintf(script, "set size 1,%g\nset origin 0,%g\n", p ? other : first,
                    p ? 1 - first - p * other : 1 - first);
        if (p == 1)
            fputs("unset title\nunset label\nset key horizontal\n", script);
        status = write_panel(script, plot, p, kind, err);
    }
    return status;
}

int mt_plot_draw(const struct mt_plot *plot, const char *target, struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(&script, 900, plot->count > 1 ? 800 : 600);
        status = write_script(script.file, plot, script.kind, err);
    }
    if (status == MT_OK)
        status = mt_plot_script_run(&script, err);
    mt_plot_script_close(&script);
    return status;
}
