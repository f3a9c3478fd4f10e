/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/array.h"
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
    if (status == MT_OK)
        sqlite3_bind_int64(*statement, 1, id);
    bool row = true;
    for (*count = -1; status == MT_OK && row; ++*count)
        status = mt_sql_next(store, *statement, &row, err);
    sqlite3_reset(*statement);
    return status;
}

static int no_memory(const struct mt_store *store, struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for the models of store '%s'",
                   store->path);
}

/* What belongs to the terms of a model, or to those of its reference. */
struct coefficients {
    const char *text;
    struct mt_terms **terms;
    double **values;
    bool **serial; /* made only when a term is serial; NULL: none is */
};

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

static int read_coefficients(struct mt_store *store, sqlite3_stmt *statement,
                             const struct coefficients *to, int count,
                             struct mt_error *err)
{
    int status = MT_OK;
    bool row;
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (!values)
        return no_memory(store, err);
    *to->values = values;
    for (int i = 0; i < count && status == MT_OK; i++) {
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK)
            values[i] = mt_sql_number(statement, 0);
        if (status == MT_OK && to->serial && sqlite3_column_int(statement, 1))
            status = mark_serial(store, to->serial, count, i, err);
    }
    return status;
}

/* Parse the terms and read their coefficients. */
static int get_terms(struct mt_store *store, int64_t model, bool of_reference,
                     const struct coefficients *to, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status = mt_terms_parse(to->terms, to->text, err);
    if (status != MT_OK)
        return status;
    status = select_rows(store, &statement,
                         of_reference
                             ? "SELECT value, serial FROM coefficient WHERE model = ?"
                               " AND of_reference = 1 ORDER BY term"
                             : "SELECT value, serial FROM coefficient WHERE model = ?"
                               " AND of_reference = 0 ORDER BY term",
                         model, &count, err);
    if (status == MT_OK && count != mt_terms_count(*to->terms))
        status = mt_fail(err, MT_EINVAL,
                         "damaged store '%s': %d coefficients for the terms '%s'; fit "
                         "again",
                         store->path, count, to->text);
    if (status == MT_OK)
        status = read_coefficients(store, statement, to, count, err);
    sqlite3_finalize(statement);
    return status;
}

static int get_coefficients(struct mt_store *store, int64_t id, struct mt_model *model,
                            struct mt_error *err)
{
    const struct coefficients own = {model->terms_text, &model->terms,
                                     &model->coefficients, &model->serial};
    const struct coefficients reference = {model->reference_terms_text,
                                           &model->reference_terms,
                                           &model->reference_coefficients, NULL};
    int status = get_terms(store, id, false, &own, err);
    if (status == MT_OK && reference.text)
        status = get_terms(store, id, true, &reference, err);
    return status;
}

static int read_model_texts(sqlite3_stmt *statement, struct mt_model *model,
                            struct mt_error *err)
{
    int status = mt_sql_text(&model->configuration, statement, 1, err);
    if (status == MT_OK)
        status = mt_sql_text(&model->group, statement, 2, err);
    if (status == MT_OK)
        status = mt_sql_text(&model->terms_text, statement, 5, err);
    if (status == MT_OK)
        status = mt_sql_text(&model->reference_terms_text, statement, 6, err);
    return status;
}

static int read_model(struct mt_store *store, sqlite3_stmt *statement,
                      struct mt_model *model, struct mt_error *err)
{
    const int status = read_model_texts(statement, model, err);
    if (status != MT_OK)
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
    return get_coefficients(store, sqlite3_column_int64(statement, 0), model, err);
}

static int get_model_list(struct mt_store *store, int64_t fit, struct mt_models *models,
                          struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int count;
    int status =
        select_rows(store, &statement,
                    "SELECT id, configuration, group_name, processes, split, terms,"
                    " reference_terms, runs, size_low, size_high, ranks_low, "
                    "ranks_high, residual, cross_validated"
                    " FROM model WHERE fit = ? ORDER BY id",
                    fit, &count, err);
    if (status == MT_OK)
        models->models = calloc((size_t)count + 1, sizeof *models->models);
    if (status == MT_OK && !models->models)
        status = no_memory(store, err);
    bool row;
    while (status == MT_OK && models->count < count) {
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK)
            status =
                read_model(store, statement, &models->models[models->count++], err);
    }
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
    if (status == MT_OK)
        models->refused = calloc((size_t)count + 1, sizeof *models->refused);
    if (status == MT_OK && !models->refused)
        status = no_memory(store, err);
    bool row;
    while (status == MT_OK && models->nrefused < count) {
        struct mt_refusal *refusal = &models->refused[models->nrefused++];
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK)
            status = mt_sql_text(&refusal->subject, statement, 0, err);
        if (status == MT_OK)
            status = mt_sql_text(&refusal->reason, statement, 1, err);
    }
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
    if (status == MT_OK)
        models->dropped = calloc((size_t)count + 1, sizeof *models->dropped);
    if (status == MT_OK && !models->dropped)
        status = no_memory(store, err);
    bool row;
    while (status == MT_OK && models->ndropped < count) {
        struct mt_dropped *dropped = &models->dropped[models->ndropped++];
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK)
            status = mt_sql_text(&dropped->configuration, statement, 0, err);
        if (status == MT_OK)
            status = mt_sql_text(&dropped->reason, statement, 3, err);
        dropped->size = sqlite3_column_double(statement, 1);
        dropped->seconds = sqlite3_column_double(statement, 2);
    }
    sqlite3_finalize(statement);
    return status;
}

