/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a run: one table of names, one of members, by which runs are shown,
   written and read. */
#include "columns.h"

#include "cli/common/format.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* In the order of CSV files; tables show the source and the result in words. */
enum {
    ID,
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
    SOURCE,
    LAUNCHER,
    SIMULATED,
    STARTED,
    OUTPUT,
    RESULT,
    COLUMNS
};

static const struct mt_column columns[COLUMNS] = {
    [ID] = {"id", "id", MT_COLUMN_COUNT},
    [CLUSTER] = {"cluster", "cluster", MT_COLUMN_TEXT},
    [PROGRAM] = {"program", "program", MT_COLUMN_TEXT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", "rep", MT_COLUMN_COUNT},
    [OUTCOME] = {"outcome", NULL, MT_COLUMN_TEXT},
    [SECONDS] = {"seconds", "seconds", MT_COLUMN_SECONDS},
    [WALL] = {"wall", NULL, MT_COLUMN_SECONDS},
    [EXIT_CODE] = {"exit_code", NULL, MT_COLUMN_COUNT},
    [SIGNAL] = {"signal", NULL, MT_COLUMN_COUNT},
    [REASON] = {"reason", NULL, MT_COLUMN_TEXT},
    [SOURCE] = {NULL, "source", MT_COLUMN_TEXT},
    [LAUNCHER] = {"launcher", "launcher", MT_COLUMN_TEXT},
    [SIMULATED] = {"simulated", NULL, MT_COLUMN_FLAG},
    [STARTED] = {"started", NULL, MT_COLUMN_COUNT},
    [OUTPUT] = {"output", NULL, MT_COLUMN_TEXT},
    [RESULT] = {NULL, "outcome", MT_COLUMN_TEXT},
};

/* The member of a run for a column. */
enum member_kind {
    NO_MEMBER,
    TEXT,   /* char *, owned */
    REAL,   /* double */
    WHOLE,  /* int */
    TIME,   /* int64_t */
    CHOICE, /* enum mt_outcome */
    FLAG    /* bool */
};
static const struct {
    enum member_kind kind;
    size_t offset;
} members[COLUMNS] = {
    [CLUSTER] = {TEXT, offsetof(struct mt_run, cluster)},
    [PROGRAM] = {TEXT, offsetof(struct mt_run, program)},
    [CONFIGURATION] = {TEXT, offsetof(struct mt_run, configuration)},
    [SIZE] = {REAL, offsetof(struct mt_run, size)},
    [REPETITION] = {WHOLE, offsetof(struct mt_run, repetition)},
    [OUTCOME] = {CHOICE, offsetof(struct mt_run, outcome)},
    [SECONDS] = {REAL, offsetof(struct mt_run, seconds)},
    [WALL] = {REAL, offsetof(struct mt_run, wall)},
    [EXIT_CODE] = {WHOLE, offsetof(struct mt_run, exit_code)},
    [SIGNAL] = {WHOLE, offsetof(struct mt_run, signal)},
    [REASON] = {TEXT, offsetof(struct mt_run, reason)},
    [LAUNCHER] = {TEXT, offsetof(struct mt_run, launcher)},
    [SIMULATED] = {FLAG, offsetof(struct mt_run, simulated)},
    [STARTED] = {TIME, offsetof(struct mt_run, started)},
    [OUTPUT] = {TEXT, offsetof(struct mt_run, output)},
};

static void *member_of(struct mt_run *run, int column)
{
    return (char *)run + members[column].offset;
}

static void view_member(struct mt_view *view, int column, const struct mt_run *run)
{
    const void *member = (const char *)run + members[column].offset;
    const char *text;
    switch (members[column].kind) {
    case TEXT:
        text = *(char *const *)member;
        if (text)
            mt_view_text(view, column, text);
        break;
    case REAL:
        mt_view_number(view, column, *(const double *)member);
        break;
    case WHOLE:
        mt_view_number(view, column, *(const int *)member);
        break;
    case TIME:
        mt_view_number(view, column, (double)*(const int64_t *)member);
        break;
    case CHOICE:
        mt_view_text(view, column, mt_outcome_name(run->outcome));
        break;
    case FLAG:
        mt_view_flag(view, column, *(const bool *)member);
        break;
    case NO_MEMBER:
        break;
    }
}

static void view_run(struct mt_view *view, const struct mt_run *run, bool ids)
{
    mt_view_row(view);
    if (ids)
        mt_view_number(view, ID, (double)run->id);
    for (int column = 0; column < COLUMNS; column++)
        if (column != SECONDS || run->outcome == MT_RUN_OK)
            view_member(view, column, run);
    if (run->outcome != MT_RUN_OK)
        mt_view_show(view, SECONDS, "-");
    if (!run->launcher)
        mt_view_show(view, LAUNCHER, "-");
    mt_view_text(view, SOURCE, run->simulated ? "simulated" : "measured");
    mt_view_show(view, RESULT, "%s%s%s", mt_outcome_name(run->outcome),
                 run->reason ? ": " : "", run->reason ? run->reason : "");
}

static void view_runs(struct mt_view *view, const struct mt_runs *runs, bool ids)
{
    for (int i = 0; i < runs->count; i++)
        view_run(view, &runs->runs[i], ids);
}

void mt_runs_view(struct mt_view *view, const struct mt_runs *runs, bool ids)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    if (!ids)
        mt_view_hide(view, ID);
    view_runs(view, runs, ids);
}

