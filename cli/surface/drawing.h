/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drawing.h - what a picture of efficiency surfaces is drawn of, and what the pictures
 * share: titles, ticks, and for gnuplot axes and colours.
 */
#ifndef MT_CLI_DRAWING_H
#define MT_CLI_DRAWING_H

#include "cli/common/plot_script.h"
#include "lib/surface/map.h"
#include "motley/accuracy.h"
#include "motley/surface.h"

#include <stdbool.h>
#include <stdio.h>

/* What is drawn; all borrowed. */
struct mt_drawing {
    const struct mt_surface *surfaces[2];
    const char *labels[2]; /* such as "ap1000 A" */
    int nsurfaces;       /* 1 or 2; contours, surface and speed-ups are of the first */
    const double *sizes; /* ascending; contours and surface: finer between first and
                            last */
    int nsizes;
    const double *nodes; /* likewise */
    int nnodes;
    double base; /* of the speed-ups: the size on one node */
    const struct mt_measured_point *measured;
    int nmeasured; /* with some of them, the picture in perspective is of these */
    bool simulated;
};

/* What a drawing spans. */
struct mt_span mt_drawing_nodes(const struct mt_drawing *drawing);
struct mt_span mt_drawing_sizes(const struct mt_drawing *drawing);

/* "WHAT of LABEL", of the first surfaces. */
void mt_drawing_title(char title[256], const struct mt_drawing *drawing,
                      const char *what, int nsurfaces);

/* The ticks of a logarithmic axis: powers of two, or, where these are few, round
   numbers. Returns how many. */
enum { MT_MAX_TICKS = 12 };
int mt_span_ticks(double ticks[MT_MAX_TICKS], struct mt_span span);

/* For gnuplot: the title, with whether it is simulated. */
void mt_write_title(struct mt_plot_script *script, const struct mt_drawing *drawing,
                    const char *what);
/* An axis ("x", "y") of cells on a logarithmic scale, with its name and a
   ticks. */
void mt_write_cell_axis(FILE *script, const char *axis, const char *name,
                        struct mt_span span, int cells);
/* Ten colours of efficiencies, one every `step` percent, and their scale. */
void mt_write_efficiency_colors(FILE *script, int step);
/* $cells: the map's efficiencies, in percent. */
void mt_write_cells(FILE *script, const struct mt_surface_map *map);

#endif