static int append_size(struct mt_fit_options *options, double size,
                       struct mt_error *err)
{
    const int status = mt_array_grow(&options->sizes, options->nsizes,
                                     sizeof *options->sizes, "sizes", err);
    if (status == MT_OK)
        options->sizes[options->nsizes++] = size;
    return status;
}

static int get_sizes(struct mt_store *store, int64_t fit,
                     struct mt_fit_options *options, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement, "SELECT size FROM training_size WHERE fit = ? ORDER BY size",
        err);
    if (status == MT_OK)
        sqlite3_bind_int64(statement, 1, fit);
    bool row = true;
    while (status == MT_OK && row) {
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK && row)
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

/* Find the row for models->kind, and fill in models->newest_run and its options. */
static int get_fit(struct mt_store *store, const char *cluster, const char *program,
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
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    mt_sql_bind_text(statement, 3, mt_model_kind_name(models->kind));
    bool row = false;
    status = mt_sql_next(store, statement, &row, err);
    if (status == MT_OK && !row)
        status = not_found(store, cluster, program, models->kind, err);
    if (status == MT_OK)
        status = read_fit(models, statement, fit, err);
    sqlite3_finalize(statement);
    if (status == MT_OK)
        status = get_sizes(store, *fit, &models->options, err);
    return status;
}

int mt_store_get_models(struct mt_store *store, const char *cluster,
                        const char *program, enum mt_model_kind kind,
                        struct mt_models *models, struct mt_error *err)
{
    struct mt_models found = {.kind = kind};
    int64_t fit = 0;
    int status = mt_sql_exec(store, "BEGIN", err); /* one state of several tables */
    if (status != MT_OK)
        return status;
    status = get_fit(store, cluster, program, &found, &fit, err);
    if (status == MT_OK)
        status = get_model_list(store, fit, &found, err);
    if (status == MT_OK)
        status = get_refused(store, fit, &found, err);
    if (status == MT_OK)
        status = get_dropped(store, fit, &found, err);
    status = mt_sql_end(store, status, err);
    if (status != MT_OK)
        mt_models_clear(&found);
    else
        *models = found;
    return status;
}

static int append_fitted(struct mt_fitted_list *list, sqlite3_stmt *statement,
                         struct mt_error *err)
{
    int status =
        mt_array_grow(&list->fitted, list->count, sizeof *list->fitted, "models", err);
    if (status != MT_OK)
        return status;
    struct mt_fitted *fitted = &list->fitted[list->count++];
    *fitted = (struct mt_fitted){0};
    const char *kind = (const char *)sqlite3_column_text(statement, 2);
    status = mt_sql_text(&fitted->cluster, statement, 0, err);
    if (status == MT_OK)
        status = mt_sql_text(&fitted->program, statement, 1, err);
    if (status == MT_OK)
        status = mt_model_kind_parse(&fitted->kind, kind ? kind : "", err);
    return status;
}

int mt_store_fitted(struct mt_store *store, struct mt_fitted_list *list,
                    const char *cluster, const char *program, struct mt_error *err)
{
    struct mt_fitted_list found = {0};
    if (store->version < 2) { /* see get_fit() */
        *list = found;
        return MT_OK;
    }
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "SELECT cluster, program, kind FROM fit"
                                " WHERE (?1 IS NULL OR cluster = ?1)"
                                " AND (?2 IS NULL OR program = ?2) ORDER BY id",
                                err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    bool row = true;
    while (status == MT_OK && row) {
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK && row)
            status = append_fitted(&found, statement, err);
    }
    sqlite3_finalize(statement);
    if (status != MT_OK)
        mt_fitted_clear(&found);
    else
        *list = found;
    return status;
}

void mt_fitted_clear(struct mt_fitted_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->fitted[i].cluster);
        free(list->fitted[i].program);
    }
    free(list->fitted);
    *list = (struct mt_fitted_list){0};
}
