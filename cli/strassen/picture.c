/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "cli/common/canvas.h"
#include "cli/common/format.h"
#include "cli/common/plot_script.h"
#include "lib/partition/rows.h"
#include "programs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Of the square, in points; and the least letters that can be read. */
enum { HEIGHT = 620, WIDTH = 900, SQUARE = 500, LEAST_LETTERS = 7, MOST_LETTERS = 20 };
enum { LONGEST_TEXT = 256 };

/* By Okabe and Ito (2008), those first that people without red cones tell apart best.
 */
static const unsigned colors[] = {0x0072b2, 0xf0e442, 0x009e73, 0xd55e00,
                                  0xe69f00, 0x56b4e9, 0x999999, 0xcc79a7};
enum { COLORS = sizeof colors / sizeof *colors, SHADES = 3 };

unsigned mt_strassen_fill(int group, int place)
{
    const double white = 0.08 * (place % SHADES);
    const unsigned color = colors[group % COLORS];
    unsigned mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double part = (color >> shift) & 0xff;
        mixed |= (unsigned)lround(part + white * (255 - part)) << shift;
    }
    return mixed;
}

/* How much light the colour gives, from 0 to 1 (WCAG 2, relative luminance). */
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

unsigned mt_strassen_ink(unsigned fill)
{
    const double even = sqrt(0.05 * 1.05) - 0.05; /* where both are as good, 4.58:1 */
    return luminance_of(fill) > even ? 0x000000 : 0xffffff;
}

static bool is_used(const struct mt_strassen_question *question, int group)
{
    return question->configuration.use[group].nodes > 0;
}

/* "ohtaki-3, n = 12000, cut: auto, predicted: 140.2 s (simulated)". */
static const char *write_title(char title[LONGEST_TEXT],
                               const struct mt_strassen_choice *choice,
                               const struct mt_strassen_question *question)
{
    char seconds[32], size[MT_STRASSEN_SIZE_TEXT];
    snprintf(title, LONGEST_TEXT, "%s, n = %s, cut: %s, predicted: %s%s",
             question->cluster.name, mt_strassen_size_text(size, &question->product),
             mt_partition_kind_name(choice->partition.kind),
             mt_format_seconds(seconds, choice->forecast.seconds),
             mt_cluster_simulated(&question->cluster) ? " (simulated)" : "");
    return title;
}

/* "xeon-2.4: 4 ranks, 44.5 %": a group's part of C. */
static const char *describe_group(char text[LONGEST_TEXT], int group,
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
    snprintf(text, LONGEST_TEXT, "%s: %d rank%s, %.1f %%",
             question->cluster.groups[group].name, ranks, ranks == 1 ? "" : "s",
             100 * share);
    return text;
}

/* Which of its group's ranks it is. */
static int place_of(const struct mt_strassen_question *question, int rank)
{
    int before = 0;
    while (before < rank &&
           question->groups[rank - before - 1] == question->groups[rank])
        before++;
    return before;
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
                       unsigned fill)
{
    const double height = tile->bottom - tile->top, width = tile->right - tile->left;
    const double x = tile->left + width / 2, y = tile->top + height / 2;
    const unsigned ink = mt_strassen_ink(fill);
    const int size = letters_of(tile);
    const bool room = size == MOST_LETTERS && fmin(height, width) > 0.13;
    fprintf(script,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g fillstyle solid border "
            "linecolor rgb '#333333' fillcolor rgb '#%06x' linewidth %g\n",
            tile->left, tile->top, tile->right, tile->bottom, fill,
            tile->turn == 0 ? 1.5 : 0.5);
    if (size > 0)
        fprintf(script,
                "set label '%s%d%s' at %.9g,%.9g center front font ',%d' "
                "textcolor rgb '#%06x'\n",
                tile->turn == 0 ? "" : "(", tile->rank, tile->turn == 0 ? "" : ")", x,
                room ? y - 0.015 : y, size, ink);
    if (room)
        fprintf(script,
                "set label '%.1f %%' at %.9g,%.9g center front font ',10' "
                "textcolor rgb '#%06x'\n",
                100 * height * width, x, y + 0.03, ink);
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
        char text[LONGEST_TEXT];
        if (!is_used(question, g))
            continue;
        fprintf(script,
                "%s NaN with points pointtype 5 pointsize 2 linecolor rgb '#%06x' "
                "title ",
                begun ? "," : "plot", mt_strassen_fill(g, 0));
        mt_plot_write_quoted(script, describe_group(text, g, choice, question));
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
        write_tile(script, tile,
                   mt_strassen_fill(question->groups[tile->rank],
                                    place_of(question, tile->rank)));
    }
    write_legend(script, choice, question);
}

/* Letters are about twice as high as wide. */
enum { COLUMNS = 65, ROWS = 25 };

static struct mt_canvas_frame frame_of(const struct mt_partition_tile *tile)
{
    return (struct mt_canvas_frame){.left = (int)lround(tile->left * (COLUMNS - 1)),
                                    .top = (int)lround(tile->top * (ROWS - 1)),
                                    .right = (int)lround(tile->right * (COLUMNS - 1)),
                                    .bottom = (int)lround(tile->bottom * (ROWS - 1))};
}

static void put_tile(struct mt_canvas *canvas, const struct mt_partition_tile *tile,
                     const char *group)
{
    const struct mt_canvas_frame frame = frame_of(tile);
    const int middle = (frame.top + frame.bottom) / 2;
    char number[16];
    snprintf(number, sizeof number, tile->turn == 0 ? "%d" : "(%d)", tile->rank);
    mt_canvas_text_inside(canvas, &frame, middle, number);
    mt_canvas_text_inside(canvas, &frame, middle + 1, group);
}

static void print_letters(const struct mt_strassen_choice *choice,
                          const struct mt_strassen_question *question)
{
    const struct mt_partition *partition = &choice->partition;
    struct mt_canvas canvas = {.columns = COLUMNS, .rows = ROWS};
    char text[LONGEST_TEXT];
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_canvas_frame frame = frame_of(&partition->tiles[i]);
        mt_canvas_frame(&canvas, &frame);
    }
    for (int i = 0; i < partition->ntiles; i++)
        put_tile(
            &canvas, &partition->tiles[i],
            question->cluster.groups[question->groups[partition->tiles[i].rank]].name);
    printf("\n%s\n\n", write_title(text, choice, question));
    mt_canvas_print(&canvas, stdout);
    putchar('\n');
    for (int g = 0; g < question->cluster.ngroups; g++)
        if (is_used(question, g))
            puts(describe_group(text, g, choice, question));
}

int mt_strassen_draw(const struct mt_strassen_choice *choice,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    struct mt_plot_script script = {.file = NULL};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK && script.kind == MT_PLOT_TERM) {
        print_letters(choice, question);
    } else if (status == MT_OK) {
        char title[LONGEST_TEXT];
        mt_plot_script_terminal(&script, WIDTH, HEIGHT);
        mt_plot_script_title(&script, write_title(title, choice, question));
        write_script(script.file, choice, question);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}
