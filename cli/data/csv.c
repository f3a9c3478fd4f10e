/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV as RFC 4180 has it: a run a line, the names of the columns in the first line.
   Files of others may have another separator, and comments before the first line. */
#include "cli/process/memory.h"
#include "columns.h"
#include "formats.h"
#include "lib/base/line.h"
#include "lib/store/internal.h"
#include "sacct.h"

#include <stdlib.h>
#include <string.h>

static void write_csv(FILE *stream, const struct mt_runs *runs)
{
    mt_runs_print_csv(runs, stream);
}

/* The line of a file that is being read. */
struct table {
    struct mt_source *source;
    int separator; /* ' ': any number of blanks */
    char *text;    /* owned: the cells, one behind the other, each ended by 0 */
    size_t length, allocated;
    char **cells; /* owned; they point into the text; NULL behind the last */
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
        /* Blanks at the end of a line are none before another cell. */
        const int next = next_character(table);
        c = ends_line(next) ? next : ' ';
        if (c == ' ')
            ungetc(next, source->stream);
    }
    *end = c;
    return status == MT_OK ? append(table, '\0', err) : status;
}

/* Find where each cell of the line begins, behind what guards it. */
static void find_cells(struct table *table)
{
    char *at = table->text;
    if (table->count >= table->room) {
        table->room = table->count + 1;
        table->cells =
            mt_need(realloc(table->cells, (size_t)table->room * sizeof *table->cells));
    }
    for (int i = 0; i < table->count; i++, at += strlen(at) + 1)
        table->cells[i] = at + (mt_csv_unguard(at) - at);
    table->cells[table->count] = NULL;
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

/* The one of these that comes most often, outside of quotes. */
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

/* Names of columns are meant without the blanks around them. */
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

/* A column that is taken has a name of its own. */
static int check_names(const struct table *names, const struct mt_mapping *mapping,
                       struct mt_error *err)
{
    for (int i = 0; i < names->count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(names->cells[i], names->cells[k]) &&
                mt_mapping_takes(mapping, i))
                return mt_source_fail(names->source, err, "column '%s' comes twice",
                                      names->cells[i]);
    if (!mt_mapping_has(mapping, "size"))
        return mt_source_fail(names->source, err,
                              "which column is the size is not said: "
                              "give '--columns size=NAME,...'");
    if (!mt_mapping_has(mapping, "configuration") &&
        !mt_mapping_has(mapping, "nodes") && !mt_mapping_has(mapping, "ranks"))
        return mt_source_fail(
            names->source, err,
            names->source->bare ? "which column is the number of nodes is not said: "
                                  "give '--columns nodes=NAME,...'"
                                : "on what the runs were made is not said: give their "
                                  "configuration, or two of nodes, ppn and ranks, by "
                                  "'--columns ranks=NAME,...'");
    if (!mt_mapping_has(mapping, "seconds") && !mt_mapping_has(mapping, "outcome"))
        return mt_source_fail(names->source, err,
                              "which column is the time is not said: give "
                              "'--columns seconds=NAME,...'");
    return MT_OK;
}

/* What is not taken from a file need not be. */
static void say_ignored(const struct table *names, const struct mt_mapping *mapping)
{
    int count = 0;
    for (int i = 0; i < names->count; i++) {
        if (mt_mapping_takes(mapping, i) || !*names->cells[i])
            continue;
        if (count++ == 0)
            fprintf(stderr, "motley: columns of '%s' that are not taken: ",
                    names->source->path);
        fprintf(stderr, "%s%s", count > 1 ? ", " : "", names->cells[i]);
    }
    if (count > 0)
        fputc('\n', stderr);
}

/* A column that tells whether runs succeeded counts also where --columns says nothing
   of it: runs that failed must not come in as good ones. "ignore" puts it aside. */
static int add_outcome(struct table *table, struct mt_mapping *mapping,
                       struct mt_error *err)
{
    static const char *const names[] = {"outcome", "State", "result"};
    int status = MT_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int k = 0; k < table->count && status == MT_OK; k++)
            if (strcmp(table->cells[k], names[i]) == 0 && !mt_mapping_takes(mapping, k))
                status = mt_mapping_default(mapping, "outcome", names[i], err);
    return status == MT_OK ? mt_mapping_bind(mapping, table->source, table->cells,
                                             table->count, err)
                           : status;
}

