/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - the lines of a file, which is not trusted to have line ends.
 */
#ifndef MT_LINE_H
#define MT_LINE_H

#include "motley/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MT_LONGEST_LINE = 1 << 20 }; /* bytes */

/* Before the first line if zeroed. */
struct mt_line {
    char *text; /* owned; with its line end, if it has one, and 0 behind it */
    size_t length, room;
    bool ended; /* there was no further line */
};

/* Read the next line. MT_EPARSE: it is longer than MT_LONGEST_LINE; MT_EIO: it cannot
   be read. */
MT_MUST_CHECK int mt_line_read(struct mt_line *line, FILE *stream,
                               struct mt_error *err);
void mt_line_clear(struct mt_line *line);

#endif
