/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_picture.h - pictures of efficiency surfaces, by gnuplot.
 */
#ifndef MT_CLI_SURFACE_PICTURE_H
#define MT_CLI_SURFACE_PICTURE_H

#include "motley/error.h"
#include "motley/scaling.h"
#include "motley/surface.h"

#include <stdbool.h>

enum mt_picture {
    MT_PICTURE_CONTOURS, /* lines of equal efficiency over nodes and sizes, with the
                            ridge, the memory limit, the cliffs, and, of two surfaces,
                            where one overtakes the other */
    MT_PICTURE_SURFACE,  /* efficiency over nodes and sizes, in perspective */
    MT_PICTURE_SECTIONS, /* efficiency over sizes, a line for each number of nodes (and
                            surface); measured points beside them */
    MT_PICTURE_SPEEDUPS, /* the three speed-ups over nodes */
    MT_PICTURE_SPEEDS,   /* operations per second of all nodes together over nodes, a
                            line for each size and surface: where they cross */
    MT_NPICTURES
};

/* "contours", "surface", "sections", "speed-ups", "speeds". */
const char *mt_picture_name(enum mt_picture picture);
/* The picture of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_picture_parse(enum mt_picture *picture, const char *name,
                                   struct mt_error *err);

/* The efficiency of a run that was measured. */
struct mt_measured_point {
    double size, nodes, efficiency;
};

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
    int nmeasured; /* with some of them, MT_PICTURE_SURFACE draws these instead */
    bool simulated;
};

/* Draw into a .svg or .png file or 'term', as mt_plot_draw(). */
MT_MUST_CHECK int mt_picture_draw(enum mt_picture picture,
                                  const struct mt_drawing *drawing, const char *target,
                                  struct mt_error *err);

#endif
