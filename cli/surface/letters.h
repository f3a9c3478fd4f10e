/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_letters.h - a surface as a map of digits, for the terminal.
 */
#ifndef MT_CLI_SURFACE_LETTERS_H
#define MT_CLI_SURFACE_LETTERS_H

#include "map.h"
#include "marks.h"
#include "picture.h"

/* Of a map that fits into a terminal of 80 columns. */
enum { MT_LETTER_COLUMNS = 65, MT_LETTER_ROWS = 22 };

/* Print the map, of MT_LETTER_COLUMNS columns and MT_LETTER_ROWS rows, to stdout, with
   its marks over it: a digit is the efficiency in steps, as the legend says. `what`
   begins the title. */
void mt_print_letters(const struct mt_drawing *drawing, const char *what,
                      const struct mt_surface_map *map,
                      const struct mt_surface_marks *marks);

#endif
