/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_lines.h - series of points for plot.h, added one by one: what the pictures of
 * surfaces that are lines over sizes or nodes are made of.
 */
#ifndef MT_CLI_SURFACE_LINES_H
#define MT_CLI_SURFACE_LINES_H

#include "cli/common/plot.h"
#include "motley/error.h"
#include "motley/scaling.h"
#include "picture.h"

#include <stdbool.h>

/* Lines whose colours differ, and all series of a picture. */
enum { MT_LINE_COLORS = 6, MT_MAX_LINES = 4 * MT_LINE_COLORS };

/* Zeroed is empty. */
struct mt_lines {
    struct mt_series series[MT_MAX_LINES];
    double *rooms[MT_MAX_LINES]; /* owned; of the series' numbers */
    char labels[MT_MAX_LINES][128];
    int count;
};

/* Begin a series that will have up to `room` points. An empty label: it is not in the
   legend. */
MT_MUST_CHECK int mt_lines_begin(struct mt_lines *lines, enum mt_series_style style,
                                 int color, int room, const char *label,
                                 struct mt_error *err);
/* Add a point to the series that was begun last. */
void mt_lines_add(struct mt_lines *lines, double x, double y);
void mt_lines_clear(struct mt_lines *lines);

/* What lines are drawn over; all borrowed. */
struct mt_line_axes {
    const char *what; /* of the title, see mt_drawing_title() */
    int nsurfaces;    /* in the title */
    const char *x_label, *y_label;
    struct mt_span x; /* logarithmic */
    bool log_y;
    const double *marks; /* x of vertical lines */
    int nmarks;
};
/* Draw all series in one diagram; see mt_plot_draw(). */
MT_MUST_CHECK int mt_lines_draw(const struct mt_lines *lines,
                                const struct mt_drawing *drawing,
                                const struct mt_line_axes *axes, const char *target,
                                struct mt_error *err);

#endif
