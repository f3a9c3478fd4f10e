/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV as RFC 4180 has it, one run a line, the names of the columns in the first line.
 */
#include "cli/common/format.h"
#include "formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column {
    CLUSTER,
    PROGRAM,
    CONFIGURATION,
    SIZE,
    REPETITION,
    OUTCOME,
    SECONDS,
    WALL,
    EXIT_CODE,
    SIGNAL,
    REASON,
    LAUNCHER,
    SIMULATED,
    STARTED,
    OUTPUT,
    COLUMNS
};

static const char *const column_names[COLUMNS] = {
    "cluster", "program",  "configuration", "size",      "repetition",
    "outcome", "seconds",  "wall",          "exit_code", "signal",
    "reason",  "launcher", "simulated",     "started",   "output",
};

/* The text member that a column shows; NULL: it shows something else. */
static char **text_member(struct mt_run *run, enum column column)
{
    switch (column) {
    case CLUSTER:
        return &run->cluster;
    case PROGRAM:
        return &run->program;
    case CONFIGURATION:
        return &run->configuration;
    case REASON:
        return &run->reason;
    case LAUNCHER:
        return &run->launcher;
    case OUTPUT:
        return &run->output;
    default:
        return NULL;
    }
}

static double number_of(const struct mt_run *run, enum column column)
{
    switch (column) {
    case SIZE:
        return run->size;
    case REPETITION:
        return run->repetition;
    case SECONDS:
        return run->seconds;
    case WALL:
        return run->wall;
    case EXIT_CODE:
        return run->exit_code;
    case SIGNAL:
        return run->signal;
    default:
        return (double)run->started;
    }
}

void mt_csv_write_cell(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static void write_run(FILE *stream, struct mt_run run)
{
    for (int column = 0; column < COLUMNS; column++) {
        char buffer[32];
        char **text = text_member(&run, (enum column)column);
        if (column > 0)
            fputc(',', stream);
        if (text)
            mt_csv_write_cell(stream, *text ? *text : "");
        else if (column == OUTCOME)
            fputs(mt_outcome_name(run.outcome), stream);
        else if (column == SIMULATED)
            fputs(run.simulated ? "true" : "false", stream);
        else if (column != SECONDS || run.outcome == MT_RUN_OK)
            fputs(mt_format_number(buffer, number_of(&run, (enum column)column)),
                  stream);
    }
    fputc('\n', stream);
}

static int write_csv(FILE *stream, const struct mt_runs *runs, int *left_out,
                     struct mt_error *err)
{
    (void)err;
    *left_out = 0;
    for (int column = 0; column < COLUMNS; column++)
        fprintf(stream, "%s%s", column ? "," : "", column_names[column]);
    fputc('\n', stream);
    for (int i = 0; i < runs->count; i++)
        write_run(stream, runs->runs[i]);
    return MT_OK;
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
        if (status)
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
        c = status ? EOF : getc(source->stream);
        if (!status && c != ',' && c != '\n' && c != '\r' && c != EOF)
            status = mt_source_fail(source, err, "text after a closing quote");
    }
    while (!status && c != ',' && c != '\n' && c != EOF) {
        if (c != '\r') /* of a line that ends as on Windows */
            status = append_character(source, cell, c, err);
        c = status ? EOF : getc(source->stream);
    }
    *end = c;
    return status;
}

static int set_number(const struct mt_source *source, struct mt_run *run,
                      enum column column, const char *text, struct mt_error *err)
{
    double number;
    bool whole = column != SIZE && column != SECONDS && column != WALL;
    if (!mt_parse_number(&number, text) || !isfinite(number) ||
        (whole && (number != floor(number) || fabs(number) > 1e15)) ||
        (whole && column != STARTED && fabs(number) > 1e9))
        return mt_source_fail(source, err, "%s is no %snumber: '%s'",
                              column_names[column], whole ? "whole " : "", text);
    switch (column) {
    case SIZE:
        run->size = number;
        break;
    case REPETITION:
        run->repetition = (int)number;
        break;
    case SECONDS:
        run->seconds = number;
        break;
    case WALL:
        run->wall = number;
        break;
    case EXIT_CODE:
        run->exit_code = (int)number;
        break;
    case SIGNAL:
        run->signal = (int)number;
        break;
    default:
        run->started = (int64_t)number;
    }
    return MT_OK;
}

/* Set what a column shows; an empty cell says nothing. */
static int set_cell(const struct mt_source *source, struct mt_run *run,
                    enum column column, const char *text, struct mt_error *err)
{
    char **member = text_member(run, column);
    if (!text || !*text)
        return MT_OK;
    if (member) {
        *member = strdup(text);
        return *member ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory to read a line");
    }
    if (column == OUTCOME) {
        struct mt_error reason;
        if (mt_outcome_parse(&run->outcome, text, &reason))
            return mt_source_fail(source, err, "%s", reason.text);
        return MT_OK;
    }
    if (column == SIMULATED) {
        run->simulated = !strcmp(text, "true");
        if (!run->simulated && strcmp(text, "false") != 0)
            return mt_source_fail(source, err, "simulated is not true or false: '%s'",
                                  text);
        return MT_OK;
    }
    return set_number(source, run, column, text, err);
}

/* The columns of a file, in its order. */
struct header {
    enum column columns[COLUMNS];
    int count;
};

static int add_column(const struct mt_source *source, struct header *header,
                      const char *name, struct mt_error *err)
{
    int column = 0;
    while (column < COLUMNS && strcmp(column_names[column], name) != 0)
        column++;
    if (column == COLUMNS)
        return mt_source_fail(source, err, "unknown column '%s'", name);
    for (int i = 0; i < header->count; i++)
        if ((int)header->columns[i] == column)
            return mt_source_fail(source, err, "column '%s' comes twice", name);
    header->columns[header->count++] = (enum column)column;
    return MT_OK;
}

static int read_header(struct mt_source *source, struct header *header,
                       struct cell *cell, struct mt_error *err)
{
    int end = ',', status = MT_OK;
    source->line = 1;
    while (!status && end == ',') {
        status = read_cell(source, cell, &end, err);
        if (!status)
            status = add_column(source, header, cell->text ? cell->text : "", err);
    }
    return status;
}

/* Read a line into `run`; `blank`: there was nothing on it. */
static int read_run(struct mt_source *source, const struct header *header,
                    struct cell *cell, struct mt_run *run, bool *blank,
                    struct mt_error *err)
{
    const int line = source->line;
    int end = ',', count = 0, status = MT_OK;
    for (; !status && end == ','; count++) {
        status = read_cell(source, cell, &end, err);
        if (!status && count < header->count)
            status = set_cell(source, run, header->columns[count], cell->text, err);
    }
    *blank = count == 1 && cell->length == 0;
    if (!status && !*blank && count != header->count) {
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
    while (!status && (next = getc(source->stream)) != EOF) {
        bool blank = false;
        ungetc(next, source->stream);
        source->line++;
        status = read_run(source, &header, &cell, &run, &blank, err);
        if (!status && !blank)
            status = mt_source_add(source, runs, &run, err);
    }
    mt_run_clear(&run);
    free(cell.text);
    return status;
}

const struct mt_format mt_format_csv = {"csv", write_csv, read_csv};
