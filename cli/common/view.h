/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - a result that is described once and printed as a table, as JSON or as CSV.
 *
 * Name the columns, then set the values row by row:
 *
 *     enum { NODE, SPEED, COLUMNS };
 *     static const struct mt_column columns[COLUMNS] = {
 *         [NODE] = {"node", "node", MT_COLUMN_TEXT},
 *         [SPEED] = {"flops", "computes", MT_COLUMN_FLOPS},
 *     };
 *     struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
 *     for (...) {
 *         mt_view_row(&view);
 *         mt_view_text(&view, NODE, node->name);
 *         mt_view_number(&view, SPEED, node->flops);
 *     }
 *     status = mt_view_print(&view, stdout, err);
 *
 * A view is printed once: what prints it, or turns it into JSON, also clears it.
 *
 * A value that is not set is an empty cell, and is left out of JSON. One that is not
 * known (NaN, infinite, NULL) is "-" in the table, null in JSON and empty in CSV.
 *
 * CSV may have very many rows, which are written as they come and not kept: fill the
 * view between mt_view_begin_csv() and mt_view_end_csv().
 */
#ifndef MT_CLI_VIEW_H
#define MT_CLI_VIEW_H

#include "motley/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The kind of a column, which decides its form in the table (format.h); numbers are
   flush right. */
enum mt_column_unit {
    MT_COLUMN_TEXT,
    MT_COLUMN_FLAG,      /* "yes" or "no" */
    MT_COLUMN_COUNT,     /* counted or given: all digits */
    MT_COLUMN_NUMBER,    /* measured or computed: four digits */
    MT_COLUMN_SECONDS,   /* "1.210 ms" */
    MT_COLUMN_BYTES,     /* "64 KiB" */
    MT_COLUMN_BANDWIDTH, /* bytes a second, "117 MB/s" */
    MT_COLUMN_FLOPS,     /* operations a second, "1.90 Gf" */
    MT_COLUMN_PERCENT,   /* a share of one, "12.3 %" */
    MT_COLUMN_CHANGE     /* the same with its sign, "+12.3 %" */
};

struct mt_column {
    const char *key;   /* in JSON and CSV; NULL: it is in the table only */
    const char *title; /* in the table; NULL: it is in JSON and CSV only */
    enum mt_column_unit unit;
};

/* Zeroed except for its columns (at most 64) it has no rows. */
struct mt_view {
    const struct mt_column *columns; /* borrowed */
    int ncolumns;
    int rows;
    struct mt_cell *cells; /* owned; row by row */
    int allocated;         /* rows */
    uint64_t hidden;       /* a bit a column */
    FILE *csv;             /* borrowed; rows go there, and only the last one is kept */
};

/* Begin a row, which the functions below fill. */
void mt_view_row(struct mt_view *view);
void mt_view_text(struct mt_view *view, int column, const char *text); /* copied */
void mt_view_number(struct mt_view *view, int column, double number);
void mt_view_flag(struct mt_view *view, int column, bool flag);
/* Set a text, which this frees, or a value of any kind, which the view takes over. */
void mt_view_own_text(struct mt_view *view, int column, char *text);
void mt_view_json(struct mt_view *view, int column, json_t *value);
/* Set the text that the table shows in place of the value, which JSON and CSV keep. */
MT_PRINTF(3, 4)
void mt_view_show(struct mt_view *view, int column, const char *format, ...);

/* Leave an empty column out of the table and of CSV. */
void mt_view_hide(struct mt_view *view, int column);

/* Print the table: titles, then rows, two spaces between columns. Control
   characters are shown as '?', so that no name can drive the terminal. */
void mt_view_print(struct mt_view *view, FILE *stream);
/* A new array with an object for each row. */
json_t *mt_view_to_json(struct mt_view *view);
/* The first row as a new object, or null without rows. */
json_t *mt_view_row_to_json(struct mt_view *view);
/* Print a line of the keys of visible columns, and from now on a line for each row, by
   RFC 4180, but ended by '\n'. The view has no rows yet. Texts that a spreadsheet would
   take for formulas get a ' in front. */
void mt_view_begin_csv(struct mt_view *view, FILE *stream);
/* Print the last row. */
void mt_view_end_csv(struct mt_view *view);
/* The text of a cell without a guarding '. */
const char *mt_csv_unguard(const char *cell);
/* Remove the rows of a view that is not printed; it can be filled again. */
void mt_view_clear(struct mt_view *view);

#endif
