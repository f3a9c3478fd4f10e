/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/array.h"
#include "sql.h"

#include <string.h>

static int put_link(struct mt_store *store, sqlite3_stmt *statement,
                    const struct mt_link_figure *link, struct mt_error *err)
{
    const bool ordered = strcmp(link->from, link->to) <= 0;
    mt_sql_bind_text(statement, 1, link->cluster);
    mt_sql_bind_text(statement, 2, ordered ? link->from : link->to);
    mt_sql_bind_text(statement, 3, ordered ? link->to : link->from);
    sqlite3_bind_double(statement, 4, link->latency);
    sqlite3_bind_double(statement, 5, link->bandwidth);
    sqlite3_bind_int(statement, 6, link->simulated);
    sqlite3_bind_int64(statement, 7, link->measured);
    return mt_sql_run(store, statement, err);
}

int mt_store_put_links(struct mt_store *store, const struct mt_link_figures *links,
                       struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    status =
        mt_sql_prepare(store, &statement,
                       "INSERT OR REPLACE INTO link (cluster, from_group, to_group,"
                       " latency, bandwidth, simulated, measured)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?)",
                       err);
    for (int i = 0; i < links->count && status == MT_OK; i++)
        status = put_link(store, statement, &links->all[i], err);
    sqlite3_finalize(statement);
    return mt_sql_end(store, status, err);
}

static int take_link(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_link_figures *list = context;
    int status =
        mt_array_grow(&list->all, list->count, sizeof *list->all, "links", err);
    if (status != MT_OK)
        return status;
    struct mt_link_figure *link = &list->all[list->count++];
    *link = (struct mt_link_figure){.latency = sqlite3_column_double(row, 3),
                                    .bandwidth = sqlite3_column_double(row, 4),
                                    .simulated = sqlite3_column_int(row, 5),
                                    .measured = sqlite3_column_int64(row, 6)};
    status = mt_sql_name(&link->cluster, row, 0, err);
    if (status == MT_OK)
        status = mt_sql_name(&link->from, row, 1, err);
    return status == MT_OK ? mt_sql_name(&link->to, row, 2, err) : status;
}

int mt_store_links(struct mt_store *store, struct mt_link_figures *links,
                   const char *cluster, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    struct mt_link_figures found = {0};
    if (store->version < 4)
        return MT_OK; /* older stores have no such table */
    int status = mt_sql_prepare(store, &statement,
                                "SELECT cluster, from_group, to_group, latency,"
                                " bandwidth, simulated, measured FROM link"
                                " WHERE ?1 IS NULL OR cluster = ?1"
                                " ORDER BY cluster, from_group, to_group",
                                err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    status = mt_sql_each(store, statement, take_link, &found, err);
    if (status != MT_OK)
        mt_link_figures_clear(&found);
    else
        *links = found;
    return status;
}
