/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Letters are about twice as high as wide. */
enum { COLUMNS = 65, ROWS = 25 };

struct canvas {
    char letters[ROWS][COLUMNS + 1];
};

/* Where a tile's frame is. */
struct frame {
    int top, left, bottom, right;
};

static struct frame frame_of(const struct mt_partition_tile *tile)
{
    return (struct frame){.top = (int)lround(tile->top * (ROWS - 1)),
                          .left = (int)lround(tile->left * (COLUMNS - 1)),
                          .bottom = (int)lround(tile->bottom * (ROWS - 1)),
                          .right = (int)lround(tile->right * (COLUMNS - 1))};
}

/* Lines that cross become corners. */
static void put_line(char *letter, char line)
{
    *letter = *letter == ' ' || *letter == line ? line : '+';
}

static void draw_frame(struct canvas *canvas, const struct frame *frame)
{
    for (int column = frame->left + 1; column < frame->right; column++) {
        put_line(&canvas->letters[frame->top][column], '-');
        put_line(&canvas->letters[frame->bottom][column], '-');
    }
    for (int row = frame->top + 1; row < frame->bottom; row++) {
        put_line(&canvas->letters[row][frame->left], '|');
        put_line(&canvas->letters[row][frame->right], '|');
    }
    canvas->letters[frame->top][frame->left] = '+';
    canvas->letters[frame->top][frame->right] = '+';
    canvas->letters[frame->bottom][frame->left] = '+';
    canvas->letters[frame->bottom][frame->right] = '+';
}

/* In the middle, where it has room. */
static void put_text(struct canvas *canvas, const struct frame *frame, int row,
                     const char *text)
{
    const int room = frame->right - frame->left - 1, length = (int)strlen(text);
    if (length <= room && row > frame->top && row < frame->bottom)
        memcpy(&canvas->letters[row][frame->left + 1 + (room - length) / 2], text,
               (size_t)length);
}

static void put_tile(struct canvas *canvas, const struct mt_partition_tile *tile,
                     const char *group)
{
    const struct frame frame = frame_of(tile);
    const int middle = (frame.top + frame.bottom) / 2;
    char number[16];
    snprintf(number, sizeof number, tile->turn == 0 ? "%d" : "(%d)", tile->rank);
    put_text(canvas, &frame, middle, number);
    put_text(canvas, &frame, middle + 1, group);
}

void mt_strassen_draw_letters(const struct mt_strassen_choice *choice,
                              const struct mt_strassen_question *question)
{
    const struct mt_partition *partition = &choice->partition;
    struct canvas canvas;
    char text[MT_STRASSEN_TITLE];
    memset(&canvas, ' ', sizeof canvas);
    for (int i = 0; i < partition->ntiles; i++) {
        const struct frame frame = frame_of(&partition->tiles[i]);
        draw_frame(&canvas, &frame);
    }
    for (int i = 0; i < partition->ntiles; i++)
        put_tile(
            &canvas, &partition->tiles[i],
            question->cluster.groups[question->groups[partition->tiles[i].rank]].name);
    printf("\n%s\n\n", mt_strassen_title(text, choice, question));
    for (int row = 0; row < ROWS; row++)
        printf("%.*s\n", COLUMNS, canvas.letters[row]);
    putchar('\n');
    for (int g = 0; g < question->cluster.ngroups; g++)
        if (mt_strassen_uses(question, g))
            puts(mt_strassen_legend(text, g, choice, question));
}
