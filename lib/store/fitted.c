/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "sql.h"

#include <stdlib.h>

static int append_fitted(struct mt_fitted_list *list, sqlite3_stmt *statement,
                         struct mt_error *err)
{
    struct mt_fitted *grown =
        realloc(list->fitted, (size_t)(list->count + 1) * sizeof *grown);
    if (!grown)
        return mt_fail(err, MT_ENOMEM, "no memory to list models");
    list->fitted = grown;
    struct mt_fitted *fitted = &grown[list->count++];
    *fitted = (struct mt_fitted){0};
    const char *kind = (const char *)sqlite3_column_text(statement, 2);
    int status = mt_sql_text(&fitted->cluster, statement, 0, err);
    if (!status)
        status = mt_sql_text(&fitted->program, statement, 1, err);
    if (!status)
        status = mt_model_kind_parse(&fitted->kind, kind ? kind : "", err);
    return status;
}

int mt_store_fitted(struct mt_store *store, struct mt_fitted_list *list,
                    const char *cluster, const char *program, struct mt_error *err)
{
    struct mt_fitted_list found = {0};
    if (store->version < 2) { /* see mt_store_get_fit() */
        *list = found;
        return MT_OK;
    }
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "SELECT cluster, program, kind FROM fit"
                                " WHERE (?1 IS NULL OR cluster = ?1)"
                                " AND (?2 IS NULL OR program = ?2) ORDER BY id",
                                err);
    if (status)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, program);
    bool row = true;
    while (!status && row) {
        status = mt_sql_next(store, statement, &row, err);
        if (!status && row)
            status = append_fitted(&found, statement, err);
    }
    sqlite3_finalize(statement);
    if (status)
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
