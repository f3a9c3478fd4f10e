/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.h - the picture that --plot and --picture ask for.
 */
#ifndef MT_CLI_SURFACE_PICTURE_H
#define MT_CLI_SURFACE_PICTURE_H

#include "cli/plot/plot.h"
#include "drawing.h"

#include "motley/accuracy.h"
#include "motley/error.h"
#include "motley/survey.h"

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

/* Whether the options for output go together: one of --json, --csv and --plot=term, and
   a --picture that is drawn. */
MT_MUST_CHECK int mt_surface_check_output(struct mt_error *err);

/*
 * Draw into the target of --plot, if there is one; `usual` is drawn unless --picture
 * asks for another. Of `drawing` the sizes and nodes are taken from the axes: finer
 * where they make a curve, fewer where each is a curve of its own.
 */
MT_MUST_CHECK int mt_surface_draw(const struct mt_drawing *drawing,
                                  enum mt_picture usual, const struct mt_axis *sizes,
                                  const struct mt_axis *nodes, struct mt_error *err);

/* Make a picture of lines, one of the last three, with the axes likewise. */
MT_MUST_CHECK int mt_surface_plot(const struct mt_drawing *drawing,
                                  enum mt_picture picture, const struct mt_axis *sizes,
                                  const struct mt_axis *nodes, mt_plot_use *use,
                                  void *to, struct mt_error *err);

/* Refuse a --picture that shows no runs. */
MT_MUST_CHECK int mt_surface_check_measured(struct mt_error *err);
/* Draw measured points over the surface that predicts them into the target of --plot:
   sections, unless --picture asks for another. */
MT_MUST_CHECK int mt_surface_draw_measured(const struct mt_surface *surface,
                                           const struct mt_accuracy *accuracy,
                                           bool simulated, struct mt_error *err);

#endif
