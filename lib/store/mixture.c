/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixture.h"

#include "lib/model/internal.h"

#include <stdlib.h>

static int put_kappa(struct mt_store *store, int64_t fit,
                     const struct mt_mixture *mixture, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status =
        mt_sql_prepare(store, &statement,
                       "INSERT INTO kappa (fit, term, value) VALUES (?, ?, ?)", err);
    for (int i = 0; i < mt_terms_count(mixture->terms) && status == MT_OK; i++) {
        sqlite3_bind_int64(statement, 1, fit);
        sqlite3_bind_int(statement, 2, i);
        sqlite3_bind_double(statement, 3, mixture->kappa[i]);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

int mt_store_put_mixture(struct mt_store *store, int64_t fit,
                         const struct mt_mixture *mixture, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status =
        mt_sql_prepare(store, &statement,
                       "INSERT INTO mixture (fit, lambda, terms, networks, runs,"
                       " residual, checked, size_low, size_high, ranks_low, "
                       "ranks_high) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       err);
    if (status != MT_OK)
        return status;
    sqlite3_bind_int64(statement, 1, fit);
    sqlite3_bind_double(statement, 2, mixture->lambda);
    mt_sql_bind_text(statement, 3, mixture->terms_text);
    mt_sql_bind_text(statement, 4, mixture->networks);
    sqlite3_bind_int(statement, 5, mixture->runs);
    sqlite3_bind_double(statement, 6, mixture->residual);
    sqlite3_bind_int64(statement, 7, mixture->checked);
    sqlite3_bind_double(statement, 8, mixture->size_low);
    sqlite3_bind_double(statement, 9, mixture->size_high);
    sqlite3_bind_int(statement, 10, mixture->ranks_low);
    sqlite3_bind_int(statement, 11, mixture->ranks_high);
    status = mt_sql_run(store, statement, err);
    sqlite3_finalize(statement);
    return status == MT_OK && mixture->terms ? put_kappa(store, fit, mixture, err)
                                             : status;
}

/* The coefficients of K, while they are read. */
struct kappas {
    double *values;
    int room, count;
};

static int take_kappa(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct kappas *to = context;
    double beyond;
    const int i = to->count++;
    return mt_sql_finite(i < to->room ? &to->values[i] : &beyond, row, 0, err);
}

static int get_kappa(struct mt_store *store, int64_t fit, struct mt_mixture *mixture,
                     struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_terms_parse(&mixture->terms, mixture->terms_text, err);
    if (status != MT_OK)
        return status;
    struct kappas kappas = {.room = mt_terms_count(mixture->terms)};
    kappas.values = mixture->kappa = calloc((size_t)kappas.room, sizeof(double));
    if (!mixture->kappa)
        return mt_fail(err, MT_ENOMEM, "no memory for %d terms", kappas.room);
    status = mt_sql_prepare(store, &statement,
                            "SELECT value FROM kappa WHERE fit = ? ORDER BY term", err);
    if (status != MT_OK)
        return status;
    sqlite3_bind_int64(statement, 1, fit);
    status = mt_sql_each(store, statement, take_kappa, &kappas, err);
    if (status == MT_OK && kappas.count != kappas.room)
        status = mt_fail(err, MT_EINVAL,
                         "damaged store '%s': %d coefficients for the terms '%s'; fit "
                         "again",
                         store->path, kappas.count, mixture->terms_text);
    return status;
}

static int take_mixture(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_mixture *mixture = context;
    mt_mixture_clear(mixture); /* a damaged store may have several */
    mixture->runs = sqlite3_column_int(row, 3);
    mixture->residual = mt_sql_number(row, 4);
    mixture->checked = sqlite3_column_int64(row, 5);
    mixture->size_low = mt_sql_number(row, 6);
    mixture->size_high = mt_sql_number(row, 7);
    mixture->ranks_low = sqlite3_column_int(row, 8);
    mixture->ranks_high = sqlite3_column_int(row, 9);
    int status = mt_sql_finite(&mixture->lambda, row, 0, err);
    if (status == MT_OK)
        status = mt_sql_text(&mixture->terms_text, row, 1, err);
    return status == MT_OK ? mt_sql_text(&mixture->networks, row, 2, err) : status;
}

int mt_store_get_mixture(struct mt_store *store, int64_t fit,
                         struct mt_mixture *mixture, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "SELECT lambda, terms, networks, runs, residual, checked, size_low,"
        " size_high, ranks_low, ranks_high FROM mixture WHERE fit = ?",
        err);
    if (status != MT_OK)
        return status;
    sqlite3_bind_int64(statement, 1, fit);
    status = mt_sql_each(store, statement, take_mixture, mixture, err);
    return status == MT_OK && mixture->terms_text ? get_kappa(store, fit, mixture, err)
                                                  : status;
}
