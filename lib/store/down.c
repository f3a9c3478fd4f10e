/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "sql.h"

#include <stdlib.h>

/* Carry out a statement whose first two parameters are the cluster and the host. */
static int change(struct mt_store *store, const char *sql, const char *cluster,
                  const char *host, int64_t since, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement, sql, err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    mt_sql_bind_text(statement, 2, host);
    if (sqlite3_bind_parameter_count(statement) == 3)
        sqlite3_bind_int64(statement, 3, since);
    status = mt_sql_run(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

int mt_store_set_down(struct mt_store *store, const char *cluster, const char *host,
                      int64_t since, struct mt_error *err)
{
    return change(store,
                  "INSERT INTO absent (cluster, host, since) VALUES (?1, ?2, ?3)"
                  " ON CONFLICT DO NOTHING",
                  cluster, host, since, err);
}

int mt_store_set_up(struct mt_store *store, const char *cluster, const char *host,
                    struct mt_error *err)
{
    return change(store, "DELETE FROM absent WHERE cluster = ?1 AND host = ?2", cluster,
                  host, 0, err);
}

static int take_node(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_down_nodes *list = context;
    const int status =
        mt_array_grow(&list->nodes, list->count, sizeof *list->nodes, "nodes", err);
    if (status != MT_OK)
        return status;
    struct mt_down_node *node = &list->nodes[list->count++];
    *node = (struct mt_down_node){.since = sqlite3_column_int64(row, 1)};
    return mt_sql_name(&node->host, row, 0, err);
}

int mt_store_down_nodes(struct mt_store *store, struct mt_down_nodes *list,
                        const char *cluster, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "SELECT host, since FROM absent WHERE cluster = ? ORDER BY host", err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, cluster);
    struct mt_down_nodes found = {0};
    status = mt_sql_each(store, statement, take_node, &found, err);
    if (status != MT_OK)
        mt_down_nodes_clear(&found);
    else
        *list = found;
    return status;
}

int mt_store_leave_out_down(struct mt_store *store, struct mt_cluster *cluster,
                            struct mt_down_nodes *left_out, struct mt_error *err)
{
    struct mt_down_nodes down = {0};
    const int status = mt_store_down_nodes(store, &down, cluster->name, err);
    if (status != MT_OK)
        return status;
    int count = 0;
    for (int i = 0; i < down.count; i++) {
        if (mt_cluster_leave_out(cluster, down.nodes[i].host))
            down.nodes[count++] = down.nodes[i];
        else
            free(down.nodes[i].host);
    }
    down.count = count;
    *left_out = down;
    return MT_OK;
}

void mt_down_nodes_clear(struct mt_down_nodes *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->nodes[i].host);
    free(list->nodes);
    *list = (struct mt_down_nodes){0};
}
