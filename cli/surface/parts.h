/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_parts.h - the pictures of surface_picture.h, each in a file of its own, and
 * what they share.
 */
#ifndef MT_CLI_SURFACE_PARTS_H
#define MT_CLI_SURFACE_PARTS_H

#include "cli/common/plot_script.h"
#include "map.h"
#include "motley/error.h"
#include "motley/scaling.h"
#include "picture.h"

#include <stdio.h>

/* Each draws its picture into a target that is known to be right. */
MT_MUST_CHECK int mt_draw_contours(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_perspective(const struct mt_drawing *drawing,
                                      const char *target, struct mt_error *err);
MT_MUST_CHECK int mt_draw_sections(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_speedups(const struct mt_drawing *drawing, const char *target,
                                   struct mt_error *err);
MT_MUST_CHECK int mt_draw_speeds(const struct mt_drawing *drawing, const char *target,
                                 struct mt_error *err);

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
