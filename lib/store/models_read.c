/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads models from the store, and lists its fits. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/model/internal.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* Hand every row of `sql`, whose one parameter is `id`, to `take`. */
static int each_of(struct mt_store *store, const char *sql, int64_t id,
                   int (*take)(void *context, sqlite3_stmt *row, struct mt_error *err),
                   void *context, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int status = mt_sql_prepare(store, &statement, sql, err);
    if (status != MT_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    return mt_sql_each(store, statement, take, context, err);
}

/* Values of the terms of a model, or of its reference. */
struct coefficients {
    const char *text;
    struct mt_terms **terms;
    double **values;
    int count; /* that were read; those beyond the terms are dropped */
};

static int take_coefficient(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct coefficients *to = context;
    const int i = to->count++, terms = mt_terms_count(*to->terms);
    if (i >= terms)
        return MT_OK;
    return mt_sql_finite(&(*to->values)[i], row, 0, err);
}

/* Parse the terms and read their coefficients. */
static int get_terms(struct mt_store *store, int64_t model, bool of_reference,
                     struct coefficients *to, struct mt_error *err)
{
    int status = mt_terms_parse(to->terms, to->text, err);
    if (status != MT_OK)
        return status;
    const int terms = mt_terms_count(*to->terms);
    *to->values = calloc((size_t)terms + 1, sizeof **to->values);
    if (!*to->values)
        return mt_fail(err, MT_ENOMEM, "no memory for %d terms", terms);
    status = each_of(store,
                     of_reference ? "SELECT value FROM coefficient WHERE model"
                                    " = ? AND of_reference = 1 ORDER BY term"
                                  : "SELECT value FROM coefficient WHERE model"
                                    " = ? AND of_reference = 0 ORDER BY term",
                     model, take_coefficient, to, err);
    if (status == MT_OK && to->count != terms)
        status = mt_fail(err, MT_EINVAL,
                         "damaged store '%s': %d coefficients for the terms '%s'; fit "
                         "again",
                         store->path, to->count, to->text);
    return status;
}

static int get_coefficients(struct mt_store *store, int64_t id, struct mt_model *model,
                            struct mt_error *err)
{
    struct coefficients own = {model->terms_text, &model->terms, &model->coefficients,
                               0};
    struct coefficients reference = {model->reference_terms_text,
                                     &model->reference_terms,
                                     &model->reference_coefficients, 0};
    int status = get_terms(store, id, false, &own, err);
    if (status == MT_OK && reference.text)
        status = get_terms(store, id, true, &reference, err);
    return status;
}

/* Auto models have no terms of their own. */
static int read_model_texts(sqlite3_stmt *statement, struct mt_model *model,
                            bool has_terms, struct mt_error *err)
{
    int status = mt_sql_text(&model->configuration, statement, 1, err);
    if (status == MT_OK)
        status = mt_sql_text(&model->group, statement, 2, err);
    if (status == MT_OK && has_terms)
        status = mt_sql_name(&model->terms_text, statement, 5, err);
    if (status == MT_OK && has_terms)
        status = mt_sql_text(&model->reference_terms_text, statement, 6, err);
    return status;
}

static int read_model(struct mt_store *store, sqlite3_stmt *statement,
                      struct mt_model *model, bool has_terms, struct mt_error *err)
{
    const int status = read_model_texts(statement, model, has_terms, err);
    if (status != MT_OK)
        return status;
    if (!model->configuration && !model->group)
        return mt_fail(err, MT_EINVAL,
                       "damaged store '%s': a model of no group or configuration; fit "
                       "again",
                       store->path);
    model->layout.processes = sqlite3_column_int(statement, 3);
    model->split = sqlite3_column_int(statement, 4);
    model->runs = sqlite3_column_int(statement, 7);
    model->size_low = mt_sql_number(statement, 8);
    model->size_high = mt_sql_number(statement, 9);
    model->ranks_low = sqlite3_column_int(statement, 10);
    model->ranks_high = sqlite3_column_int(statement, 11);
    model->residual = mt_sql_number(statement, 12);
    model->cross_validated = mt_sql_number(statement, 13);
    const int threads = sqlite3_column_int(statement, 14);
    model->layout.threads = threads > 1 ? threads : 0;
    model->layout.gpus = sqlite3_column_int(statement, 16);
    const char *bind = (const char *)sqlite3_column_text(statement, 15);
    for (int i = 0; bind && i < MT_BINDS; i++)
        if (strcmp(bind, mt_bind_name((enum mt_bind)i)) == 0)
            model->layout.bind = (enum mt_bind)i;
    return has_terms
               ? get_coefficients(store, sqlite3_column_int64(statement, 0), model, err)
               : MT_OK;
}

/* The models of a fit being read. */
struct reading {
    struct mt_store *store;
    struct mt_models *models;
};

static int take_model(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    const struct reading *reading = context;
    struct mt_models *models = reading->models;
    const int status = mt_array_grow(&models->models, models->count,
                                     sizeof *models->models, "models", err);
    if (status != MT_OK)
        return status;
    struct mt_model *model = &models->models[models->count++];
    *model = (struct mt_model){0};
    return read_model(reading->store, row, model, models->kind != MT_MODEL_AUTO, err);
}

static int take_refusal(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_models *models = context;
    int status = mt_array_grow(&models->refused, models->nrefused,
                               sizeof *models->refused, "refusals", err);
    if (status != MT_OK)
        return status;
    struct mt_refusal *refusal = &models->refused[models->nrefused++];
    *refusal = (struct mt_refusal){0};
    status = mt_sql_name(&refusal->subject, row, 0, err);
    if (status == MT_OK)
        status = mt_sql_name(&refusal->reason, row, 1, err);
    return status;
}

static int take_dropped(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_models *models = context;
    int status = mt_array_grow(&models->dropped, models->ndropped,
                               sizeof *models->dropped, "glitches", err);
    if (status != MT_OK)
        return status;
    struct mt_dropped *dropped = &models->dropped[models->ndropped++];
    *dropped = (struct mt_dropped){.size = sqlite3_column_double(row, 1),
                                   .seconds = sqlite3_column_double(row, 2)};
    status = mt_sql_name(&dropped->configuration, row, 0, err);
    if (status == MT_OK)
        status = mt_sql_name(&dropped->reason, row, 3, err);
    return status;
}

static int take_modes(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_modes *modes = context;
    const int bytes = sqlite3_column_bytes(row, 0);
    modes->values = malloc((size_t)bytes + 1);
    if (!modes->values)
        return mt_fail(err, MT_ENOMEM, "no memory for the modes of a fit");
    if (bytes > 0)
        memcpy(modes->values, sqlite3_column_blob(row, 0), (size_t)bytes);
    modes->count = bytes / (int)sizeof *modes->values;
    return MT_OK;
}

static int take_size(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_fit_options *options = context;
    const int status = mt_array_grow(&options->sizes, options->nsizes,
                                     sizeof *options->sizes, "sizes", err);
    if (status == MT_OK)
        options->sizes[options->nsizes++] = sqlite3_column_double(row, 0);
    return status;
}

#define MODEL_COLUMNS \
    "SELECT id, configuration, group_name, processes, split, terms, reference_terms," \
    " runs, size_low, size_high, ranks_low, ranks_high, residual, cross_validated"
#define FROM_MODEL " FROM model WHERE fit = ? ORDER BY id"

/* Read everything that belongs to the row of a fit. */
static int get_rows(struct mt_store *store, int64_t fit, struct mt_models *models,
                    struct mt_error *err)
{
    struct reading reading = {store, models};
    int status =
        each_of(store, "SELECT size FROM training_size WHERE fit = ? ORDER BY size",
                fit, take_size, &models->options, err);
    if (status == MT_OK)
        status = each_of(store, MODEL_COLUMNS ", threads, bind, gpus" FROM_MODEL, fit,
                         take_model, &reading, err);
    if (status == MT_OK)
        status = each_of(
            store, "SELECT subject, reason FROM refusal WHERE fit = ? ORDER BY id", fit,
            take_refusal, models, err);
    if (status == MT_OK)
        status = each_of(store,
                         "SELECT configuration, size, seconds, reason FROM dropped"
                         " WHERE fit = ? ORDER BY id",
                         fit, take_dropped, models, err);
    if (status == MT_OK && models->kind == MT_MODEL_AUTO) /* older stores lack them */
        (void)each_of(store, "SELECT numbers FROM modes WHERE fit = ?", fit, take_modes,
                      &models->modes, NULL);
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
    int status = mt_sql_text(&options->terms, statement, 2, err);
    return status == MT_OK ? mt_sql_text(&models->formulas, statement, 7, err) : status;
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
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "SELECT id, newest_run, terms, no_split, glitch_k, glitch_tolerance,"
        " refuse_negative, formulas FROM fit"
        " WHERE cluster = ? AND program = ? AND kind = ?",
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
    return status;
}

int mt_store_get_models(struct mt_store *store, const char *cluster,
                        const char *program, enum mt_model_kind kind,
                        struct mt_models *models, struct mt_error *err)
{
    struct mt_models found = {.kind = kind};
    int64_t fit = 0;
    int status = mt_sql_exec(store, "BEGIN", err); /* a consistent view of several
                                                      tables */
    if (status != MT_OK)
        return status;
    status = get_fit(store, cluster, program, &found, &fit, err);
    if (status == MT_OK)
        status = get_rows(store, fit, &found, err);
    status = mt_sql_end(store, status, err);
    if (status != MT_OK)
        mt_models_clear(&found);
    else
        *models = found;
    return status;
}

static int take_fitted(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_fitted_list *list = context;
    int status =
        mt_array_grow(&list->fitted, list->count, sizeof *list->fitted, "models", err);
    if (status != MT_OK)
        return status;
    struct mt_fitted *fitted = &list->fitted[list->count++];
    *fitted = (struct mt_fitted){0};
    const char *kind = (const char *)sqlite3_column_text(row, 2);
    status = mt_sql_name(&fitted->cluster, row, 0, err);
    if (status == MT_OK)
        status = mt_sql_name(&fitted->program, row, 1, err);
    if (status == MT_OK)
        status = mt_model_kind_parse(&fitted->kind, kind ? kind : "", err);
    return status;
}

int mt_store_fitted(struct mt_store *store, struct mt_fitted_list *list,
                    const char *cluster, const char *program, struct mt_error *err)
{
    struct mt_fitted_list found = {0};
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
    status = mt_sql_each(store, statement, take_fitted, &found, err);
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
