/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * maps.h - the pictures of surfaces over nodes and sizes. Each draws into a target that
 * is known to be right; in the terminal both are a map of digits.
 */
#ifndef MT_CLI_MAPS_H
#define MT_CLI_MAPS_H

#include "drawing.h"

#include "motley/error.h"

MT_MUST_CHECK int mt_draw_contours(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_perspective(const struct mt_drawing *drawing,
                                      const char *target, struct mt_error *err);

#endif
