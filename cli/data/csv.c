/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV by RFC 4180: a run a line, with the columns' names in the first line. Other
   programs' files may have another separator, and comments before the first line. */
#include "cli/process/memory.h"
#include "lib/base/line.h"
#include "lib/store/internal.h"
#include "rows.h"
#include "sacct.h"

#include <stdlib.h>
#include <string.h>

/* The current line of a file. */
struct table {
    struct mt_source *source;
    int separator; /* ' ': any number of blanks */
    char *text;    /* owned: the cells, one behind the other, each ended by 0 */
    size_t length, allocated;
    char **cells; /* owned; they point into the text */
    int count, room;
};

static void clear_table(struct table *table)
{
    free(table->text);
    free(table->cells);
}

static int append(struct table *table, int c, struct mt_error *err)
{
    if (table->length == MT_LONGEST_LINE)
        return mt_source_fail(table->source, err, "a line is longer than 1 MiB");
    if (table->length == table->allocated) {
        const size_t wanted = table->allocated ? 2 * table->allocated : 1024;
        table->text = mt_need(realloc(table->text, wanted));
        table->allocated = wanted;
    }
    table->text[table->length++] = (char)c;
    return MT_OK;
}

static int append_character(struct table *table, int c, struct mt_error *err)
{
    return c == 0 ? mt_source_fail(table->source, err, "a zero byte: not a text file")
                  : append(table, c, err);
}

/* The rest of a quoted cell, whose opening quote has been read. */
static int read_quoted(struct table *table, struct mt_error *err)
{
    struct mt_source *source = table->source;
    const int first_line = source->line;
    for (;;) {
        int c = getc_unlocked(source->stream);
        if (c == '"') {
            int next = getc_unlocked(source->stream);
            if (next != '"') {
                ungetc(next, source->stream);
                return MT_OK;
            }
        }
        if (c == EOF) {
            source->line = first_line;
            return mt_source_fail(source, err, "a quote that is not closed");
        }
        source->line += c == '\n';
        int status = append_character(table, c, err);
        if (status != MT_OK)
            return status;
    }
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t';
}

static bool ends_line(int c)
{
    return c == '\n' || c == EOF;
}

static bool ends_cell(const struct table *table, int c)
{
    return ends_line(c) || c == table->separator ||
           (table->separator == ' ' && is_blank(c));
}

/* The next character; where blanks separate, the next one that is none. A line may end
   as on Windows. */
static int next_character(const struct table *table)
{
    FILE *stream = table->source->stream;
    int c = getc_unlocked(stream);
    while (c == '\r' || (table->separator == ' ' && is_blank(c)))
        c = getc_unlocked(stream);
    return c;
}

/* Read a cell; `end` is what ended it: the separator, '\n' or EOF. */
static int read_cell(struct table *table, int *end, struct mt_error *err)
{
    struct mt_source *source = table->source;
    int status = MT_OK, c = next_character(table);
    if (c == '"') {
        status = read_quoted(table, err);
        c = status == MT_OK ? getc_unlocked(source->stream) : EOF;
        if (status == MT_OK && !ends_cell(table, c) && c != '\r')
            status = mt_source_fail(source, err, "text after a closing quote");
    }
    while (status == MT_OK && !ends_cell(table, c)) {
        if (c != '\r')
            status = append_character(table, c, err);
        c = status == MT_OK ? getc_unlocked(source->stream) : EOF;
    }
    if (status == MT_OK && table->separator == ' ' && is_blank(c)) {
        /* Skip blanks at the end of a line, where no cell follows. */
        const int next = next_character(table);
        c = ends_line(next) ? next : ' ';
        if (c == ' ')
            ungetc(next, source->stream);
    }
    *end = c;
    return status == MT_OK ? append(table, '\0', err) : status;
}

/* Find the beginning of each cell of the line, without a guarding '. */
static void find_cells(struct table *table)
{
    char *at = table->text;
    if (table->count > table->room) {
        table->room = table->count;
        table->cells =
            mt_need(realloc(table->cells, (size_t)table->room * sizeof *table->cells));
    }
    for (int i = 0; i < table->count; i++, at += strlen(at) + 1)
        table->cells[i] = at + (mt_csv_unguard(at) - at);
}

static int read_line(struct table *table, struct mt_error *err)
{
    int end = table->separator, status = MT_OK;
    table->length = 0;
    for (table->count = 0; status == MT_OK && end == table->separator; table->count++)
        status = read_cell(table, &end, err);
    if (status == MT_OK)
        find_cells(table);
    return status;
}

