/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - draw a plot (panel.h) with gnuplot into a file, or in letters in the
 * terminal.
 */
#ifndef MT_CLI_PLOT_H
#define MT_CLI_PLOT_H

#include "motley/error.h"
#include "panel.h"

#include <stdbool.h>
#include <stdio.h>

/* What is done with a plot once it is made, `to` something that the caller knows: it is
   drawn, or put on a page. */
typedef int mt_plot_use(const struct mt_plot *plot, void *to, struct mt_error *err);

/* Whether mt_plot_draw() knows the target, and stdout is free for it when `json` is
   printed there; so that a wrong one is refused before the work is done. MT_EINVAL says
   what it knows. */
MT_MUST_CHECK int mt_plot_check(const char *target, bool json, struct mt_error *err);

/*
 * Draw `plot` into `target`: a file that ends in ".svg" or ".png", or "term", which is
 * stdout, in letters. A file needs gnuplot: MT_ENOTFOUND, with the package to install,
 * when there is none; MT_EIO, with gnuplot's words, when it fails.
 */
MT_MUST_CHECK int mt_plot_draw(const struct mt_plot *plot, const char *target,
                               struct mt_error *err);

/* In letters, as wide as the terminal; in plot_text.c. A line is drawn in a letter of
   its own, and the points of its colour in the capital one; bands, hints and marks are
   for pictures. Every panel must have something to show. */
void mt_plot_print(const struct mt_plot *plot, FILE *stream);

#endif
