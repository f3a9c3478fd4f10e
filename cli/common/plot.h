/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - draw a picture of data in memory with gnuplot, into a file or as text in the
 * terminal.
 */
#ifndef MT_CLI_PLOT_H
#define MT_CLI_PLOT_H

#include "motley/error.h"

#include <stdbool.h>

enum mt_series_style {
    MT_SERIES_LINE,  /* a line in a shaded band low .. high; of a single point: an open
                        symbol with a bar */
    MT_SERIES_HINT,  /* a thin line without a band; not drawn in letters */
    MT_SERIES_POINTS /* a symbol each; low .. high is an error bar */
};

/* The colour of what the others are compared with: black. */
enum { MT_SERIES_BLACK = 6 };

/* Points (x, y) that belong together. All borrowed. Points whose y is not finite are
   left out. */
struct mt_series {
    const char *label; /* in the legend; NULL: not listed there */
    enum mt_series_style style;
    int color; /* 0, 1, ...: series of one number are drawn in one colour */
    int count;
    const double *x, *y;
    const double *low, *high; /* of each y, or both NULL */
};

/* One diagram. */
struct mt_panel {
    const char *y_label;
    bool log_y;
    double y_limit;                 /* what is above it is not shown; 0: all is */
    const struct mt_series *series; /* borrowed */
    int count;
};

/* Diagrams above each other over one x axis; the first is the largest. All borrowed. */
struct mt_plot {
    const char *title;
    const char *subtitle; /* such as "simulated"; or NULL */
    const char *x_label;
    bool log_x;
    const double *ticks; /* of the x axis; NULL: the x of the data when they are few */
    int nticks;
    const double *marks; /* x of vertical lines, which are labelled; not in letters */
    int nmarks;
    bool key_beside; /* the legend is beside the diagram, not in it: it is long; not in
                        letters */
    const struct mt_panel *panels;
    int count;
};

/* Whether mt_plot_draw() knows the target, and stdout is free for it when `json` is
   printed there; so that a wrong one is refused before the work is done. MT_EINVAL says
   what it knows. */
MT_MUST_CHECK int mt_plot_check(const char *target, bool json, struct mt_error *err);

/*
 * Draw `plot` into `target`: a file that ends in ".svg" or ".png", or "term", which is
 * stdout, in letters. MT_ENOTFOUND, with the package to install, when there is no
 * gnuplot; MT_EIO, with gnuplot's words, when it fails.
 */
MT_MUST_CHECK int mt_plot_draw(const struct mt_plot *plot, const char *target,
                               struct mt_error *err);

#endif
