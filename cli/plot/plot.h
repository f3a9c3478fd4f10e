/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - series of points in diagrams with axes: made point by point, and drawn with
 * gnuplot into a file or into the terminal, or put on a page (cli/page/page.h).
 *
 *     struct mt_plot plot = {.x_label = "nodes", .log_x = true, .count = 1};
 *     struct mt_panel *panel = &plot.panels[0];
 *     plot.title = mt_asprintf("Times of %s", name);
 *     panel->y_label = mt_strdup("seconds");
 *     mt_panel_series(panel, "measured", MT_SERIES_POINTS, 0);
 *     for (...)
 *         mt_panel_point(panel, nodes, seconds);
 *     status = mt_plot_draw(&plot, target, err);
 *     mt_plot_clear(&plot);
 */
#ifndef MT_CLI_PLOT_H
#define MT_CLI_PLOT_H

#include "motley/error.h"

#include <stdbool.h>

enum mt_series_style {
    MT_SERIES_LINE,  /* a line in a shaded band low .. high; of a single point: an open
                        symbol with a bar */
    MT_SERIES_HINT,  /* a thin line without a band; not drawn in the terminal */
    MT_SERIES_POINTS /* a symbol each; low .. high is an error bar */
};

/* Distinguishable colours and symbols; the last one, black, is for the reference that
   the others are compared with. */
enum { MT_SERIES_COLORS = 7, MT_SERIES_BLACK = MT_SERIES_COLORS - 1 };

struct mt_plot_point {
    double x, y;
    double low, high; /* an interval of y; both y: none */
    char *name;       /* owned; written next to it, except in the terminal; or NULL */
};

/* Points that belong together. */
struct mt_series {
    char *label; /* owned; at the end of a line, otherwise in the legend; or NULL */
    enum mt_series_style style;
    int color; /* 0, 1, ...: series of one number are drawn in one colour */
    struct mt_plot_point *points; /* owned */
    int count;
};

/* One diagram. */
struct mt_panel {
    char *y_label; /* owned */
    bool log_y;
    double y_limit;           /* larger values are not shown; 0: no limit */
    struct mt_series *series; /* owned */
    int count;
};

/* Diagrams over one x axis, above each other, the first the largest. Empty if zeroed.
 */
enum { MT_MOST_PANELS = 2 };
struct mt_plot {
    char *title;    /* owned */
    char *subtitle; /* owned; such as "simulated"; or NULL */
    const char *x_label;
    bool log_x;
    bool round_ticks; /* of the x axis; otherwise the data's x values, if few */
    double *marks;    /* owned; x of vertical lines, which are labelled */
    int nmarks;
    struct mt_panel panels[MT_MOST_PANELS];
    int count;
};

/* Begin a series; the label, which is copied, may be NULL. */
void mt_panel_series(struct mt_panel *panel, const char *label,
                     enum mt_series_style style, int color);
/* Add a point to the last series; false: the panel has no place for this y, which is
   not finite, or not above 0 on a logarithmic axis. The second function sets the
   interval of the last point, if the panel can show it. */
bool mt_panel_point(struct mt_panel *panel, double x, double y);
void mt_panel_interval(struct mt_panel *panel, double low, double high);
/* Name the last point; the name is freed with the plot. */
void mt_panel_name(struct mt_panel *panel, char *name);
/* Whether some point of the series has an interval. */
bool mt_series_has_intervals(const struct mt_series *series);
/* Add a vertical line. */
void mt_plot_mark(struct mt_plot *plot, double x);
void mt_plot_clear(struct mt_plot *plot);

enum { MT_PLOT_TICKS = 12 };
/* An axis from `low` to `high`, and its ticks. */
struct mt_plot_axis {
    double low, high;
    bool log;
    double ticks[MT_PLOT_TICKS];
    int count;
};
/* The x axis of all panels. Its ticks are the measured sizes, if few. */
struct mt_plot_axis mt_plot_x_axis(const struct mt_plot *plot);
/* The y axis of a panel, with room for a legend above the lines. */
struct mt_plot_axis mt_panel_y_axis(const struct mt_panel *panel);
/* The place of a number: 0 at the beginning of the axis, 1 at its end. */
double mt_plot_axis_fraction(const struct mt_plot_axis *axis, double value);

/* Check that mt_plot_draw() supports the target, and that stdout is free for it if
   `json` is printed there, to refuse a wrong one before the work. MT_EINVAL lists the
   possible targets. */
MT_MUST_CHECK int mt_plot_check(const char *target, bool json, struct mt_error *err);

/*
 * Draw `plot` into `target`: a file that ends in ".svg" or ".png", or "term", which is
 * stdout. MT_ENOTFOUND, with the package to install: gnuplot is missing; MT_EIO, with
 * gnuplot's words, when it fails.
 */
MT_MUST_CHECK int mt_plot_draw(const struct mt_plot *plot, const char *target,
                               struct mt_error *err);

#endif
