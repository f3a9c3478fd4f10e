/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/array.h"
#include "runs.h"
#include "sql.h"

#include <stdlib.h>

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

/* Carry out the statement, which adds a run or does not, for each. */
static int add_each(struct mt_store *store, const char *insert, struct mt_runs *runs,
                    int *added, struct mt_error *err)
{
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    sqlite3_stmt *statement = NULL;
    int64_t first = store->first;
    status = mt_sql_prepare(store, &statement, insert, err);
    for (int i = 0; i < runs->count && status == MT_OK; i++) {
        bind_run(statement, &runs->runs[i]);
        status = mt_sql_run(store, statement, err);
        if (status != MT_OK || sqlite3_changes(store->db) == 0)
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

#define INSERT_RUN \
    "INSERT INTO run (" RUN_COLUMNS ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9," \
    " ?10, ?11, ?12, ?13, ?14, ?15, ?16"

int mt_store_add_runs(struct mt_store *store, struct mt_run *runs, int count,
                      struct mt_error *err)
{
    struct mt_runs all = {runs, count};
    int added = 0;
    const int status = add_each(store, INSERT_RUN, &all, &added, err);
    for (int i = 0; i < count && status != MT_OK; i++)
        runs[i].id = 0;
    return status;
}

int mt_runs_add_new(struct mt_store *store, const struct mt_runs *runs, int *added,
                    struct mt_error *err)
{
    struct mt_runs all = *runs;
    int new = 0;
    const int status =
        add_each(store,
                 INSERT_RUN " WHERE NOT EXISTS (SELECT 1 FROM run WHERE cluster = ?1"
                            " AND program = ?2 AND configuration = ?3 AND size = ?4"
                            " AND repetition = ?5 AND outcome = ?6 AND seconds IS ?7"
                            " AND wall = ?8 AND started = ?14)",
                 &all, &new, err);
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
