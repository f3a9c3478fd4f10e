/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads runs and lateness reports; hands back runs it cannot write. */

#include "internal.h"
#include "lib/base/array.h"
#include "lib/base/text.h"
#include "motley/store.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

static const char *const outcome_names[] = {
    [MT_RUN_OK] = "ok",
    [MT_RUN_FAILED] = "failed",
    [MT_RUN_SIGNALLED] = "signalled",
    [MT_RUN_TIMEOUT] = "timeout",
    [MT_RUN_UNREAD] = "unread",
};
enum { OUTCOMES = sizeof outcome_names / sizeof *outcome_names };

void mt_run_clear(struct mt_run *run)
{
    free(run->cluster);
    free(run->program);
    free(run->configuration);
    free(run->reason);
    free(run->output);
    free(run->down);
    free(run->launcher);
    *run = (struct mt_run){0};
}

const char *mt_outcome_name(enum mt_outcome outcome)
{
    return outcome_names[outcome];
}

int mt_outcome_parse(enum mt_outcome *outcome, const char *name, struct mt_error *err)
{
    for (int i = 0; i < OUTCOMES; i++)
        if (!strcmp(name, outcome_names[i])) {
            *outcome = (enum mt_outcome)i;
            return MT_OK;
        }
    return mt_fail(
        err, MT_EINVAL,
        "unknown outcome '%s': one of ok, failed, signalled, timeout, unread", name);
}

/* The order of the columns in all statements. */
#define RUN_COLUMNS \
    "cluster, program, configuration, size, repetition, outcome, seconds, wall," \
    " exit_code, signal, reason, launcher, simulated, started, output, absent"

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

int mt_store_add_runs(struct mt_store *store, struct mt_run *runs, int count,
                      struct mt_error *err)
{
    const bool within = !sqlite3_get_autocommit(store->db);
    int status = within ? MT_OK : mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    sqlite3_stmt *statement = NULL;
    status = mt_sql_prepare(store, &statement,
                            "INSERT INTO run (" RUN_COLUMNS
                            ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                            " ?12, ?13, ?14, ?15, ?16)",
                            err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        bind_run(statement, &runs[i]);
        status = mt_sql_run(store, statement, err);
        runs[i].id = sqlite3_last_insert_rowid(store->db);
    }
    sqlite3_finalize(statement);
    if (!within)
        status = mt_sql_end(store, status, err);
    if (status == MT_OK && store->first == 0 && count > 0)
        store->first = runs[0].id;
    for (int i = 0; i < count && status != MT_OK; i++)
        runs[i].id = 0;
    return status;
}

/* The same run, with the same times. */
static bool is_same(const struct mt_run *a, const struct mt_run *b)
{
    return a->wall == b->wall && a->repetition == b->repetition &&
           a->started == b->started && a->size == b->size &&
           strcmp(a->configuration, b->configuration) == 0;
}

/* The runs that this call has added to a file that is gone. They can still be read from
   the open file, which no longer has a name. */
static int collect(struct mt_store *store, struct mt_runs *left, struct mt_error *err)
{
    const struct mt_run_filter filter = {.from = store->first};
    if (store->first == 0 || mt_sql_check(store, NULL) == MT_OK)
        return MT_OK;
    const int status = mt_store_runs(store, left, &filter, err);
    if (status == MT_OK)
        store->first = 0;
    return status;
}

int mt_store_keep_run(struct mt_store *store, struct mt_run *run, struct mt_runs *left,
                      struct mt_error *err)
{
    struct mt_error reason;
    const int status = mt_store_add_run(store, run, &reason);
    if (status == MT_OK)
        return MT_OK;
    if (collect(store, left, NULL) == MT_OK && left->count > 0 &&
        is_same(&left->runs[left->count - 1], run))
        mt_run_clear(run); /* it was written, and collected with the others */
    else if (mt_array_grow(&left->runs, left->count, sizeof *left->runs, "runs", err) ==
             MT_OK) {
        left->runs[left->count++] = *run;
        *run = (struct mt_run){0};
    }
    return mt_fail(err, reason.status, "%s", reason.text);
}

