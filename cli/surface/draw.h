/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_draw.h - the picture that --plot and --picture ask for.
 */
#ifndef MT_CLI_SURFACE_DRAW_H
#define MT_CLI_SURFACE_DRAW_H

#include "axis.h"
#include "picture.h"

#include "motley/error.h"

/*
 * Draw into the target of --plot, if there is one; `usual` is drawn unless --picture
 * asks for another. Of `drawing` the sizes and nodes are taken from the axes: finer
 * where they make a curve, fewer where each is a curve of its own.
 */
MT_MUST_CHECK int mt_surface_draw(const struct mt_drawing *drawing,
                                  enum mt_picture usual, const struct mt_axis *sizes,
                                  const struct mt_axis *nodes, struct mt_error *err);

#endif
