/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"
#include "lib/base/array.h"
#include "sql.h"

#include <stdlib.h>

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
