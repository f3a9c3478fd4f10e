/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/array.h"
#include "runs.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* The order of the columns in all statements. */
#define OLD_RUN_COLUMNS \
    "cluster, program, configuration, size, repetition, outcome, seconds, wall," \
    " exit_code, signal, reason, launcher, simulated, started, output"
#define RUN_COLUMNS OLD_RUN_COLUMNS ", absent"

static void bind_run(sqlite3_stmt *statement, const struct mt_run *run)
{
    mt_sql_bind_text(statement, 1, run->cluster);
    mt_sql_bind_text(statement, 2, run->program);
    mt_sql_bind_text(statement, 3, run->configuration);
    sqlite3_bind_double(statement, 4, run->size);
    sqlite3_bind_int(statement, 5, run->repetition);
    mt_sql_bind_text(statement, 6, mt_outcome_name(run->outcome));
    if (run->outcome == MT_RUN_OK)
        sqlite3_bind_double(statement, 7, run->seconds);
    else
        sqlite3_bind_null(statement, 7);
    sqlite3_bind_double(statement, 8, run->wall);
    sqlite3_bind_int(statement, 9, run->exit_code);
    sqlite3_bind_int(statement, 10, run->signal);
    mt_sql_bind_text(statement, 11, run->reason);
    mt_sql_bind_text(statement, 12, run->launcher);
    sqlite3_bind_int(statement, 13, run->simulated);
    sqlite3_bind_int64(statement, 14, run->started);
    mt_sql_bind_text(statement, 15, run->output);
    mt_sql_bind_text(statement, 16, run->down);
}

int mt_store_add_run(struct mt_store *store, struct mt_run *run, struct mt_error *err)
{
    return mt_store_add_runs(store, run, 1, err);
}

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b;
}

/* 0: the same run, with the same times, not only of the same things. */
static int compare_runs(const void *left, const void *right)
{
    const struct mt_run *a = *(const struct mt_run *const *)left;
    const struct mt_run *b = *(const struct mt_run *const *)right;
    int order = strcmp(a->configuration, b->configuration);
    if (order == 0)
        order = compare_numbers(a->size, b->size);
    if (order == 0)
        order = compare_numbers(a->repetition, b->repetition);
    if (order == 0)
        order = compare_numbers(a->wall, b->wall);
    if (order == 0)
        order = (a->started > b->started) - (a->started < b->started);
    if (order == 0)
        order = (int)a->outcome - (int)b->outcome;
    if (order == 0 && a->outcome == MT_RUN_OK)
        order = compare_numbers(a->seconds, b->seconds);
    if (order == 0)
        order = strcmp(a->program, b->program);
    return order != 0 ? order : strcmp(a->cluster, b->cluster);
}

/* Runs that may be new. */
struct incoming {
    const struct mt_run *runs;     /* borrowed */
    bool *known;                   /* owned; of each */
    const struct mt_run **ordered; /* owned; each that differs, once */
    int count;                     /* of these */
};

static void incoming_clear(struct incoming *incoming)
{
    free(incoming->known);
    free(incoming->ordered);
}

static int incoming_init(struct incoming *incoming, const struct mt_runs *runs,
                         struct mt_error *err)
{
    const size_t count = (size_t)runs->count;
    *incoming =
        (struct incoming){.runs = runs->runs,
                          .known = calloc(count + 1, sizeof *incoming->known),
                          .ordered = calloc(count + 1, sizeof(struct mt_run *))};
    const struct mt_run **ordered = incoming->ordered;
    if (!incoming->known || !ordered)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    for (int i = 0; i < runs->count; i++)
        ordered[i] = &runs->runs[i];
    qsort(ordered, count, sizeof(struct mt_run *), compare_runs);
    for (int i = 0; i < runs->count; i++)
        if (i > 0 && compare_runs(&ordered[i], &ordered[incoming->count - 1]) == 0)
            incoming->known[ordered[i] - runs->runs] = true;
        else
            ordered[incoming->count++] = ordered[i];
    return MT_OK;
}

