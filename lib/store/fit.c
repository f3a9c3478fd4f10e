/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "sql.h"

#include <stdlib.h>

static int put_sizes(struct mt_store *store, int64_t fit,
                     const struct mt_fit_options *options, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement, "INSERT INTO training_size (fit, size) VALUES (?, ?)", err);
    for (int i = 0; !status && i < options->nsizes; i++) {
        sqlite3_bind_int64(statement, 1, fit);
        sqlite3_bind_double(statement, 2, options->sizes[i]);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

int mt_store_put_fit(struct mt_store *store, const char *cluster, const char *program,
                     const struct mt_models *models, int64_t *fit, struct mt_error *err)
{
    const struct mt_fit_options *options = &models->options;
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "INSERT OR REPLACE INTO fit (cluster, program, kind, newest_run, terms,"
        " no_split, glitch_k, glitch_tolerance, refuse_negative)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        err);
    if (status)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    mt_sql_bind_text(statement, 3, mt_model_kind_name(models->kind));
    sqlite3_bind_int64(statement, 4, models->newest_run);
    mt_sql_bind_text(statement, 5, options->terms);
    sqlite3_bind_int(statement, 6, options->no_split);
    sqlite3_bind_double(statement, 7, options->glitch_k);
    sqlite3_bind_int(statement, 8, options->glitch_tolerance);
    sqlite3_bind_int(statement, 9, options->refuse_negative);
    status = mt_sql_run(store, statement, err);
    *fit = sqlite3_last_insert_rowid(store->db);
    sqlite3_finalize(statement);
    return status ? status : put_sizes(store, *fit, options, err);
}

static int append_size(struct mt_fit_options *options, double size,
                       struct mt_error *err)
{
    double *grown =
        realloc(options->sizes, (size_t)(options->nsizes + 1) * sizeof *grown);
    if (!grown)
        return mt_fail(err, MT_ENOMEM, "no memory for the sizes of a fit");
    options->sizes = grown;
    grown[options->nsizes++] = size;
    return MT_OK;
}

static int get_sizes(struct mt_store *store, int64_t fit,
                     struct mt_fit_options *options, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement, "SELECT size FROM training_size WHERE fit = ? ORDER BY size",
        err);
    if (!status)
        sqlite3_bind_int64(statement, 1, fit);
    bool row = true;
    while (!status && row) {
        status = mt_sql_next(store, statement, &row, err);
        if (!status && row)
            status = append_size(options, sqlite3_column_double(statement, 0), err);
    }
    sqlite3_finalize(statement);
    return status;
}

static int read_fit(struct mt_models *models, sqlite3_stmt *statement, int64_t *fit,
                    struct mt_error *err)
{
    struct mt_fit_options *options = &models->options;
    *fit = sqlite3_column_int64(statement, 0);
    models->newest_run = sqlite3_column_int64(statement, 1);
    options->kind = models->kind;
    options->no_split = sqlite3_column_int(statement, 3);
    options->glitch_k = sqlite3_column_double(statement, 4);
    options->glitch_tolerance = sqlite3_column_int(statement, 5);
    options->refuse_negative = sqlite3_column_int(statement, 6);
    return mt_sql_text(&options->terms, statement, 2, err);
}

static int not_found(const struct mt_store *store, const char *cluster,
                     const char *program, enum mt_model_kind kind, struct mt_error *err)
{
    return mt_fail(err, MT_ENOTFOUND,
                   "no %s models of '%s' on '%s' in store '%s'; fit them first",
                   mt_model_kind_name(kind), program, cluster, store->path);
}

int mt_store_get_fit(struct mt_store *store, const char *cluster, const char *program,
                     struct mt_models *models, int64_t *fit, struct mt_error *err)
{
    /* Models of version 1 are dropped as soon as somebody opens the store to write. */
    if (store->version < 2)
        return not_found(store, cluster, program, models->kind, err);
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "SELECT id, newest_run, terms, no_split, glitch_k, glitch_tolerance,"
        " refuse_negative FROM fit WHERE cluster = ? AND program = ? AND kind = ?",
        err);
    if (status)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    mt_sql_bind_text(statement, 3, mt_model_kind_name(models->kind));
    bool row = false;
    status = mt_sql_next(store, statement, &row, err);
    if (!status && !row)
        status = not_found(store, cluster, program, models->kind, err);
    if (!status)
        status = read_fit(models, statement, fit, err);
    sqlite3_finalize(statement);
    return status ? status : get_sizes(store, *fit, &models->options, err);
}