/* What runs of a bare file have that it does not say. */
static int add_ones(struct table *table, struct mt_mapping *mapping,
                    struct mt_error *err)
{
    int status = mt_mapping_has(mapping, "size")
                     ? MT_OK
                     : mt_mapping_default(mapping, "size", "1", err);
    if (status == MT_OK && !mt_mapping_has(mapping, "ppn") &&
        mt_mapping_has(mapping, "nodes") != mt_mapping_has(mapping, "ranks"))
        status = mt_mapping_default(mapping, "ppn", "1", err);
    return status == MT_OK ? mt_mapping_bind(mapping, table->source, table->cells,
                                             table->count, err)
                           : status;
}

/* Find what each column is taken for. */
static int read_header(struct table *table, struct mt_mapping *mapping,
                       struct mt_error *err)
{
    const char *columns = table->source->columns;
    int status = columns ? mt_mapping_parse(mapping, columns, err) : MT_OK;
    for (int i = 0; status == MT_OK && !columns && i < table->count; i++)
        status = mt_mapping_default(mapping, table->cells[i], table->cells[i], err);
    if (status == MT_OK)
        status =
            mt_mapping_bind(mapping, table->source, table->cells, table->count, err);
    if (status == MT_OK)
        status = add_outcome(table, mapping, err);
    if (status == MT_OK && table->source->bare)
        status = add_ones(table, mapping, err);
    if (status == MT_OK)
        status = check_names(table, mapping, err);
    if (status == MT_OK)
        say_ignored(table, mapping);
    return status;
}

/* Read a line of as many cells as there are columns; `blank`: there was nothing on it.
 */
static int read_row(struct table *table, int columns, bool *blank, struct mt_error *err)
{
    struct mt_source *source = table->source;
    const int line = ++source->line;
    const int status = read_line(table, err);
    if (status != MT_OK)
        return status;
    if (table->separator == '|')
        trim(table);
    *blank = (table->count == 1 && !table->cells[0][0]) || is_rule(table);
    if (*blank || table->count == columns)
        return MT_OK;
    source->line = line;
    return mt_source_fail(source, err, "%d cells, but the first line has %d columns",
                          table->count, columns);
}

static bool has_more(FILE *stream)
{
    const int next = getc_unlocked(stream);
    return next != EOF && ungetc(next, stream) != EOF;
}

static int read_runs(struct table *table, struct mt_runs *runs, struct mt_error *err)
{
    struct mt_mapping mapping = {.count = 0};
    struct mt_run run = {0};
    const int columns = table->count;
    int status = read_header(table, &mapping, err);
    while (status == MT_OK && has_more(table->source->stream)) {
        bool blank;
        status = read_row(table, columns, &blank, err);
        if (status == MT_OK && !blank)
            status = mt_mapping_read(&mapping, table->source, table->cells, &run, err);
        if (status == MT_OK && !blank)
            status = mt_source_add(table->source, runs, &run, err);
        mt_run_clear(&run);
    }
    mt_mapping_clear(&mapping);
    return status;
}

static int read_sacct(struct table *table, struct mt_runs *runs, struct mt_error *err)
{
    struct mt_sacct *sacct;
    const int columns = table->count;
    int status = mt_sacct_begin(&sacct, table->source, table->cells, runs, err);
    while (status == MT_OK && has_more(table->source->stream)) {
        bool blank;
        status = read_row(table, columns, &blank, err);
        if (status == MT_OK && !blank)
            status = mt_sacct_add(sacct, table->cells, err);
    }
    return mt_sacct_end(sacct, status, err);
}

static int read_csv(struct mt_source *source, struct mt_runs *runs,
                    struct mt_error *err)
{
    struct table table = {.source = source};
    int status = read_names(&table, err);
    if (status == MT_OK && mt_sacct_knows(source, table.cells))
        status = read_sacct(&table, runs, err);
    else if (status == MT_OK)
        status = read_runs(&table, runs, err);
    clear_table(&table);
    return status;
}

const struct mt_format mt_format_csv = {"csv", write_csv, read_csv};
