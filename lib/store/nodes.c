/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes that are down, and the links that motley check measured, in the store. */

#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

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

/* The cluster and the groups, these in order. */
static void bind_groups(sqlite3_stmt *statement, const struct mt_link_figure *link)
{
    const bool ordered = strcmp(link->from, link->to) <= 0;
    mt_sql_bind_text(statement, 1, link->cluster);
    mt_sql_bind_text(statement, 2, ordered ? link->from : link->to);
    mt_sql_bind_text(statement, 3, ordered ? link->to : link->from);
}

static int put_link(struct mt_store *store, const struct mt_link_figure *link,
                    struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status =
        mt_sql_prepare(store, &statement,
                       "INSERT OR REPLACE INTO link (cluster, from_group, to_group,"
                       " latency, bandwidth, simulated, measured)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?)",
                       err);
    if (status == MT_OK) {
        bind_groups(statement, link);
        sqlite3_bind_double(statement, 4, link->latency);
        sqlite3_bind_double(statement, 5, link->bandwidth);
        sqlite3_bind_int(statement, 6, link->simulated);
        sqlite3_bind_int64(statement, 7, link->measured);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static int remove_points(struct mt_store *store, const struct mt_link_figure *link,
                         struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "DELETE FROM link_point WHERE cluster = ?"
                                " AND from_group = ? AND to_group = ?",
                                err);
    if (status == MT_OK) {
        bind_groups(statement, link);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static int put_points(struct mt_store *store, const struct mt_link_figure *link,
                      struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = remove_points(store, link, err);
    if (status == MT_OK)
        status = mt_sql_prepare(store, &statement,
                                "INSERT INTO link_point (cluster, from_group,"
                                " to_group, bytes, seconds) VALUES (?, ?, ?, ?, ?)",
                                err);
    for (int i = 0; i < link->npoints && status == MT_OK; i++) {
        bind_groups(statement, link);
        sqlite3_bind_double(statement, 4, link->points[i].bytes);
        sqlite3_bind_double(statement, 5, link->points[i].seconds);
        status = mt_sql_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

int mt_store_put_links(struct mt_store *store, const struct mt_link_figures *links,
                       struct mt_error *err)
{
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < links->count && status == MT_OK; i++) {
        status = put_link(store, &links->all[i], err);
        if (status == MT_OK)
            status = put_points(store, &links->all[i], err);
    }
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

static int take_point(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct mt_link_figure *link = context;
    int status =
        mt_array_grow(&link->points, link->npoints, sizeof *link->points, "links", err);
    if (status == MT_OK)
        link->points[link->npoints++] = (struct mt_link_point){
            sqlite3_column_double(row, 0), sqlite3_column_double(row, 1)};
    return status;
}

static int read_points(struct mt_store *store, struct mt_link_figure *link,
                       struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(store, &statement,
                                "SELECT bytes, seconds FROM link_point"
                                " WHERE cluster = ? AND from_group = ?"
                                " AND to_group = ? ORDER BY bytes",
                                err);
    if (status != MT_OK)
        return status;
    bind_groups(statement, link);
    return mt_sql_each(store, statement, take_point, link, err);
}

int mt_store_links(struct mt_store *store, struct mt_link_figures *links,
                   const char *cluster, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    struct mt_link_figures found = {0};
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
    for (int i = 0; i < found.count && status == MT_OK; i++)
        status = read_points(store, &found.all[i], err);
    if (status != MT_OK)
        mt_link_figures_clear(&found);
    else
        *links = found;
    return status;
}