int mt_store_settle(struct mt_store *store, struct mt_runs *left, struct mt_error *err)
{
    struct mt_error reason, unread;
    if (store->first == 0 || mt_sql_check(store, &reason) == MT_OK)
        return MT_OK;
    if (collect(store, left, &unread) != MT_OK)
        return mt_fail(err, MT_EIO, "%s, and the runs of this call cannot be read: %s",
                       reason.text, unread.text);
    return mt_fail(err, MT_EIO, "%s", reason.text);
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
    sqlite3_stmt *statement = NULL;
    int status =
        mt_sql_prepare(store, &statement, "SELECT id, " RUN_COLUMNS SELECTED_RUNS, err);
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

/* A search for a name in a store. */
struct search {
    const char *name;
    bool found;
    char *nearest; /* owned; NULL: none is near */
    size_t letters;
};

static int take_name(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct search *search = context;
    struct mt_closest closest = {.word = search->name};
    char *name = NULL;
    const int status = mt_sql_text(&name, row, 0, err);
    if (status != MT_OK || !name)
        return status;
    search->found = search->found || !strcmp(name, search->name);
    mt_closest_try(&closest, name);
    if (closest.name && (!search->nearest || closest.letters < search->letters)) {
        free(search->nearest);
        search->nearest = name;
        search->letters = closest.letters;
    } else {
        free(name);
    }
    return MT_OK;
}

/* Look for a name among the rows of `sql`, whose one parameter, if any, is `cluster`.
 */
static int look_for(struct mt_store *store, const char *sql, const char *cluster,
                    struct search *search, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int status = mt_sql_prepare(store, &statement, sql, err);
    if (status != MT_OK)
        return status;
    if (sqlite3_bind_parameter_count(statement) == 1)
        mt_sql_bind_text(statement, 1, cluster);
    return mt_sql_each(store, statement, take_name, search, err);
}

static int report(struct search *search, const char *what, const struct mt_store *store,
                  struct mt_error *err)
{
    if (search->found)
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND, "nothing of %s '%s' in store '%s'%s%s%s", what,
                   search->name, store->path, search->nearest ? "; did you mean '" : "",
                   search->nearest ? search->nearest : "", search->nearest ? "'?" : "");
}

int mt_store_check_names(struct mt_store *store, const char *cluster,
                         const char *program, struct mt_error *err)
{
    struct search clusters = {.name = cluster}, programs = {.name = program};
    int status = look_for(store,
                          "SELECT cluster FROM run UNION SELECT cluster FROM link"
                          " UNION SELECT cluster FROM fit",
                          NULL, &clusters, err);
    if (status == MT_OK)
        status = report(&clusters, "cluster", store, err);
    if (status == MT_OK && program)
        status = look_for(store,
                          "SELECT program FROM run WHERE cluster = ?1 UNION"
                          " SELECT program FROM fit WHERE cluster = ?1",
                          cluster, &programs, err);
    if (status == MT_OK && program)
        status = report(&programs, "program", store, err);
    free(clusters.nearest);
    free(programs.nearest);
    return status;
}

int mt_store_add_lateness(struct mt_store *store, const struct mt_lateness *lateness,
                          struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "INSERT INTO lateness (cluster, program, configuration,"
                                " size, simulated, started, report)"
                                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                                err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, lateness->cluster);
    mt_sql_bind_text(statement, 2, lateness->program);
    mt_sql_bind_text(statement, 3, lateness->configuration);
    sqlite3_bind_double(statement, 4, lateness->size);
    sqlite3_bind_int(statement, 5, lateness->simulated);
    sqlite3_bind_int64(statement, 6, lateness->started);
    mt_sql_bind_text(statement, 7, lateness->report);
    status = mt_sql_run(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

static int take_lateness(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_lateness_list *list = context;
    int status =
        mt_array_grow(&list->all, list->count, sizeof *list->all, "reports", err);
    if (status != MT_OK)
        return status;
    struct mt_lateness *lateness = &list->all[list->count++];
    *lateness = (struct mt_lateness){.id = sqlite3_column_int64(row, 0),
                                     .size = sqlite3_column_double(row, 4),
                                     .simulated = sqlite3_column_int(row, 5),
                                     .started = sqlite3_column_int64(row, 6)};
    status = mt_sql_name(&lateness->cluster, row, 1, err);
    if (status == MT_OK)
        status = mt_sql_name(&lateness->program, row, 2, err);
    if (status == MT_OK)
        status = mt_sql_name(&lateness->configuration, row, 3, err);
    return status == MT_OK ? mt_sql_name(&lateness->report, row, 7, err) : status;
}

int mt_store_latenesses(struct mt_store *store, struct mt_lateness_list *list,
                        const struct mt_run_filter *filter, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    struct mt_lateness_list found = {0};
    int status = mt_sql_prepare(store, &statement,
                                "SELECT id, cluster, program, configuration, size,"
                                " simulated, started, report FROM lateness"
                                " WHERE (?1 IS NULL OR cluster = ?1)"
                                " AND (?2 IS NULL OR program = ?2)"
                                " AND (?3 IS NULL OR configuration = ?3)"
                                " AND (?4 = 0 OR size = ?4)"
                                " ORDER BY started DESC, id DESC LIMIT ?5",
                                err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, filter->cluster);
    mt_sql_bind_text(statement, 2, filter->program);
    mt_sql_bind_text(statement, 3, filter->configuration);
    sqlite3_bind_double(statement, 4, filter->size);
    sqlite3_bind_int(statement, 5, filter->newest > 0 ? filter->newest : -1);
    status = mt_sql_each(store, statement, take_lateness, &found, err);
    if (status != MT_OK)
        mt_lateness_list_clear(&found);
    else
        *list = found;
    return status;
}

void mt_lateness_list_clear(struct mt_lateness_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->all[i].cluster);
        free(list->all[i].program);
        free(list->all[i].configuration);
        free(list->all[i].report);
    }
    free(list->all);
    *list = (struct mt_lateness_list){0};
}