/* Of a damaged store there may be none. Nobody writes into it. */
static char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return (char *)(uintptr_t)(text ? text : (const unsigned char *)"");
}

static int take_known(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    (void)err;
    struct incoming *incoming = context;
    struct mt_run run = {.cluster = text_at(row, 0),
                         .program = text_at(row, 1),
                         .configuration = text_at(row, 2),
                         .size = sqlite3_column_double(row, 3),
                         .repetition = sqlite3_column_int(row, 4),
                         .seconds = sqlite3_column_double(row, 6),
                         .wall = sqlite3_column_double(row, 7),
                         .started = sqlite3_column_int64(row, 8)};
    const struct mt_run *known = &run;
    if (incoming->count == 0 ||
        mt_outcome_parse(&run.outcome, text_at(row, 5), NULL) != MT_OK)
        return MT_OK;
    const struct mt_run **found =
        bsearch(&known, incoming->ordered, (size_t)incoming->count,
                sizeof(struct mt_run *), compare_runs);
    if (found)
        incoming->known[*found - incoming->runs] = true;
    return MT_OK;
}

static int find_known(struct mt_store *store, struct incoming *incoming,
                      struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int status = mt_sql_prepare(
        store, &statement,
        "SELECT cluster, program, configuration, size, repetition, outcome, seconds,"
        " wall, started FROM run",
        err);
    return status == MT_OK ? mt_sql_each(store, statement, take_known, incoming, err)
                           : status;
}

/* Add all; or those that the store does not have, if `incoming` is to find them. */
static int add_each(struct mt_store *store, struct mt_runs *runs,
                    struct incoming *incoming, int *added, struct mt_error *err)
{
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    sqlite3_stmt *statement = NULL;
    int64_t first = store->first;
    if (incoming)
        status = find_known(store, incoming, err);
    if (status == MT_OK)
        status = mt_sql_prepare(store, &statement,
                                "INSERT INTO run (" RUN_COLUMNS
                                ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
                                " ?11, ?12, ?13, ?14, ?15, ?16)",
                                err);
    for (int i = 0; i < runs->count && status == MT_OK; i++) {
        if (incoming && incoming->known[i])
            continue;
        bind_run(statement, &runs->runs[i]);
        status = mt_sql_run(store, statement, err);
        if (status != MT_OK)
            continue;
        runs->runs[i].id = sqlite3_last_insert_rowid(store->db);
        first = first > 0 ? first : runs->runs[i].id;
        ++*added;
    }
    sqlite3_finalize(statement);
    status = mt_sql_end(store, status, err);
    if (status == MT_OK)
        store->first = first;
    return status;
}

int mt_store_add_runs(struct mt_store *store, struct mt_run *runs, int count,
                      struct mt_error *err)
{
    struct mt_runs all = {runs, count};
    int added = 0;
    const int status = add_each(store, &all, NULL, &added, err);
    for (int i = 0; i < count && status != MT_OK; i++)
        runs[i].id = 0;
    return status;
}

int mt_runs_add_new(struct mt_store *store, const struct mt_runs *runs, int *added,
                    struct mt_error *err)
{
    struct mt_runs all = *runs;
    struct incoming incoming;
    int new = 0;
    int status = incoming_init(&incoming, runs, err);
    if (status == MT_OK)
        status = add_each(store, &all, &incoming, &new, err);
    incoming_clear(&incoming);
    if (status == MT_OK)
        *added += new;
    return status;
}

static int read_texts(struct mt_run *run, sqlite3_stmt *statement, struct mt_error *err)
{
    int status = mt_sql_name(&run->cluster, statement, 1, err);
    if (status == MT_OK)
        status = mt_sql_name(&run->program, statement, 2, err);
    if (status == MT_OK)
        status = mt_sql_name(&run->configuration, statement, 3, err);
    if (status == MT_OK)
        status = mt_sql_text(&run->reason, statement, 11, err);
    if (status == MT_OK)
        status = mt_sql_text(&run->launcher, statement, 12, err);
    if (status == MT_OK)
        status = mt_sql_text(&run->output, statement, 15, err);
    if (status == MT_OK)
        status = mt_sql_text(&run->down, statement, 16, err);
    return status;
}

