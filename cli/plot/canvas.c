/* SPDX-License-Identifier: BSD-3-Clause */
#include "canvas.h"

#include <stdbool.h>
#include <string.h>

static bool is_inside(const struct mt_canvas *canvas, int column, int row)
{
    return column >= 0 && column < canvas->columns && row >= 0 && row < canvas->rows;
}

void mt_canvas_put(struct mt_canvas *canvas, int column, int row, char letter)
{
    if (is_inside(canvas, column, row))
        canvas->letters[row][column] = letter;
}

void mt_canvas_text(struct mt_canvas *canvas, int column, int row, const char *text)
{
    for (; *text; text++)
        mt_canvas_put(canvas, column++, row, *text);
}

void mt_canvas_text_before(struct mt_canvas *canvas, int column, int row,
                           const char *text)
{
    mt_canvas_text(canvas, column - (int)strlen(text), row, text);
}

/* Lines that cross become corners. */
static void put_line(struct mt_canvas *canvas, int column, int row, char line)
{
    if (!is_inside(canvas, column, row))
        return;
    char *letter = &canvas->letters[row][column];
    *letter = *letter == 0 || *letter == line ? line : '+';
}

void mt_canvas_frame(struct mt_canvas *canvas, const struct mt_canvas_frame *frame)
{
    for (int column = frame->left + 1; column < frame->right; column++) {
        put_line(canvas, column, frame->top, '-');
        put_line(canvas, column, frame->bottom, '-');
    }
    for (int row = frame->top + 1; row < frame->bottom; row++) {
        put_line(canvas, frame->left, row, '|');
        put_line(canvas, frame->right, row, '|');
    }
    mt_canvas_put(canvas, frame->left, frame->top, '+');
    mt_canvas_put(canvas, frame->right, frame->top, '+');
    mt_canvas_put(canvas, frame->left, frame->bottom, '+');
    mt_canvas_put(canvas, frame->right, frame->bottom, '+');
}

void mt_canvas_text_inside(struct mt_canvas *canvas,
                           const struct mt_canvas_frame *frame, int row,
                           const char *text)
{
    const int room = frame->right - frame->left - 1, length = (int)strlen(text);
    if (length <= room && row > frame->top && row < frame->bottom)
        mt_canvas_text(canvas, frame->left + 1 + (room - length) / 2, row, text);
}

void mt_canvas_x_axis(struct mt_canvas *canvas, int column, int row,
                      const struct mt_canvas_axis *axis)
{
    int free = column; /* from here on there are no numbers yet */
    for (int i = 0; i < axis->cells; i++)
        mt_canvas_put(canvas, column + i, row, '-');
    for (int i = 0; i < axis->count; i++) {
        const int at = column + axis->ticks[i].at;
        const int end = at + (int)strlen(axis->ticks[i].text);
        if (at < free || end > canvas->columns)
            continue;
        mt_canvas_put(canvas, at, row, '+');
        mt_canvas_text(canvas, at, row + 1, axis->ticks[i].text);
        free = end + 1;
    }
}

void mt_canvas_y_axis(struct mt_canvas *canvas, int column, int row,
                      const struct mt_canvas_axis *axis)
{
    for (int i = 0; i < axis->cells; i++)
        mt_canvas_put(canvas, column, row - i, '|');
    for (int i = 0; i < axis->count; i++) {
        const int at = row - axis->ticks[i].at;
        if (i > 0 && axis->ticks[i].at == axis->ticks[i - 1].at)
            continue;
        mt_canvas_put(canvas, column, at, '+');
        mt_canvas_text_before(canvas, column - 1, at, axis->ticks[i].text);
    }
}

void mt_canvas_print(const struct mt_canvas *canvas, FILE *stream)
{
    for (int row = 0; row < canvas->rows; row++) {
        int length = canvas->columns;
        while (length > 0 && (canvas->letters[row][length - 1] == 0 ||
                              canvas->letters[row][length - 1] == ' '))
            length--;
        for (int column = 0; column < length; column++)
            fputc(canvas->letters[row][column] ? canvas->letters[row][column] : ' ',
                  stream);
        fputc('\n', stream);
    }
}
