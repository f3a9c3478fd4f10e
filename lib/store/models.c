/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the models of a fit into the store. */
#include "internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "sql.h"

static int put_sizes(struct mt_store *store, int64_t fit,
                     const struct mt_fit_options *options, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement, "INSERT INTO training_size (fit, size) VALUES (?, ?)", err);
    for (int i = 0; i < options->nsizes && status == MT_OK; i++) {
        sqlite3_bind_int64(statement, 1, fit);
        sqlite3_bind_double(statement, 2, options->sizes[i]);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

/* The row that owns the models: the newest run behind them and the options of the fit.
   It replaces the old row and everything that belonged to it. `fit` is its id. */
static int put_fit(struct mt_store *store, const char *cluster, const char *program,
                   const struct mt_models *models, int64_t *fit, struct mt_error *err)
{
    const struct mt_fit_options *options = &models->options;
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "INSERT OR REPLACE INTO fit (cluster, program, kind, newest_run, terms,"
        " no_split, glitch_k, glitch_tolerance, refuse_negative, formulas)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        err);
    if (status != MT_OK)
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
    mt_sql_bind_text(statement, 10, models->formulas);
    status = mt_sql_run(store, statement, err);
    *fit = sqlite3_last_insert_rowid(store->db);
    sqlite3_finalize(statement);
    if (status == MT_OK)
        status = put_sizes(store, *fit, options, err);
    return status;
}

/* The model's coefficients, or those of its reference. */
static int put_coefficients(struct mt_store *store, int64_t id,
                            const struct mt_model *model, bool of_reference,
                            struct mt_error *err)
{
    const struct mt_terms *terms = of_reference ? model->reference_terms : model->terms;
    const double *values =
        of_reference ? model->reference_coefficients : model->coefficients;
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "INSERT INTO coefficient (model, of_reference, term,"
                                " value) VALUES (?, ?, ?, ?)",
                                err);
    for (int i = 0; i < mt_terms_count(terms) && status == MT_OK; i++) {
        sqlite3_bind_int64(statement, 1, id);
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
    sqlite3_bind_int(statement, 4, model->layout.processes);
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
    sqlite3_bind_int(statement, 15, mt_layout_threads(model->layout));
    mt_sql_bind_text(statement, 16, mt_bind_name(model->layout.bind));
    sqlite3_bind_int(statement, 17, model->layout.gpus);
}

static int put_model_list(struct mt_store *store, int64_t fit,
                          const struct mt_models *models, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "INSERT INTO model (fit, configuration, group_name, processes, split, terms,"
        " reference_terms, runs, size_low, size_high, ranks_low, ranks_high, residual,"
        " cross_validated, threads, bind, gpus)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        err);
    for (int i = 0; i < models->count && status == MT_OK; i++) {
        const struct mt_model *model = &models->models[i];
        bind_model(statement, fit, model);
        status = mt_sql_run(store, statement, err);
        int64_t id = sqlite3_last_insert_rowid(store->db);
        if (status == MT_OK && model->terms)
            status = put_coefficients(store, id, model, false, err);
        if (status == MT_OK && model->reference_terms)
            status = put_coefficients(store, id, model, true, err);
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
    for (int i = 0; i < models->nrefused && status == MT_OK; i++) {
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
    for (int i = 0; i < models->ndropped && status == MT_OK; i++) {
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

/* The modes of an auto fit. */
static int put_modes(struct mt_store *store, int64_t fit, const struct mt_modes *modes,
                     struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_exec(store, mt_modes_table, err);
    if (status == MT_OK)
        status = mt_sql_prepare(store, &statement,
                                "INSERT INTO modes (fit, numbers) VALUES (?, ?)", err);
    if (status != MT_OK)
        return status;
    sqlite3_bind_int64(statement, 1, fit);
    sqlite3_bind_blob(statement, 2, modes->values,
                      modes->count * (int)sizeof *modes->values, SQLITE_STATIC);
    status = mt_sql_run(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

/* Good models are not replaced by refused ones. */
static int check_none_lost(struct mt_store *store, const char *cluster,
                           const char *program, const struct mt_models *models,
                           struct mt_error *err)
{
    struct mt_models before = {0};
    struct mt_error none;
    int status = MT_OK;
    if (mt_store_get_models(store, cluster, program, models->kind, &before, &none) ==
        MT_OK) {
        const struct mt_refusal *lost = mt_models_lost(models, &before);
        if (lost)
            status = mt_fail(err, MT_ERANK,
                             "the models that were there stay, as there would be none "
                             "of '%s' any more: %s",
                             lost->subject, lost->reason);
    }
    mt_models_clear(&before);
    return status;
}

int mt_store_put_models(struct mt_store *store, const char *cluster,
                        const char *program, const struct mt_models *models,
                        struct mt_error *err)
{
    int64_t fit = 0;
    int status = check_none_lost(store, cluster, program, models, err);
    if (status == MT_OK)
        status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    status = put_fit(store, cluster, program, models, &fit, err);
    if (status == MT_OK)
        status = put_model_list(store, fit, models, err);
    if (status == MT_OK)
        status = put_refused(store, fit, models, err);
    if (status == MT_OK)
        status = put_dropped(store, fit, models, err);
    if (status == MT_OK && models->modes.count > 0)
        status = put_modes(store, fit, &models->modes, err);
    return mt_sql_end(store, status, err);
}
