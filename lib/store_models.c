/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "store_sql.h"

#include <stdlib.h>

static int put_coefficients(struct mt_store *store, int64_t model, bool of_reference,
                            const struct mt_terms *terms, const double *values,
                            struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "INSERT INTO coefficient (model, of_reference, term,"
                                " value) VALUES (?, ?, ?, ?)",
                                err);
    for (int i = 0; !status && i < mt_terms_count(terms); i++) {
        sqlite3_bind_int64(statement, 1, model);
        sqlite3_bind_int(statement, 2, of_reference);
        sqlite3_bind_int(statement, 3, i);
        sqlite3_bind_double(statement, 4, values[i]);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static void bind_model(sqlite3_stmt *statement, int64_t fit,
                       const struct mt_model *model)
{
    sqlite3_bind_int64(statement, 1, fit);
    mt_sql_bind_text(statement, 2, model->configuration);
    mt_sql_bind_text(statement, 3, model->group);
    sqlite3_bind_int(statement, 4, model->processes);
    sqlite3_bind_int(statement, 5, model->split);
    mt_sql_bind_text(statement, 6, model->terms_text);
    mt_sql_bind_text(statement, 7, model->reference_terms_text);
    sqlite3_bind_int(statement, 8, model->runs);
    sqlite3_bind_double(statement, 9, model->size_low);
    sqlite3_bind_double(statement, 10, model->size_high);
    sqlite3_bind_int(statement, 11, model->ranks_low);
    sqlite3_bind_int(statement, 12, model->ranks_high);
    sqlite3_bind_double(statement, 13, model->residual);
    sqlite3_bind_double(statement, 14, model->cross_validated);
}

static int put_model_list(struct mt_store *store, int64_t fit,
                          const struct mt_models *models, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "INSERT INTO model (fit, configuration, group_name, processes, split, terms,"
        " reference_terms, runs, size_low, size_high, ranks_low, ranks_high, residual,"
        " cross_validated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        err);
    for (int i = 0; !status && i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        bind_model(statement, fit, model);
        status = mt_sql_run(store, statement, err);
        int64_t id = sqlite3_last_insert_rowid(store->db);
        if (!status)
            status = put_coefficients(store, id, false, model->terms,
                                      model->coefficients, err);
        if (!status && model->reference_terms)
            status = put_coefficients(store, id, true, model->reference_terms,
                                      model->reference_coefficients, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static int put_refused(struct mt_store *store, int64_t fit,
                       const struct mt_models *models, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "INSERT INTO refusal (fit, subject, reason) VALUES (?, ?, ?)", err);
    for (int i = 0; !status && i < models->nrefused; i++) {
        sqlite3_bind_int64(statement, 1, fit);
        mt_sql_bind_text(statement, 2, models->refused[i].subject);
        mt_sql_bind_text(statement, 3, models->refused[i].reason);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static int put_dropped(struct mt_store *store, int64_t fit,
                       const struct mt_models *models, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status =
        mt_sql_prepare(store, &statement,
                       "INSERT INTO dropped (fit, configuration, size, seconds,"
                       " reason) VALUES (?, ?, ?, ?, ?)",
                       err);
    for (int i = 0; !status && i < models->ndropped; i++) {
        const struct mt_dropped *dropped = &models->dropped[i];
        sqlite3_bind_int64(statement, 1, fit);
        mt_sql_bind_text(statement, 2, dropped->configuration);
        sqlite3_bind_double(statement, 3, dropped->size);
        sqlite3_bind_double(statement, 4, dropped->seconds);
        mt_sql_bind_text(statement, 5, dropped->reason);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

/* Replace the row of (cluster, program, kind); what belonged to the old one goes with
   it. */
static int put_fit(struct mt_store *store, const char *cluster, const char *program,
                   const struct mt_models *models, int64_t *fit, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "INSERT OR REPLACE INTO fit (cluster, program, kind,"
                                " newest_run) VALUES (?, ?, ?, ?)",
                                err);
    if (status)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    mt_sql_bind_text(statement, 3, mt_model_kind_name(models->kind));
    sqlite3_bind_int64(statement, 4, models->newest_run);
    status = mt_sql_run(store, statement, err);
    *fit = sqlite3_last_insert_rowid(store->db);
    sqlite3_finalize(statement);
    return status;
}

int mt_store_put_models(struct mt_store *store, const char *cluster,
                        const char *program, const struct mt_models *models,
                        struct mt_error *err)
{
    int64_t fit = 0;
    int status = mt_sql_begin(store, err);
    if (status)
        return status;
    status = put_fit(store, cluster, program, models, &fit, err);
    if (!status)
        status = put_model_list(store, fit, models, err);
    if (!status)
        status = put_refused(store, fit, models, err);
    if (!status)
        status = put_dropped(store, fit, models, err);
    return mt_sql_end(store, status, err);
}

/*
 * Prepare `sql`, whose one parameter is `id`, and count its rows; the first step after
 * that gives the first row. Only within a transaction is the number sure to hold.
 */
static int select_rows(struct mt_store *store, sqlite3_stmt **statement,
                       const char *sql, int64_t id, int *count, struct mt_error *err)
{
    int status = mt_sql_prepare(store, statement, sql, err);
    if (!status)
        sqlite3_bind_int64(*statement, 1, id);
    bool row = true;
    for (*count = -1; !status && row; ++*count)
        status = mt_sql_next(store, *statement, &row, err);
    sqlite3_reset(*statement);
    return status;
}

static int no_memory(const struct mt_store *store, struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for the models of store '%s'",
                   store->path);
}

/* Parse the terms and read their coefficients into `*values`. */
static int get_terms(struct mt_store *store, int64_t model, bool of_reference,
                     const char *text, struct mt_terms **terms, double **values,
                     struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status = mt_terms_parse(terms, text, err);
    if (status)
        return status;
    status = select_rows(store, &statement,
                         of_reference ? "SELECT value FROM coefficient WHERE model = ?"
                                        " AND of_reference = 1 ORDER BY term"
                                      : "SELECT value FROM coefficient WHERE model = ?"
                                        " AND of_reference = 0 ORDER BY term",
                         model, &count, err);
    if (!status && count != mt_terms_count(*terms))
        status = mt_fail(err, MT_EINVAL,
                         "damaged store '%s': %d coefficients for the terms '%s'; fit "
                         "again",
                         store->path, count, text);
    if (status)
        goto done;
    *values = calloc((size_t)count + 1, sizeof **values);
    if (!*values) {
        status = no_memory(store, err);
        goto done;
    }
    bool row;
    for (int i = 0; !status && i < count; i++) {
        status = mt_sql_next(store, statement, &row, err);
        if (!status)
            (*values)[i] = mt_sql_number(statement, 0);
    }
done:
    sqlite3_finalize(statement);
    return status;
}

static int read_model(struct mt_store *store, sqlite3_stmt *statement,
                      struct mt_model *model, struct mt_error *err)
{
    int status;
    if ((status = mt_sql_text(&model->configuration, statement, 1, err)) ||
        (status = mt_sql_text(&model->group, statement, 2, err)) ||
        (status = mt_sql_text(&model->terms_text, statement, 5, err)) ||
        (status = mt_sql_text(&model->reference_terms_text, statement, 6, err)))
        return status;
    if (!model->configuration && !model->group)
        return mt_fail(err, MT_EINVAL,
                       "damaged store '%s': a model of no group or configuration; fit "
                       "again",
                       store->path);
    model->processes = sqlite3_column_int(statement, 3);
    model->split = sqlite3_column_int(statement, 4);
    model->runs = sqlite3_column_int(statement, 7);
    model->size_low = mt_sql_number(statement, 8);
    model->size_high = mt_sql_number(statement, 9);
    model->ranks_low = sqlite3_column_int(statement, 10);
    model->ranks_high = sqlite3_column_int(statement, 11);
    model->residual = mt_sql_number(statement, 12);
    model->cross_validated = mt_sql_number(statement, 13);
    int64_t id = sqlite3_column_int64(statement, 0);
    status = get_terms(store, id, false, model->terms_text, &model->terms,
                       &model->coefficients, err);
    if (!status && model->reference_terms_text)
        status =
            get_terms(store, id, true, model->reference_terms_text,
                      &model->reference_terms, &model->reference_coefficients, err);
    return status;
}

static int get_model_list(struct mt_store *store, int64_t fit, struct mt_models *models,
                          struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status = select_rows(
        store, &statement,
        "SELECT id, configuration, group_name, processes, split, terms, "
        "reference_terms,"
        " runs, size_low, size_high, ranks_low, ranks_high, residual, cross_validated"
        " FROM model WHERE fit = ? ORDER BY id",
        fit, &count, err);
    if (status || count == 0)
        goto done;
    models->models = calloc((size_t)count, sizeof *models->models);
    if (!models->models) {
        status = no_memory(store, err);
        goto done;
    }
    bool row;
    while (!status && models->count < count) {
        status = mt_sql_next(store, statement, &row, err);
        if (!status)
            status =
                read_model(store, statement, &models->models[models->count++], err);
    }
done:
    sqlite3_finalize(statement);
    return status;
}

static int get_refused(struct mt_store *store, int64_t fit, struct mt_models *models,
                       struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status =
        select_rows(store, &statement,
                    "SELECT subject, reason FROM refusal WHERE fit = ? ORDER BY id",
                    fit, &count, err);
    if (status || count == 0)
        goto done;
    models->refused = calloc((size_t)count, sizeof *models->refused);
    if (!models->refused) {
        status = no_memory(store, err);
        goto done;
    }
    bool row;
    while (!status && models->nrefused < count) {
        struct mt_refusal *refusal = &models->refused[models->nrefused++];
        status = mt_sql_next(store, statement, &row, err);
        if (!status)
            status = mt_sql_text(&refusal->subject, statement, 0, err);
        if (!status)
            status = mt_sql_text(&refusal->reason, statement, 1, err);
    }
done:
    sqlite3_finalize(statement);
    return status;
}

static int get_dropped(struct mt_store *store, int64_t fit, struct mt_models *models,
                       struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status = select_rows(store, &statement,
                             "SELECT configuration, size, seconds, reason FROM dropped"
                             " WHERE fit = ? ORDER BY id",
                             fit, &count, err);
    if (status || count == 0)
        goto done;
    models->dropped = calloc((size_t)count, sizeof *models->dropped);
    if (!models->dropped) {
        status = no_memory(store, err);
        goto done;
    }
    bool row;
    while (!status && models->ndropped < count) {
        struct mt_dropped *dropped = &models->dropped[models->ndropped++];
        status = mt_sql_next(store, statement, &row, err);
        if (!status)
            status = mt_sql_text(&dropped->configuration, statement, 0, err);
        if (!status)
            status = mt_sql_text(&dropped->reason, statement, 3, err);
        dropped->size = sqlite3_column_double(statement, 1);
        dropped->seconds = sqlite3_column_double(statement, 2);
    }
done:
    sqlite3_finalize(statement);
    return status;
}

/* The id of the row of (cluster, program, models->kind), and its newest run. */
static int get_fit(struct mt_store *store, const char *cluster, const char *program,
                   struct mt_models *models, int64_t *fit, struct mt_error *err)
{
    const char *kind = mt_model_kind_name(models->kind);
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "SELECT id, newest_run FROM fit WHERE cluster = ?"
                                " AND program = ? AND kind = ?",
                                err);
    if (status)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    mt_sql_bind_text(statement, 3, kind);
    bool row = false;
    status = mt_sql_next(store, statement, &row, err);
    if (!status && !row)
        status = mt_fail(err, MT_ENOTFOUND,
                         "no %s models of '%s' on '%s' in store '%s'; fit them first",
                         kind, program, cluster, store->path);
    if (!status) {
        *fit = sqlite3_column_int64(statement, 0);
        models->newest_run = sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    return status;
}

int mt_store_get_models(struct mt_store *store, const char *cluster,
                        const char *program, enum mt_model_kind kind,
                        struct mt_models *models, struct mt_error *err)
{
    struct mt_models found = {.kind = kind};
    int64_t fit = 0;
    int status = mt_sql_exec(store, "BEGIN", err); /* one state of several tables */
    if (status)
        return status;
    status = get_fit(store, cluster, program, &found, &fit, err);
    if (!status)
        status = get_model_list(store, fit, &found, err);
    if (!status)
        status = get_refused(store, fit, &found, err);
    if (!status)
        status = get_dropped(store, fit, &found, err);
    status = mt_sql_end(store, status, err);
    if (status)
        mt_models_clear(&found);
    else
        *models = found;
    return status;
}
