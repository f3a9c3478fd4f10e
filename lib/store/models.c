/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "fit.h"
#include "sql.h"

/* `serial` may be NULL: none is. */
static int put_coefficients(struct mt_store *store, int64_t model, bool of_reference,
                            const struct mt_terms *terms, const double *values,
                            const bool *serial, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "INSERT INTO coefficient (model, of_reference, term,"
                                " value, serial) VALUES (?, ?, ?, ?, ?)",
                                err);
    for (int i = 0; !status && i < mt_terms_count(terms); i++) {
        sqlite3_bind_int64(statement, 1, model);
        sqlite3_bind_int(statement, 2, of_reference);
        sqlite3_bind_int(statement, 3, i);
        sqlite3_bind_double(statement, 4, values[i]);
        sqlite3_bind_int(statement, 5, serial && serial[i]);
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
                                      model->coefficients, model->serial, err);
        if (!status && model->reference_terms)
            status = put_coefficients(store, id, true, model->reference_terms,
                                      model->reference_coefficients, NULL, err);
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

int mt_store_put_models(struct mt_store *store, const char *cluster,
                        const char *program, const struct mt_models *models,
                        struct mt_error *err)
{
    int64_t fit = 0;
    int status = mt_sql_begin(store, err);
    if (status)
        return status;
    status = mt_store_put_fit(store, cluster, program, models, &fit, err);
    if (!status)
        status = put_model_list(store, fit, models, err);
    if (!status)
        status = put_refused(store, fit, models, err);
    if (!status)
        status = put_dropped(store, fit, models, err);
    return mt_sql_end(store, status, err);
}
