/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/text.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* The names that a store has, and the one that is looked for. */
struct search {
    const char *name;
    bool found;
    char *nearest; /* owned; NULL: none is near */
    size_t letters;
};

static int take_name(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct search *search = context;
    struct mt_closest closest = {.word = search->name};
    char *name = NULL;
    const int status = mt_sql_text(&name, row, 0, err);
    if (status != MT_OK || !name)
        return status;
    search->found = search->found || !strcmp(name, search->name);
    mt_closest_try(&closest, name);
    if (closest.name && (!search->nearest || closest.letters < search->letters)) {
        free(search->nearest);
        search->nearest = name;
        search->letters = closest.letters;
    } else {
        free(name);
    }
    return MT_OK;
}

/* Look for a name among the rows of `sql`, whose one parameter, if any, is `cluster`.
 */
static int look_for(struct mt_store *store, const char *sql, const char *cluster,
                    struct search *search, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int status = mt_sql_prepare(store, &statement, sql, err);
    if (status != MT_OK)
        return status;
    if (sqlite3_bind_parameter_count(statement) == 1)
        mt_sql_bind_text(statement, 1, cluster);
    return mt_sql_each(store, statement, take_name, search, err);
}

static int report(struct search *search, const char *what, const struct mt_store *store,
                  struct mt_error *err)
{
    if (search->found)
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND, "nothing of %s '%s' in store '%s'%s%s%s", what,
                   search->name, store->path, search->nearest ? "; did you mean '" : "",
                   search->nearest ? search->nearest : "", search->nearest ? "'?" : "");
}

int mt_store_check_names(struct mt_store *store, const char *cluster,
                         const char *program, struct mt_error *err)
{
    struct search clusters = {.name = cluster}, programs = {.name = program};
    int status = look_for(store,
                          "SELECT cluster FROM run UNION SELECT cluster FROM link"
                          " UNION SELECT cluster FROM fit",
                          NULL, &clusters, err);
    if (status == MT_OK)
        status = report(&clusters, "cluster", store, err);
    if (status == MT_OK && program)
        status = look_for(store,
                          "SELECT program FROM run WHERE cluster = ?1 UNION"
                          " SELECT program FROM fit WHERE cluster = ?1",
                          cluster, &programs, err);
    if (status == MT_OK && program)
        status = report(&programs, "program", store, err);
    free(clusters.nearest);
    free(programs.nearest);
    return status;
}
