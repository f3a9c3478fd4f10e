/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "fit.h"
#include "sql.h"

#include <stdlib.h>

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

static int mark_serial(const struct mt_store *store, bool **serial, int count, int term,
                       struct mt_error *err)
{
    if (!*serial)
        *serial = calloc((size_t)count, sizeof **serial);
    if (!*serial)
        return no_memory(store, err);
    (*serial)[term] = true;
    return MT_OK;
}

/* Parse the terms and read their coefficients into `*values`. `*serial`, unless NULL,
   is made only when a term is serial. */
static int get_terms(struct mt_store *store, int64_t model, bool of_reference,
                     const char *text, struct mt_terms **terms, double **values,
                     bool **serial, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status = mt_terms_parse(terms, text, err);
    if (status)
        return status;
    status = select_rows(store, &statement,
                         of_reference
                             ? "SELECT value, serial FROM coefficient WHERE model = ?"
                               " AND of_reference = 1 ORDER BY term"
                             : "SELECT value, serial FROM coefficient WHERE model = ?"
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
        if (!status && serial && sqlite3_column_int(statement, 1))
            status = mark_serial(store, serial, count, i, err);
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
                       &model->coefficients, &model->serial, err);
    if (!status && model->reference_terms_text)
        status = get_terms(store, id, true, model->reference_terms_text,
                           &model->reference_terms, &model->reference_coefficients,
                           NULL, err);
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

int mt_store_get_models(struct mt_store *store, const char *cluster,
                        const char *program, enum mt_model_kind kind,
                        struct mt_models *models, struct mt_error *err)
{
    struct mt_models found = {.kind = kind};
    int64_t fit = 0;
    int status = mt_sql_exec(store, "BEGIN", err); /* one state of several tables */
    if (status)
        return status;
    status = mt_store_get_fit(store, cluster, program, &found, &fit, err);
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
