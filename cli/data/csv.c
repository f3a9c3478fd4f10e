/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV as RFC 4180 has it: a run a line, the names of the columns in the first line.
 */
#include "columns.h"
#include "formats.h"

#include <stdlib.h>

static int write_csv(FILE *stream, const struct mt_runs *runs, int *left_out,
                     struct mt_error *err)
{
    *left_out = 0;
    return mt_runs_print_csv(runs, stream, err);
}

/* A cell that is being read. */
struct cell {
    char *text; /* owned */
    size_t length, allocated;
};

static int append_character(const struct mt_source *source, struct cell *cell, int c,
                            struct mt_error *err)
{
    if (c == 0)
        return mt_source_fail(source, err, "a zero byte: not a text file");
    if (cell->length + 1 >= cell->allocated) {
        size_t wanted = cell->allocated ? 2 * cell->allocated : 128;
        char *grown = realloc(cell->text, wanted);
        if (!grown)
            return mt_fail(err, MT_ENOMEM, "no memory to read a line");
        cell->text = grown;
        cell->allocated = wanted;
    }
    cell->text[cell->length++] = (char)c;
    cell->text[cell->length] = 0;
    return MT_OK;
}

/* The rest of a quoted cell, whose opening quote has been read. */
static int read_quoted(struct mt_source *source, struct cell *cell,
                       struct mt_error *err)
{
    const int first_line = source->line;
    for (;;) {
        int c = getc(source->stream);
        if (c == '"') {
            int next = getc(source->stream);
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
        int status = append_character(source, cell, c, err);
        if (status != MT_OK)
            return status;
    }
}

/* Read a cell; `end` is what ended it: ',', '\n' or EOF. */
static int read_cell(struct mt_source *source, struct cell *cell, int *end,
                     struct mt_error *err)
{
    int status = MT_OK;
    cell->length = 0;
    if (cell->text)
        cell->text[0] = 0;
    int c = getc(source->stream);
    if (c == '"') {
        status = read_quoted(source, cell, err);
        c = status == MT_OK ? getc(source->stream) : EOF;
        if (status == MT_OK && c != ',' && c != '\n' && c != '\r' && c != EOF)
            status = mt_source_fail(source, err, "text after a closing quote");
    }
    while (status == MT_OK && c != ',' && c != '\n' && c != EOF) {
        if (c != '\r') /* of a line that ends as on Windows */
            status = append_character(source, cell, c, err);
        c = status == MT_OK ? getc(source->stream) : EOF;
    }
    *end = c;
    return status;
}

/* The columns of a file, in its order. */
struct header {
    int columns[MT_RUN_COLUMNS];
    int count;
};

static int add_column(const struct mt_source *source, struct header *header,
                      const char *name, struct mt_error *err)
{
    const int column = mt_run_column_find(name);
    if (column < 0)
        return mt_source_fail(source, err, "unknown column '%s'", name);
    for (int i = 0; i < header->count; i++)
        if (header->columns[i] == column)
            return mt_source_fail(source, err, "column '%s' comes twice", name);
    header->columns[header->count++] = column;
    return MT_OK;
}

static int read_header(struct mt_source *source, struct header *header,
                       struct cell *cell, struct mt_error *err)
{
    int end = ',', status = MT_OK;
    source->line = 1;
    while (status == MT_OK && end == ',') {
        status = read_cell(source, cell, &end, err);
        if (status == MT_OK)
            status = add_column(source, header, cell->text ? cell->text : "", err);
    }
    return status;
}

static int set_cell(const struct mt_source *source, struct mt_run *run, int column,
                    const char *text, struct mt_error *err)
{
    struct mt_error reason;
    const int status = mt_run_set_text(run, column, text ? text : "", &reason);
    return status == MT_OK ? MT_OK : mt_source_fail(source, err, "%s", reason.text);
}

/* Read a line into `run`; `blank`: there was nothing on it. */
static int read_run(struct mt_source *source, const struct header *header,
                    struct cell *cell, struct mt_run *run, bool *blank,
                    struct mt_error *err)
{
    const int line = source->line;
    int end = ',', count = 0, status = MT_OK;
    for (; status == MT_OK && end == ','; count++) {
        status = read_cell(source, cell, &end, err);
        if (status == MT_OK && count < header->count)
            status = set_cell(source, run, header->columns[count], cell->text, err);
    }
    *blank = count == 1 && cell->length == 0;
    if (status == MT_OK && !*blank && count != header->count) {
        source->line = line;
        return mt_source_fail(source, err,
                              "%d cells, but the first line has %d columns", count,
                              header->count);
    }
    return status;
}

static int read_csv(struct mt_source *source, struct mt_runs *runs,
                    struct mt_error *err)
{
    struct header header = {0};
    struct cell cell = {0};
    struct mt_run run = {0};
    int next, status = read_header(source, &header, &cell, err);
    while (status == MT_OK && (next = getc(source->stream)) != EOF) {
        bool blank = false;
        ungetc(next, source->stream);
        source->line++;
        status = read_run(source, &header, &cell, &run, &blank, err);
        if (status == MT_OK && !blank)
            status = mt_source_add(source, runs, &run, err);
    }
    mt_run_clear(&run);
    free(cell.text);
    return status;
}

const struct mt_format mt_format_csv = {"csv", write_csv, read_csv};
