/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add_cell(struct mt_table *table, const char *cell)
{
    size_t length = strlen(cell) + 1;
    if (table->used + length > table->allocated) {
        size_t allocated = 2 * (table->used + length);
        char *cells = realloc(table->cells, allocated);
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->allocated = allocated;
    }
    memcpy(table->cells + table->used, cell, length);
    table->used += length;
}

void mt_table_add_row(struct mt_table *table, const char *const *cells)
{
    for (int i = 0; i < table->columns; i++)
        add_cell(table, cells[i]);
    table->rows++;
}

void mt_table_add(struct mt_table *table, ...)
{
    const char *cells[MT_MAX_COLUMNS], *cell;
    int count = 0;
    va_list list;
    va_start(list, table);
    while ((cell = va_arg(list, const char *)) && count < MT_MAX_COLUMNS)
        cells[count++] = cell;
    va_end(list);

    if (table->rows == 0)
        table->columns = count;
    while (count < table->columns)
        cells[count++] = "";
    mt_table_add_row(table, cells);
}

/* Characters on the screen: bytes of UTF-8 that continue a character do not count. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

struct column {
    int width;
    bool right;
};

static void measure_columns(const struct mt_table *table, struct column *columns)
{
    const char *cell = table->cells;
    for (int row = 0; row < table->rows; row++)
        for (int i = 0; i < table->columns; i++) {
            if (row == 0 && *cell == '>')
                columns[i].right = true;
            int width = width_of(cell) - (row == 0 && columns[i].right);
            if (width > columns[i].width)
                columns[i].width = width;
            cell += strlen(cell) + 1;
        }
}

static void print_cell(FILE *stream, const char *cell, struct column column, bool last)
{
    int padding = column.width - width_of(cell);
    if (column.right)
        fprintf(stream, "%*s%s", padding, "", cell);
    else
        fprintf(stream, "%s%*s", cell, last ? 0 : padding, "");
    fputs(last ? "\n" : "  ", stream);
}

int mt_table_print(struct mt_table *table, FILE *stream, struct mt_error *err)
{
    int status = MT_OK;
    if (table->failed) {
        status =
            mt_fail(err, MT_ENOMEM, "no memory for a table of %d rows", table->rows);
    } else {
        struct column columns[MT_MAX_COLUMNS] = {0};
        measure_columns(table, columns);
        const char *cell = table->cells;
        for (int row = 0; row < table->rows; row++)
            for (int i = 0; i < table->columns; i++) {
                bool mark = row == 0 && columns[i].right;
                print_cell(stream, cell + mark, columns[i], i == table->columns - 1);
                cell += strlen(cell) + 1;
            }
    }
    free(table->cells);
    *table = (struct mt_table){0};
    return status;
}
