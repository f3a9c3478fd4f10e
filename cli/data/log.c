/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads output of benchmarks as tables, by regular expressions that find the values. */
#include "cli/process/memory.h"
#include "lib/base/line.h"
#include "rows.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 7, GROUPS = 7, VALUES = 24 };

struct mt_log {
    const char *marks[2]; /* one of them occurs at the beginning of the file */
    const char *rules;    /* the default rules of columns */
    /* Lines with values, and the values' names. A repeated line belongs to the next
       run, except the last one of the list, as a run has several checks. */
    struct {
        const char *pattern, *names[GROUPS];
    } lines[LINES];
};

#define WORD "([^ ]+) *"
#define REST "([^ ].*[^ ]|[^ ])"
static const struct mt_log logs[] = {
    {{"HPLinpack ", "T/V    "}, /* HPL */
     "size=N,seconds=Time,ranks=P*Q,outcome=outcome",
     {{"^W[RC][^ ]+ +" WORD WORD WORD WORD WORD WORD "$",
       {"N", "NB", "P", "Q", "Time", "Gflops"}},
      {"^\\|\\|Ax-b\\|\\|.*\\.\\.\\. *" REST, {"outcome"}}}},
    {{"NAS Parallel Benchmarks", " Benchmark Completed"}, /* NPB */
     "size=Size,seconds=Time in seconds,ranks=Total processes,outcome=outcome",
     {{"^Class *= *" REST, {"Class"}},
      {"^Size *= *" REST, {"Size"}},
      {"^Time in seconds *= *" REST, {"Time in seconds"}},
      {"^Total processes *= *" REST, {"Total processes"}},
      {"^Mop/s total *= *" REST, {"Mop/s"}},
      {"^Verification *= *" REST, {"outcome"}}}},
    {{":-) GROMACS - ", "Core t (s) "}, /* GROMACS */
     "size=atoms,seconds=wall,nodes=nodes,ranks=ranks,threads=threads",
     {{"^Running on " WORD "node", {"nodes"}},
      {"^Using " WORD "MPI ", {"ranks"}},
      {"^Using " WORD "OpenMP thread", {"threads"}},
      {"^There are: " WORD "Atoms", {"atoms"}},
      {"^Time: +" WORD WORD, {"core", "wall"}},
      {"^Performance: +" WORD WORD, {"ns/day", "hour/ns"}}}},
};

/* Whether the mark stands in a line other than a comment. */
static bool has_mark(const char *head, const char *mark)
{
    for (const char *at = head; (at = strstr(at, mark)); at++) {
        const char *line = at;
        while (line > head && line[-1] != '\n')
            line--;
        if (*line != '#')
            return true;
    }
    return false;
}

const struct mt_log *mt_log_find(const char *head)
{
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        if (has_mark(head, logs[i].marks[0]) || has_mark(head, logs[i].marks[1]))
            return &logs[i];
    return NULL;
}

/* The values of the current run, in the order of their names in the table. */
struct reading {
    struct mt_rows rows;
    regex_t patterns[LINES];
    char *names[VALUES], *values[VALUES]; /* owned; NULL: not yet */
    int nlines, nvalues;
    int line; /* of the last value */
};

static void begin(struct reading *reading, const struct mt_log *log)
{
    for (; reading->nlines < LINES && log->lines[reading->nlines].pattern;
         reading->nlines++) {
        const char *const *names = log->lines[reading->nlines].names;
        mt_need_ok(-regcomp(&reading->patterns[reading->nlines],
                            log->lines[reading->nlines].pattern, REG_EXTENDED));
        for (int k = 0; k < GROUPS && names[k]; k++)
            reading->names[reading->nvalues++] = mt_strdup(names[k]);
    }
}

static int end_run(struct reading *reading, struct mt_error *err)
{
    static char nothing[] = "";
    struct mt_source *source = reading->rows.source;
    const int line = source->line;
    char *cells[VALUES];
    int status = MT_OK, found = 0;
    for (int i = 0; i < reading->nvalues; i++) {
        found += reading->values[i] != NULL;
        cells[i] = reading->values[i] ? reading->values[i] : nothing;
    }
    source->line = reading->line;
    if (found > 0)
        status = mt_rows_add(&reading->rows, cells, err);
    source->line = line;
    for (int i = 0; i < reading->nvalues; i++) {
        free(reading->values[i]);
        reading->values[i] = NULL;
    }
    return status;
}

/* A later check does not outweigh a failed one. */
static bool is_failure(const char *word)
{
    enum mt_outcome outcome = MT_RUN_OK;
    return mt_cell_outcome(&outcome, word, NULL) != MT_OK || outcome != MT_RUN_OK;
}

static int take_line(struct reading *reading, const char *text, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0, first = 0; status == MT_OK && i < reading->nlines; i++) {
        regmatch_t found[GROUPS + 1];
        const int count = (int)reading->patterns[i].re_nsub;
        const bool fits = !regexec(&reading->patterns[i], text, GROUPS + 1, found, 0);
        const bool is_check = !strcmp(reading->names[first], "outcome");
        if (fits && reading->values[first] && !is_check)
            status = end_run(reading, err);
        for (int k = 0; fits && status == MT_OK && k < count; k++) {
            char **value = &reading->values[first + k];
            if (*value && is_failure(*value))
                continue;
            free(*value);
            *value = mt_asprintf("%.*s", (int)(found[k + 1].rm_eo - found[k + 1].rm_so),
                                 text + found[k + 1].rm_so);
            reading->line = reading->rows.source->line;
        }
        first += count;
    }
    return status;
}

static int read_lines(struct reading *reading, struct mt_error *err)
{
    struct mt_source *source = reading->rows.source;
    struct mt_error reason;
    struct mt_line line = {0};
    int status = MT_OK;
    while (status == MT_OK && !line.ended) {
        source->line++;
        if (mt_line_read(&line, source->stream, &reason) != MT_OK)
            status = mt_source_fail(source, err, "%s", reason.text);
        else if (!line.ended) {
            line.text[strcspn(line.text, "\r\n")] = '\0';
            status = take_line(reading, line.text + strspn(line.text, " \t"), err);
        }
    }
    mt_line_clear(&line);
    return status == MT_OK ? end_run(reading, err) : status;
}

int mt_log_read(struct mt_source *source, struct mt_runs *runs,
                const struct mt_log *log, struct mt_error *err)
{
    struct reading reading = {.rows = {.source = source, .runs = runs}};
    begin(&reading, log);
    int status =
        mt_rows_begin(&reading.rows, reading.names, reading.nvalues, log->rules, err);
    if (status == MT_OK)
        status = read_lines(&reading, err);
    for (int i = 0; i < reading.nvalues; i++) {
        free(reading.names[i]);
        free(reading.values[i]);
    }
    for (int i = 0; i < reading.nlines; i++)
        regfree(&reading.patterns[i]);
    return mt_rows_end(&reading.rows, status, err);
}