void mt_runs_print_csv(const struct mt_runs *runs, FILE *stream)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_hide(&view, ID);
    mt_view_begin_csv(&view, stream);
    view_runs(&view, runs, false);
    mt_view_end_csv(&view);
}

json_t *mt_runs_to_json(const struct mt_runs *runs, bool ids)
{
    struct mt_view view;
    int simulated = 0;
    for (int i = 0; i < runs->count; i++)
        simulated |= runs->runs[i].simulated;
    mt_runs_view(&view, runs, ids);
    return json_pack("{s:b, s:o}", "simulated", simulated, "runs",
                     mt_view_to_json(&view));
}

int mt_run_column_find(const char *key)
{
    for (int column = 0; column < COLUMNS; column++)
        if (members[column].kind != NO_MEMBER && !strcmp(columns[column].key, key))
            return column;
    return -1;
}

bool mt_parse_number(double *number, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || end[strspn(end, " \t")])
        return false;
    *number = value;
    return true;
}

const char *mt_run_column_name(int column)
{
    return columns[column].key;
}

bool mt_run_column_counts(int column)
{
    const enum member_kind kind = members[column].kind;
    return kind == REAL || kind == WHOLE || kind == TIME;
}

int mt_run_set_number(struct mt_run *run, int column, double number, const char *text,
                      struct mt_error *err)
{
    const enum member_kind kind = members[column].kind;
    void *member = member_of(run, column);
    const double most = kind == WHOLE ? 1e9 : 1e15;
    const bool whole = kind == WHOLE || kind == TIME;
    if (!isfinite(number) ||
        (whole && (number != floor(number) || fabs(number) > most)))
        return mt_fail(err, MT_EPARSE, "%s is no %snumber: '%s'", columns[column].key,
                       whole ? "whole " : "", text);
    if (kind == WHOLE)
        *(int *)member = (int)number;
    else if (kind == TIME)
        *(int64_t *)member = (int64_t)number;
    else
        *(double *)member = number;
    return MT_OK;
}

int mt_run_set_text(struct mt_run *run, int column, const char *text,
                    struct mt_error *err)
{
    const enum member_kind kind = members[column].kind;
    if (!*text)
        return MT_OK;
    if (kind == TEXT)
        *(char **)member_of(run, column) = mt_strdup(text);
    else if (kind == CHOICE)
        return mt_outcome_parse(&run->outcome, text, err);
    else
        run->simulated = !strcmp(text, "true");
    return kind == FLAG && !run->simulated && strcmp(text, "false") != 0
               ? mt_fail(err, MT_EPARSE, "%s is not true or false: '%s'",
                         columns[column].key, text)
               : MT_OK;
}

int mt_run_set_json(struct mt_run *run, int column, const json_t *value,
                    struct mt_error *err)
{
    const enum member_kind kind = members[column].kind;
    char text[MT_QUANTITY_TEXT];
    if (json_is_null(value))
        return MT_OK;
    if (json_is_string(value) && (kind == TEXT || kind == CHOICE))
        return mt_run_set_text(run, column, json_string_value(value), err);
    if (json_is_boolean(value) && kind == FLAG) {
        run->simulated = json_is_true(value);
        return MT_OK;
    }
    if (json_is_number(value) && mt_run_column_counts(column)) {
        const double number = json_number_value(value);
        return mt_run_set_number(run, column, number, mt_format_number(text, number),
                                 err);
    }
    return mt_fail(err, MT_EPARSE, "%s is of the wrong type", columns[column].key);
}
