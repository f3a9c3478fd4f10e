/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a result, described once, as a table (libsmartcols), JSON or CSV (RFC
   4180). */
#include "view.h"

#include "cli/process/memory.h"
#include "format.h"
#include "json.h"
#include "lib/base/text.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct mt_cell {
    json_t *value; /* owned; NULL: not set */
    char *shown;   /* owned; NULL: the value in its column's unit */
};

static struct mt_cell *cell_at(const struct mt_view *view, int row, int column)
{
    return &view->cells[(size_t)row * (size_t)view->ncolumns + (size_t)column];
}

static bool is_hidden(const struct mt_view *view, int column)
{
    return view->hidden >> column & 1;
}

/* Whether a spreadsheet takes the text for a formula, also after removing a ' in
   front. */
static bool is_formula(const char *text)
{
    text += strspn(text, "'");
    return *text && strchr("=+-@\t\r", *text);
}

const char *mt_csv_unguard(const char *cell)
{
    return cell + (cell[0] == '\'' && is_formula(cell));
}

/* A text, quoted as RFC 4180 requires. A ' is always put before a formula, so that
   reading can remove it. */
static void write_csv_text(const struct mt_view *view, const char *text)
{
    FILE *stream = view->csv;
    const char *guard = is_formula(text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s%s", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static void write_csv_cell(const struct mt_view *view, const json_t *value)
{
    FILE *stream = view->csv;
    char buffer[MT_QUANTITY_TEXT];
    if (json_is_string(value))
        write_csv_text(view, json_string_value(value));
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", stream);
    else if (json_is_number(value))
        fputs(mt_format_number(buffer, json_number_value(value)), stream);
}

/* A line of CSV; `row` -1 is the keys'. */
static void write_csv_row(const struct mt_view *view, int row)
{
    const char *separator = "";
    for (int i = 0; i < view->ncolumns; i++) {
        if (!view->columns[i].key || is_hidden(view, i))
            continue;
        fputs(separator, view->csv);
        separator = ",";
        if (row < 0)
            write_csv_text(view, view->columns[i].key);
        else
            write_csv_cell(view, cell_at(view, row, i)->value);
    }
    fputc('\n', view->csv);
}

static void forget_rows(struct mt_view *view)
{
    for (int i = 0; i < view->rows * view->ncolumns; i++) {
        json_decref(view->cells[i].value);
        free(view->cells[i].shown);
    }
    view->rows = 0;
}

static void write_csv_rows(struct mt_view *view)
{
    for (int row = 0; row < view->rows; row++)
        write_csv_row(view, row);
    forget_rows(view);
}

void mt_view_row(struct mt_view *view)
{
    if (view->csv)
        write_csv_rows(view);
    if (view->rows == view->allocated) {
        view->allocated = 2 * view->rows + 8;
        view->cells = mt_need(
            reallocarray(view->cells, (size_t)view->allocated * (size_t)view->ncolumns,
                         sizeof *view->cells));
    }
    memset(cell_at(view, view->rows, 0), 0,
           (size_t)view->ncolumns * sizeof *view->cells);
    view->rows++;
}

void mt_view_json(struct mt_view *view, int column, json_t *value)
{
    struct mt_cell *cell = cell_at(view, view->rows - 1, column);
    json_decref(cell->value);
    cell->value = mt_need(value);
}

void mt_view_text(struct mt_view *view, int column, const char *text)
{
    mt_view_json(view, column, text ? mt_json_text(text) : json_null());
}

void mt_view_own_text(struct mt_view *view, int column, char *text)
{
    mt_view_json(view, column, mt_json_text(mt_need(text)));
    free(text);
}

void mt_view_number(struct mt_view *view, int column, double number)
{
    mt_view_json(view, column, mt_json_number(number));
}

void mt_view_flag(struct mt_view *view, int column, bool flag)
{
    mt_view_json(view, column, json_boolean(flag));
}

void mt_view_show(struct mt_view *view, int column, const char *format, ...)
{
    char *text;
    size_t length;
    va_list arguments;
    if (view->csv) /* which keeps the value */
        return;
    FILE *stream = mt_memory_open(&text, &length);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    mt_memory_close(stream, &text);
    struct mt_cell *cell = cell_at(view, view->rows - 1, column);
    free(cell->shown);
    cell->shown = text;
}

void mt_view_hide(struct mt_view *view, int column)
{
    view->hidden |= UINT64_C(1) << column;
}

void mt_view_clear(struct mt_view *view)
{
    forget_rows(view);
    free(view->cells);
    *view = (struct mt_view){.columns = view->columns, .ncolumns = view->ncolumns};
}

static bool is_shown(const struct mt_view *view, int column)
{
    return view->columns[column].title && !is_hidden(view, column);
}

static bool is_number(enum mt_column_unit unit)
{
    return unit != MT_COLUMN_TEXT && unit != MT_COLUMN_FLAG;
}

static const char *format_value(char buffer[MT_QUANTITY_TEXT], double value,
                                enum mt_column_unit unit)
{
    switch (unit) {
    case MT_COLUMN_SECONDS:
        return mt_format_seconds(buffer, value);
    case MT_COLUMN_BYTES:
        return mt_format_bytes(buffer, value);
    case MT_COLUMN_BANDWIDTH:
        return mt_format_rate(buffer, value, "B/s");
    case MT_COLUMN_FLOPS:
        return mt_format_rate(buffer, value, "f");
    case MT_COLUMN_PERCENT:
        return mt_format_percent(buffer, value);
    case MT_COLUMN_CHANGE:
        return mt_format_change(buffer, value);
    case MT_COLUMN_NUMBER:
        snprintf(buffer, MT_QUANTITY_TEXT, "%.4g", value);
        return buffer;
    default:
        return mt_format_count(buffer, value);
    }
}

/* The text of a cell in the table, perhaps in `buffer`. */
static const char *cell_text(const struct mt_cell *cell, enum mt_column_unit unit,
                             char buffer[MT_QUANTITY_TEXT])
{
    if (cell->shown)
        return cell->shown;
    if (json_is_string(cell->value))
        return json_string_value(cell->value);
    if (json_is_boolean(cell->value))
        return json_is_true(cell->value) ? "yes" : "no";
    if (json_is_number(cell->value))
        return format_value(buffer, json_number_value(cell->value), unit);
    return json_is_null(cell->value) ? "-" : "";
}

/* Put a text into the table, clean. */
static void set_cell(struct libscols_line *line, int cell, const char *text)
{
    char *clean = mt_strdup(text);
    mt_text_clean_line(clean);
    mt_need_ok(scols_line_set_data(line, (size_t)cell, clean));
    free(clean);
}

/* A line of the table; `row` -1 is the titles'. */
static void add_line(struct libscols_table *table, const struct mt_view *view, int row)
{
    struct libscols_line *line = mt_need(scols_table_new_line(table, NULL));
    for (int i = 0, cell = 0; i < view->ncolumns; i++) {
        char buffer[MT_QUANTITY_TEXT];
        const struct mt_column *column = &view->columns[i];
        if (is_shown(view, i))
            set_cell(line, cell++,
                     row < 0 ? column->title
                             : cell_text(cell_at(view, row, i), column->unit, buffer));
    }
}

/* The titles are a line like others, since libsmartcols prints no titles over a table
   without rows. */
static struct libscols_table *make_table(const struct mt_view *view, FILE *stream)
{
    struct libscols_table *table = mt_need(scols_new_table());
    scols_table_set_stream(table, stream);
    mt_need_ok(scols_table_set_column_separator(table, "  "));
    scols_table_enable_noheadings(table, 1);
    scols_table_enable_minout(table, 1); /* no blanks at the ends of lines */
    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER); /* as wide as it is */
    for (int i = 0; i < view->ncolumns; i++)
        if (is_shown(view, i))
            mt_need(scols_table_new_column(
                table, view->columns[i].title, 0,
                is_number(view->columns[i].unit) ? SCOLS_FL_RIGHT : 0));
    for (int row = -1; row < view->rows; row++)
        add_line(table, view, row);
    return table;
}

/* libsmartcols asks the locale for printable characters and their widths; it is UTF-8
   here, like the files that names come from, not the user's. */
static void print_utf8(struct libscols_table *table)
{
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    const locale_t before = utf8 ? uselocale(utf8) : NULL;
    mt_need_ok(scols_print_table(table));
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
}

void mt_view_print(struct mt_view *view, FILE *stream)
{
    struct libscols_table *table = make_table(view, stream);
    print_utf8(table);
    scols_unref_table(table);
    mt_view_clear(view);
}

static json_t *row_json(const struct mt_view *view, int row)
{
    json_t *object = mt_need(json_object());
    for (int i = 0; i < view->ncolumns; i++) {
        json_t *value = cell_at(view, row, i)->value;
        if (view->columns[i].key && value)
            mt_need_ok(json_object_set(object, view->columns[i].key, value));
    }
    return object;
}

json_t *mt_view_to_json(struct mt_view *view)
{
    json_t *list = mt_need(json_array());
    for (int row = 0; row < view->rows; row++)
        mt_need_ok(json_array_append_new(list, row_json(view, row)));
    mt_view_clear(view);
    return list;
}

json_t *mt_view_row_to_json(struct mt_view *view)
{
    json_t *object = view->rows > 0 ? row_json(view, 0) : json_null();
    mt_view_clear(view);
    return object;
}

void mt_view_begin_csv(struct mt_view *view, FILE *stream)
{
    view->csv = stream;
    write_csv_row(view, -1);
}

void mt_view_end_csv(struct mt_view *view)
{
    write_csv_rows(view);
    mt_view_clear(view);
}
