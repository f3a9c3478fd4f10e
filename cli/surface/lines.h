/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - the pictures of surfaces that are lines over sizes or nodes. Each is made,
 * and `use` is called with it.
 */
#ifndef MT_CLI_LINES_H
#define MT_CLI_LINES_H

#include "cli/plot/plot.h"
#include "drawing.h"

#include "motley/error.h"

MT_MUST_CHECK int mt_plot_sections(const struct mt_drawing *drawing, mt_plot_use *use,
                                   void *to, struct mt_error *err);
MT_MUST_CHECK int mt_plot_speedups(const struct mt_drawing *drawing, mt_plot_use *use,
                                   void *to, struct mt_error *err);
MT_MUST_CHECK int mt_plot_speeds(const struct mt_drawing *drawing, mt_plot_use *use,
                                 void *to, struct mt_error *err);

/*
 * For each level the smallest and the largest sizes with at least that efficiency, over
 * the nodes, with the best size and the memory limit; of more levels than
 * MT_MOST_LEVELS so many, evenly. Between the two an efficiency may be less, beyond a
 * cliff.
 */
enum { MT_MOST_LEVELS = 5 };
MT_MUST_CHECK int mt_plot_levels(const struct mt_drawing *drawing, const double *levels,
                                 int count, mt_plot_use *use, void *to,
                                 struct mt_error *err);

#endif
