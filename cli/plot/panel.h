/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panel.h - what a plot shows: series of points in diagrams, and their axes.
 */
#ifndef MT_CLI_PANEL_H
#define MT_CLI_PANEL_H

#include <stdbool.h>

enum mt_series_style {
    MT_SERIES_LINE,  /* a line in a shaded band low .. high; of a single point: an open
                        symbol with a bar */
    MT_SERIES_HINT,  /* a thin line without a band; not drawn in the terminal */
    MT_SERIES_POINTS /* a symbol each; low .. high is an error bar */
};

/* So many colours and symbols can be told apart; the last one is that of what the
   others are compared with: black. */
enum { MT_SERIES_COLORS = 7, MT_SERIES_BLACK = MT_SERIES_COLORS - 1 };

/* Points (x, y) that belong together. All borrowed. Points whose y is not finite are
   left out. */
struct mt_series {
    const char *label; /* in the legend; NULL: not listed there */
    enum mt_series_style style;
    int color; /* 0, 1, ...: series of one number are drawn in one colour */
    int count;
    const double *x, *y;
    const double *low, *high; /* of each y, or both NULL */
    const char *const *names; /* of each point, written beside it except in the
                                 terminal; NULL: none */
};

/* One diagram. */
struct mt_panel {
    const char *title; /* of a facet; or NULL */
    const char *y_label;
    bool log_y;
    double y_limit;                 /* what is above it is not shown; 0: all is */
    const struct mt_series *series; /* borrowed */
    int count;
};

/* Diagrams over one x axis, above each other, the first the largest; or facets: side by
   side, of one size. All borrowed. */
struct mt_plot {
    const char *title;
    const char *subtitle; /* such as "simulated"; or NULL */
    const char *x_label;
    bool log_x;
    const double *ticks; /* of the x axis, ascending; NULL: the x of the data when they
                            are few; 0 of them: round numbers */
    int nticks;
    const double *marks; /* x of vertical lines, which are labelled */
    int nmarks;
    bool names_at_ends; /* of series: each at the end of its line, in its colour */
    bool facets;
    const struct mt_panel *panels;
    int count;
};

enum { MT_PLOT_TICKS = 12 };
/* An axis from `low` to `high`, and where its numbers stand. */
struct mt_plot_axis {
    double low, high;
    bool log;
    double ticks[MT_PLOT_TICKS];
    int count;
};

/* The x axis of all panels. Sizes that were measured are its ticks when they are few.
 */
struct mt_plot_axis mt_plot_x_axis(const struct mt_plot *plot);
/* The y axis of a panel, with room for a legend above the lines. */
struct mt_plot_axis mt_panel_y_axis(const struct mt_panel *panel);
/* Where a number is: 0 at the axis' begin, 1 at its end. */
double mt_plot_axis_fraction(const struct mt_plot_axis *axis, double value);

/* Whether the panel can show this y. */
bool mt_panel_shows(const struct mt_panel *panel, double y);
/* How many points of the series the panel shows. */
int mt_panel_count(const struct mt_panel *panel, const struct mt_series *series);

#endif
