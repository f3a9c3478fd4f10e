/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_tiles.h - a rectangle that is divided into tiles, each of which belongs to a
 * group: in colours, or in letters in the terminal.
 */
#ifndef MT_CLI_PLOT_TILES_H
#define MT_CLI_PLOT_TILES_H

#include "motley/error.h"

#include <stdbool.h>

/* Its borders are shares of the rectangle's width and, from the top, height. */
struct mt_plot_tile {
    double left, top, right, bottom;
    int group, shade; /* those of a group side by side have different shades */
    bool minor;       /* its frame is thinner */
    char name[16];
};

struct mt_tile_group {
    const char *name;
    char legend[128]; /* "": it has no tiles */
};

/* All borrowed. */
struct mt_tiles {
    const char *title, *x_label, *y_label;
    int columns, rows; /* of the rectangle: numbers at the ends of its axes */
    const struct mt_plot_tile *tiles;
    int count;
    const struct mt_tile_group *groups;
    int ngroups;
};

/* Draw into `target`, as mt_plot_draw(). */
MT_MUST_CHECK int mt_tiles_draw(const struct mt_tiles *tiles, const char *target,
                                struct mt_error *err);

/* The colour of a group's tiles, 0xRRGGBB, a little lighter by its shade. And black or
   white, whichever can be read on it: a contrast of 4.5 at least. page/show.js has the
   same for pages. */
unsigned mt_tile_fill(int group, int shade);
unsigned mt_tile_ink(unsigned fill);

#endif
