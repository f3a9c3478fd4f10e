/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "cli/common/format.h"
#include "cli/common/plot_script.h"
#include "lib/partition/rows.h"
#include "programs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Of the square, in points; and the least letters that can be read. */
enum { HEIGHT = 620, WIDTH = 900, SQUARE = 500, LEAST_LETTERS = 7, MOST_LETTERS = 20 };

/* All dark enough for white letters. */
static const unsigned colors[] = {0x4477aa, 0xc8643c, 0x2e8b57, 0x8e4585,
                                  0x9a8220, 0x2a93a5, 0x777777, 0x8b3a3a};

/* The group's colour, mixed with white. */
static unsigned shade(int group, double white)
{
    const unsigned color = colors[(size_t)group % (sizeof colors / sizeof *colors)];
    unsigned mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double part = (color >> shift) & 0xff;
        mixed |= (unsigned)lround(part + white * (255 - part)) << shift;
    }
    return mixed;
}

bool mt_strassen_uses(const struct mt_strassen_question *question, int group)
{
    return question->configuration.use[group].nodes > 0;
}

const char *mt_strassen_title(char title[MT_STRASSEN_TITLE],
                              const struct mt_strassen_choice *choice,
                              const struct mt_strassen_question *question)
{
    char seconds[32], size[MT_STRASSEN_SIZE_TEXT];
    snprintf(title, MT_STRASSEN_TITLE, "%s, n = %s, cut: %s, predicted: %s%s",
             question->cluster.name, mt_strassen_size_text(size, &question->product),
             mt_partition_kind_name(choice->partition.kind),
             mt_format_seconds(seconds, choice->forecast.seconds),
             mt_cluster_simulated(&question->cluster) ? " (simulated)" : "");
    return title;
}

const char *mt_strassen_legend(char text[MT_STRASSEN_TITLE], int group,
                               const struct mt_strassen_choice *choice,
                               const struct mt_strassen_question *question)
{
    double share = 0;
    int ranks = 0;
    for (int r = 0; r < choice->partition.ranks; r++)
        if (question->groups[r] == group) {
            share += mt_strassen_share(&choice->partition, r);
            ranks++;
        }
    snprintf(text, MT_STRASSEN_TITLE, "%s: %d rank%s, %.1f %%",
             question->cluster.groups[group].name, ranks, ranks == 1 ? "" : "s",
             100 * share);
    return text;
}

/* The ranks of a group differ a little, so that the blocks of each belong together. */
static double whiteness(const struct mt_strassen_question *question, int rank)
{
    int before = 0;
    while (before < rank &&
           question->groups[rank - before - 1] == question->groups[rank])
        before++;
    return 0.11 * (before % 4);
}

/* Large enough for the tile, but not larger than needed; 0: it has no room. */
static int letters_of(const struct mt_partition_tile *tile)
{
    const double side = fmin(tile->bottom - tile->top, tile->right - tile->left);
    const int size = (int)fmin(MOST_LETTERS, 0.4 * SQUARE * side);
    return size >= LEAST_LETTERS ? size : 0;
}

/* The rank, and, where there is room, how much of C the tile is. A left-over that was
   cut again has a thinner frame, and its numbers are in brackets. */
static void write_tile(FILE *script, const struct mt_partition_tile *tile,
                       unsigned color)
{
    const double height = tile->bottom - tile->top, width = tile->right - tile->left;
    const double x = tile->left + width / 2, y = tile->top + height / 2;
    const int size = letters_of(tile);
    const bool room = size == MOST_LETTERS && fmin(height, width) > 0.13;
    fprintf(script,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g fillstyle solid border "
            "linecolor rgb 'white' fillcolor rgb '#%06x' linewidth %g\n",
            tile->left, tile->top, tile->right, tile->bottom, color,
            tile->turn == 0 ? 2.0 : 1.0);
    if (size > 0)
        fprintf(script,
                "set label '%s%d%s' at %.9g,%.9g center front font ',%d' "
                "textcolor rgb 'white'\n",
                tile->turn == 0 ? "" : "(", tile->rank, tile->turn == 0 ? "" : ")", x,
                room ? y - 0.015 : y, size);
    if (room)
        fprintf(script,
                "set label '%.1f %%' at %.9g,%.9g center front font ',10' "
                "textcolor rgb 'white'\n",
                100 * height * width, x, y + 0.03);
}

static void write_frame(FILE *script, const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    const double ratio = (double)product->m / product->n;
    fprintf(script,
            "set size ratio %.6g\nset xrange [0:1]\nset yrange [1:0]\n"
            "set xtics ('0' 0, '%d' 1) out nomirror\n"
            "set ytics ('0' 0, '%d' 1) out nomirror\n"
            "set xlabel 'columns of C and B'\nset ylabel 'rows of C and A'\n"
            "unset border\nset key outside right top Left reverse spacing 1.6\n",
            fmin(fmax(ratio, 0.25), 4), product->n, product->m);
}

/* gnuplot draws a legend of curves only: of points outside of the picture. */
static void write_legend(FILE *script, const struct mt_strassen_choice *choice,
                         const struct mt_strassen_question *question)
{
    bool begun = false;
    for (int g = 0; g < question->cluster.ngroups; g++) {
        char text[MT_STRASSEN_TITLE];
        if (!mt_strassen_uses(question, g))
            continue;
        fprintf(script,
                "%s NaN with points pointtype 5 pointsize 2 linecolor rgb '#%06x' "
                "title ",
                begun ? "," : "plot", shade(g, 0));
        mt_plot_write_quoted(script, mt_strassen_legend(text, g, choice, question));
        begun = true;
    }
    fputc('\n', script);
}

static void write_script(FILE *script, const struct mt_strassen_choice *choice,
                         const struct mt_strassen_question *question)
{
    write_frame(script, question);
    for (int i = 0; i < choice->partition.ntiles; i++) {
        const struct mt_partition_tile *tile = &choice->partition.tiles[i];
        write_tile(
            script, tile,
            shade(question->groups[tile->rank], whiteness(question, tile->rank)));
    }
    write_legend(script, choice, question);
}

int mt_strassen_draw(const struct mt_strassen_choice *choice,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    struct mt_plot_script script = {.file = NULL};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK && script.kind == MT_PLOT_TERM) {
        mt_strassen_draw_letters(choice, question);
    } else if (status == MT_OK) {
        char title[MT_STRASSEN_TITLE];
        mt_plot_script_terminal(&script, WIDTH, HEIGHT);
        mt_plot_script_title(&script, mt_strassen_title(title, choice, question));
        write_script(script.file, choice, question);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
