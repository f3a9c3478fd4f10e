/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lines of bounded length. */
#include "line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int append(struct mt_line *line, int c, struct mt_error *err)
{
    if (line->length == MT_LONGEST_LINE)
        return mt_fail(err, MT_EPARSE, "a line is longer than 1 MiB");
    if (line->length + 1 >= line->room) { /* 0 is behind it */
        const size_t room = line->room > 0 ? 2 * line->room : 256;
        char *grown = realloc(line->text, room);
        if (!grown)
            return mt_fail(err, MT_ENOMEM, "no memory to read a line");
        line->text = grown;
        line->room = room;
    }
    line->text[line->length++] = (char)c;
    line->text[line->length] = 0;
    return MT_OK;
}

int mt_line_read(struct mt_line *line, FILE *stream, struct mt_error *err)
{
    int c = 0, status = MT_OK;
    line->length = 0;
    while (status == MT_OK && c != '\n' && (c = getc_unlocked(stream)) != EOF)
        status = append(line, c, err);
    if (status == MT_OK && ferror(stream))
        status = mt_fail(err, MT_EIO, "cannot read: %s", strerror(errno));
    line->ended = line->length == 0;
    return status;
}

void mt_line_clear(struct mt_line *line)
{
    free(line->text);
    *line = (struct mt_line){0};
}
