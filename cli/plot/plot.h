/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - draw a plot (panel.h) with gnuplot into a file, or into the terminal.
 */
#ifndef MT_CLI_PLOT_H
#define MT_CLI_PLOT_H

#include "motley/error.h"
#include "panel.h"

#include <stdbool.h>

/* What is done with a plot once it is made, `to` something that the caller knows: it is
   drawn, or put on a page. */
typedef int mt_plot_use(const struct mt_plot *plot, void *to, struct mt_error *err);

/* Whether mt_plot_draw() knows the target, and stdout is free for it when `json` is
   printed there; so that a wrong one is refused before the work is done. MT_EINVAL says
   what it knows. */
MT_MUST_CHECK int mt_plot_check(const char *target, bool json, struct mt_error *err);

/*
 * Draw `plot` into `target`: a file that ends in ".svg" or ".png", or "term", which is
 * stdout. MT_ENOTFOUND, with the package to install, when there is no gnuplot; MT_EIO,
 * with gnuplot's words, when it fails.
 */
MT_MUST_CHECK int mt_plot_draw(const struct mt_plot *plot, const char *target,
                               struct mt_error *err);

#endif
