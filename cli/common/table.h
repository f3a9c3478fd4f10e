/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - a text table: a header line, rows, columns as wide as their widest cell.
 */
#ifndef MT_CLI_TABLE_H
#define MT_CLI_TABLE_H

#include "format.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { MT_MAX_COLUMNS = 16 };

/* Zeroed is empty. */
struct mt_table {
    int columns;
    char *cells; /* owned; all cells, each ended by a 0 byte, row by row */
    size_t used, allocated;
    int rows;    /* with the header */
    bool failed; /* memory was short: mt_table_print() says so */
};

/*
 * Add a row of cells, which are copied; the first row is the header and fixes the
 * number of columns. A header that begins with '>' makes its column flush right (and
 * the '>' is not printed). The list of cells ends with NULL.
 */
void mt_table_add(struct mt_table *table, ...) __attribute__((sentinel));
/* The same for an array of `columns` cells. */
void mt_table_add_row(struct mt_table *table, const char *const *cells);
/* Print and empty the table. */
MT_MUST_CHECK int mt_table_print(struct mt_table *table, FILE *stream,
                                 struct mt_error *err);

#endif
