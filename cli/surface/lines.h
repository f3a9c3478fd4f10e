/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - the pictures of surfaces that are lines over sizes or nodes. Each draws
 * into a target that is known to be right.
 */
#ifndef MT_CLI_LINES_H
#define MT_CLI_LINES_H

#include "drawing.h"

#include "motley/error.h"

MT_MUST_CHECK int mt_draw_sections(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_speedups(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_speeds(const struct mt_drawing *drawing, const char *target,
                                 struct mt_error *err);

#endif