/* Fill an empty run from a row: id, then RUN_COLUMNS. */
static int read_run(struct mt_run *run, sqlite3_stmt *statement, struct mt_error *err)
{
    const char *outcome = (const char *)sqlite3_column_text(statement, 6);
    int status = mt_outcome_parse(&run->outcome, outcome ? outcome : "", err);
    if (status == MT_OK)
        status = read_texts(run, statement, err);
    run->id = sqlite3_column_int64(statement, 0);
    run->size = sqlite3_column_double(statement, 4);
    run->repetition = sqlite3_column_int(statement, 5);
    run->seconds = sqlite3_column_double(statement, 7); /* NULL gives 0 */
    run->wall = sqlite3_column_double(statement, 8);
    run->exit_code = sqlite3_column_int(statement, 9);
    run->signal = sqlite3_column_int(statement, 10);
    run->simulated = sqlite3_column_int(statement, 13);
    run->started = sqlite3_column_int64(statement, 14);
    return status;
}

static int take_run(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_runs *runs = context;
    const int status =
        mt_array_grow(&runs->runs, runs->count, sizeof *runs->runs, "runs", err);
    if (status != MT_OK)
        return status;
    struct mt_run *run = &runs->runs[runs->count++];
    *run = (struct mt_run){0};
    return read_run(run, row, err);
}

#define SELECTED_RUNS \
    " FROM run" \
    " WHERE (?1 IS NULL OR cluster = ?1)" \
    " AND (?2 IS NULL OR program = ?2)" \
    " AND (?3 IS NULL OR configuration = ?3)" \
    " AND (?4 = 0 OR size = ?4)" \
    " AND id >= ?6" \
    " AND (?5 = 0 OR outcome = 'ok')" \
    " AND (?7 = 0 OR outcome <> 'ok')" \
    " AND (?8 = 0 OR simulated) ORDER BY id DESC LIMIT ?9"

static void reverse(struct mt_runs *runs)
{
    for (int i = 0, last = runs->count - 1; i < last; i++, last--) {
        const struct mt_run run = runs->runs[i];
        runs->runs[i] = runs->runs[last];
        runs->runs[last] = run;
    }
}

int mt_store_runs(struct mt_store *store, struct mt_runs *runs,
                  const struct mt_run_filter *filter, struct mt_error *err)
{
    static const char *const select = "SELECT id, " RUN_COLUMNS SELECTED_RUNS,
                             *const select_old =
                                 "SELECT id, " OLD_RUN_COLUMNS ", NULL" SELECTED_RUNS;
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                store->version < 3 ? select_old : select, err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, filter->cluster);
    mt_sql_bind_text(statement, 2, filter->program);
    mt_sql_bind_text(statement, 3, filter->configuration);
    sqlite3_bind_double(statement, 4, filter->size);
    sqlite3_bind_int(statement, 5, filter->succeeded_only);
    sqlite3_bind_int64(statement, 6, filter->from);
    sqlite3_bind_int(statement, 7, filter->failed_only);
    sqlite3_bind_int(statement, 8, filter->simulated_only);
    sqlite3_bind_int(statement, 9, filter->newest > 0 ? filter->newest : -1);
    struct mt_runs found = {0};
    status = mt_sql_each(store, statement, take_run, &found, err);
    reverse(&found);
    if (status != MT_OK)
        mt_runs_clear(&found);
    else
        *runs = found;
    return status;
}

void mt_runs_clear(struct mt_runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        mt_run_clear(&runs->runs[i]);
    free(runs->runs);
    *runs = (struct mt_runs){0};
}
