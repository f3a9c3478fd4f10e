/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * canvas.h - a picture in letters: a grid of characters, frames and axes on it.
 *
 * Columns count from the left, rows from the top, both from 0. What lies outside is not
 * drawn. Text is ASCII.
 */
#ifndef MT_CLI_CANVAS_H
#define MT_CLI_CANVAS_H

#include <stdio.h>

enum { MT_CANVAS_COLUMNS = 160, MT_CANVAS_ROWS = 60 };

/* Set the size, not more than the above; the rest, zeroed, is blank. */
struct mt_canvas {
    int columns, rows;
    char letters[MT_CANVAS_ROWS][MT_CANVAS_COLUMNS];
};

void mt_canvas_put(struct mt_canvas *canvas, int column, int row, char letter);
void mt_canvas_text(struct mt_canvas *canvas, int column, int row, const char *text);
/* Text that ends before `column`. */
void mt_canvas_text_before(struct mt_canvas *canvas, int column, int row,
                           const char *text);

/* The lines of a frame. */
struct mt_canvas_frame {
    int left, top, right, bottom;
};
/* Draw the frame; where its lines meet those of others there are corners. */
void mt_canvas_frame(struct mt_canvas *canvas, const struct mt_canvas_frame *frame);
/* Text in the middle of a row of the frame; nothing where it has no room. */
void mt_canvas_text_inside(struct mt_canvas *canvas,
                           const struct mt_canvas_frame *frame, int row,
                           const char *text);

/* A tick, so many cells from the begin of its axis. */
struct mt_canvas_tick {
    int at;
    char text[16];
};
enum { MT_CANVAS_TICKS = 16 };
/* An axis of so many cells; its ticks ascend. */
struct mt_canvas_axis {
    int cells;
    struct mt_canvas_tick ticks[MT_CANVAS_TICKS];
    int count;
};
/* Draw an axis to the right in `row`, from `column`, and its numbers in the row below:
   each begins under its tick, and where there is no room for one, its tick is left out,
   too. */
void mt_canvas_x_axis(struct mt_canvas *canvas, int column, int row,
                      const struct mt_canvas_axis *axis);
/* Draw an axis upwards in `column`, from `row`, and its numbers to the left of it. */
void mt_canvas_y_axis(struct mt_canvas *canvas, int column, int row,
                      const struct mt_canvas_axis *axis);

/* Print the rows, without the blanks at their ends. */
void mt_canvas_print(const struct mt_canvas *canvas, FILE *stream);

#endif
