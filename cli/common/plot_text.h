/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_text.h - a plot in letters, as wide as the terminal. A line is drawn in a letter
 * of its own, and the points of its colour in the capital one; bands, hints and marks
 * are for pictures.
 */
#ifndef MT_CLI_PLOT_TEXT_H
#define MT_CLI_PLOT_TEXT_H

#include "panel.h"

#include <stdio.h>

/* Every panel must have something to show. */
void mt_plot_print(const struct mt_plot *plot, FILE *stream);

#endif
