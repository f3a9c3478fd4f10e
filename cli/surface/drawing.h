/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drawing.h - what a picture of efficiency surfaces is drawn of, and what the pictures
 * share: titles and ticks.
 */
#ifndef MT_CLI_DRAWING_H
#define MT_CLI_DRAWING_H

#include "lib/surface/map.h"
#include "motley/accuracy.h"
#include "motley/surface.h"

#include <stdbool.h>

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

#endif