/* The most frequent of these separators outside quotes. */
static int guess_separator(const char *line)
{
    static const char separators[] = ",;\t|";
    int best = strchr(line, ' ') ? ' ' : ',', most = 0;
    for (const char *separator = separators; *separator; separator++) {
        int count = 0;
        bool quoted = false;
        for (const char *c = line; *c; c++) {
            quoted ^= *c == '"';
            count += !quoted && *c == *separator;
        }
        if (count > most) {
            most = count;
            best = (unsigned char)*separator;
        }
    }
    return best;
}

/* Strip the blanks around names of columns. */
static void trim(struct table *table)
{
    for (int i = 0; i < table->count; i++) {
        char *cell = table->cells[i] + strspn(table->cells[i], " \t");
        for (size_t end = strlen(cell); end > 0 && is_blank(cell[end - 1]);)
            cell[--end] = '\0';
        table->cells[i] = cell;
    }
}

/* A title, as JUBE prints it above its tables: "result:". */
static bool is_title(const struct mt_line *line)
{
    const size_t length = strcspn(line->text, "\r\n");
    return length == 0 ||
           (line->text[length - 1] == ':' && strcspn(line->text, " ,;\t|") >= length);
}

/* A rule of a table: "-----+-----", "|----|----|". */
static bool is_rule(const struct table *table)
{
    bool rule = false;
    for (int i = 0; i < table->count; i++) {
        const char *cell = table->cells[i];
        if (cell[strspn(cell, "-+:")])
            return false;
        rule = rule || strncmp(cell, "--", 2) == 0;
    }
    return rule && table->separator == '|';
}

/* The first line; comments may come before it. */
static int read_first_line(struct mt_source *source, struct mt_line *line,
                           struct mt_error *err)
{
    struct mt_error reason;
    int status;
    do {
        source->line++;
        status = mt_line_read(line, source->stream, &reason);
    } while (status == MT_OK && !line->ended &&
             (line->text[0] == '#' || is_title(line)));
    if (status != MT_OK)
        return mt_source_fail(source, err, "%s", reason.text);
    if (line->ended)
        return mt_source_fail(source, err, "no line with the names of columns");
    return MT_OK;
}

/* Read the names of the columns into the table's cells. */
static int read_names(struct table *table, struct mt_error *err)
{
    struct mt_source *source = table->source;
    FILE *stream = source->stream;
    struct mt_line line = {0};
    int status = read_first_line(source, &line, err);
    if (status == MT_OK) {
        table->separator = guess_separator(line.text);
        source->stream = mt_need(fmemopen(line.text, line.length, "r"));
        status = read_line(table, err);
        fclose(source->stream);
        source->stream = stream;
    }
    mt_line_clear(&line);
    if (status == MT_OK)
        trim(table);
    return status;
}

/* Read a line of cells; `blank` if it has none. */
static int read_row(struct table *table, int columns, bool *blank, struct mt_error *err)
{
    struct mt_source *source = table->source;
    const int line = source->line;
    const int status = read_line(table, err);
    if (status != MT_OK)
        return status;
    if (table->separator == '|')
        trim(table);
    /* text may stand above and below tables */
    *blank = (table->count == 1 && (!table->cells[0][0] || table->separator == '|')) ||
             is_rule(table);
    if (*blank || table->count == columns)
        return MT_OK;
    source->line = line;
    return mt_source_fail(source, err, "%d cells, but the first line has %d columns",
                          table->count, columns);
}

int mt_table_read(struct mt_source *source, struct mt_runs *runs, struct mt_error *err)
{
    struct table table = {.source = source};
    struct mt_rows rows = {.source = source, .runs = runs};
    struct mt_sacct *sacct = NULL;
    int next, status = read_names(&table, err);
    const int columns = table.count;
    if (status == MT_OK && mt_sacct_knows(source, table.cells, columns))
        status = mt_sacct_begin(&sacct, &rows, table.cells, columns, err);
    else if (status == MT_OK)
        status = mt_rows_begin(&rows, table.cells, columns, NULL, err);
    while (status == MT_OK && (next = getc_unlocked(source->stream)) != EOF) {
        bool blank = false;
        ungetc(next, source->stream);
        source->line++;
        status = read_row(&table, columns, &blank, err);
        if (status == MT_OK && !blank && !sacct)
            status = mt_sacct_refuse_step(&rows, table.cells, err);
        if (status == MT_OK && !blank)
            status = sacct ? mt_sacct_add(sacct, table.cells, err)
                           : mt_rows_add(&rows, table.cells, err);
    }
    clear_table(&table);
    if (sacct)
        status = mt_sacct_end(sacct, status, err);
    return mt_rows_end(&rows, status, err);
}
