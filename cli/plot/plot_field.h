/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_field.h - shares over a field of cells, such as efficiencies over nodes and
 * sizes: in colours with lines of equal value and marks over them, or in digits in the
 * terminal.
 *
 * Places are counted in cells from the first column and the first row, which is the
 * lowest one, and may be between cells.
 */
#ifndef MT_CLI_PLOT_FIELD_H
#define MT_CLI_PLOT_FIELD_H

#include "motley/error.h"

#include <stdbool.h>

enum { MT_FIELD_TICKS = 12 };

struct mt_field_tick {
    double cell, number;
};

struct mt_field_axis {
    const char *name;
    int cells;
    struct mt_field_tick ticks[MT_FIELD_TICKS]; /* ascending */
    int count;
};

enum mt_mark_style {
    MT_MARK_PATH,  /* points on lines; a point whose column is NaN ends a line */
    MT_MARK_EDGE,  /* points; the area above them is faded */
    MT_MARK_STEPS, /* pairs of points: a thick line from the first to the second */
    MT_MARK_POINTS
};

struct mt_field_point {
    double column, row;
};

/* Marks: points over the field with a common meaning. All borrowed. */
struct mt_field_mark {
    enum mt_mark_style style;
    const char *label;
    const struct mt_field_point *points;
    int count; /* 0: not drawn, nor in the legend */
};

/* All borrowed. */
struct mt_field {
    const char *title;
    struct mt_field_axis x, y;
    const char *name;                  /* of the values, which are shares of one */
    const double *values;              /* [row * x.cells + column]; NaN: none */
    int step;                          /* in percent, of ten colours or digits */
    const struct mt_field_mark *marks; /* later ones cover earlier ones */
    int nmarks;
    bool bare; /* no lines of equal value, since neighbours are unrelated; all cells are
                  whole */
    const char *frame_label;        /* of a framed part of the field, or NULL */
    struct mt_field_point frame[2]; /* its lowest and its highest corner */
};

/* Draw the field into a .svg or .png file or, in digits, into 'term', as
   mt_plot_draw(). */
MT_MUST_CHECK int mt_field_draw(const struct mt_field *field, const char *target,
                                struct mt_error *err);

#endif
