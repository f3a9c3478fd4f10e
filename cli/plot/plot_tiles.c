/* SPDX-License-Identifier: BSD-3-Clause */
/* A rectangle in tiles as a script for gnuplot. */
#include "plot_tiles.h"

#include "plot_script.h"

#include <math.h>
#include <stdio.h>

/* The picture, its square and the sizes of letters, in points. */
enum { HEIGHT = 620, WIDTH = 900, SQUARE = 500, LEAST_LETTERS = 7, MOST_LETTERS = 20 };
enum { LINES = 30 }; /* in the terminal */

/* Palette of Okabe and Ito (2008), sorted for people without red cones. */
static const unsigned colors[] = {0x0072b2, 0xf0e442, 0x009e73, 0xd55e00,
                                  0xe69f00, 0x56b4e9, 0x999999, 0xcc79a7};
enum { COLORS = sizeof colors / sizeof *colors, SHADES = 3 };

unsigned mt_tile_fill(int group, int shade)
{
    const double white = 0.08 * (shade % SHADES);
    const unsigned color = colors[group % COLORS];
    unsigned mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double part = (color >> shift) & 0xff;
        mixed |= (unsigned)lround(part + white * (255 - part)) << shift;
    }
    return mixed;
}

/* The luminance of the colour, from 0 to 1 (WCAG 2, relative luminance). */
static double luminance_of(unsigned color)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double part = ((color >> (8 * i)) & 0xff) / 255.;
        sum += weights[i] *
               (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

unsigned mt_tile_ink(unsigned fill)
{
    const double even = sqrt(0.05 * 1.05) - 0.05; /* equal contrast for both, 4.58:1 */
    return luminance_of(fill) > even ? 0x000000 : 0xffffff;
}

/* The font size that suits the tile; 0: no room. */
static int letters_of(const struct mt_plot_tile *tile)
{
    const double side = fmin(tile->bottom - tile->top, tile->right - tile->left);
    const int size = (int)fmin(MOST_LETTERS, 0.4 * SQUARE * side);
    return size >= LEAST_LETTERS ? size : 0;
}

/* The tile's name, and, if there is room, its share of the rectangle. */
static void write_tile(FILE *script, const struct mt_plot_tile *tile)
{
    const double height = tile->bottom - tile->top, width = tile->right - tile->left;
    const double x = tile->left + width / 2, y = tile->top + height / 2;
    const unsigned fill = mt_tile_fill(tile->group, tile->shade);
    const unsigned ink = mt_tile_ink(fill);
    const int size = letters_of(tile);
    const bool room = size == MOST_LETTERS && fmin(height, width) > 0.13;
    fprintf(script,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g fillstyle solid border "
            "linecolor rgb '#333333' fillcolor rgb '#%06x' linewidth %g\n",
            tile->left, tile->top, tile->right, tile->bottom, fill,
            tile->minor ? 0.5 : 1.5);
    if (size == 0)
        return;
    fputs("set label ", script);
    mt_plot_write_quoted(script, tile->name);
    fprintf(script, " at %.9g,%.9g center front font ',%d' textcolor rgb '#%06x'\n", x,
            room ? y - 0.015 : y, size, ink);
    if (room)
        fprintf(script,
                "set label '%.1f %%' at %.9g,%.9g center front font ',10' "
                "textcolor rgb '#%06x'\n",
                100 * height * width, x, y + 0.03, ink);
}

/* In the terminal: the tile's frame, and if there is room its name and its group's. */
static void write_letters(FILE *script, const struct mt_tiles *tiles,
                          const struct mt_plot_tile *tile)
{
    static const double line = 0.05; /* its share of the height */
    const double x = (tile->left + tile->right) / 2, y = (tile->top + tile->bottom) / 2;
    fprintf(script,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g fillstyle empty\n",
            tile->left, tile->top, tile->right, tile->bottom);
    if (tile->bottom - tile->top < 2 * line)
        return;
    fputs("set label ", script);
    mt_plot_write_quoted(script, tile->name);
    fprintf(script, " at %.9g,%.9g center front\n", x, y);
    if (tile->bottom - tile->top < 4 * line)
        return;
    fputs("set label ", script);
    mt_plot_write_quoted(script, tiles->groups[tile->group].name);
    fprintf(script, " at %.9g,%.9g center front\n", x, y + line);
}

static void write_frame(const struct mt_plot_script *picture,
                        const struct mt_tiles *tiles)
{
    FILE *script = picture->file;
    mt_plot_write_setting(script, "xlabel", tiles->x_label);
    mt_plot_write_setting(script, "ylabel", tiles->y_label);
    fprintf(script,
            "set size ratio %.6g\nset xrange [0:1]\nset yrange [1:0]\n"
            "set xtics ('0' 0, '%d' 1) out nomirror\n"
            "set ytics ('0' 0, '%d' 1) out nomirror\n"
            "unset border\nset key %s\n",
            fmin(fmax((double)tiles->rows / tiles->columns, 0.25), 4), tiles->columns,
            tiles->rows,
            picture->kind == MT_PLOT_TERM
                ? "below vertical maxcols 1"
                : "outside right top Left reverse spacing 1.6");
}

/* gnuplot draws legends for curves only, so add points outside the picture. */
static void write_legend(const struct mt_plot_script *picture,
                         const struct mt_tiles *tiles)
{
    FILE *script = picture->file;
    const char *separator = "plot";
    for (int g = 0; g < tiles->ngroups; g++) {
        if (!tiles->groups[g].legend[0])
            continue;
        if (picture->kind == MT_PLOT_TERM)
            fprintf(script, "%s NaN with dots title ", separator);
        else
            fprintf(script,
                    "%s NaN with points pointtype 5 pointsize 2 linecolor rgb '#%06x' "
                    "title ",
                    separator, mt_tile_fill(g, 0));
        mt_plot_write_quoted(script, tiles->groups[g].legend);
        separator = ",";
    }
    fputc('\n', script);
}

int mt_tiles_draw(const struct mt_tiles *tiles, const char *target,
                  struct mt_error *err)
{
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(
            &script,
            &(struct mt_plot_size){.width = WIDTH, .height = HEIGHT, .lines = LINES});
        mt_plot_script_title(&script, tiles->title);
        write_frame(&script, tiles);
        for (int i = 0; i < tiles->count; i++)
            if (script.kind == MT_PLOT_TERM)
                write_letters(script.file, tiles, &tiles->tiles[i]);
            else
                write_tile(script.file, &tiles->tiles[i]);
        write_legend(&script, tiles);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
