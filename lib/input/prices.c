/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes cost, out of a CSV file. */
#include "motley/cluster.h"

#include "lib/base/line.h"
#include "lib/base/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP, PRICE, SPOT_PRICE, INTERRUPTIONS, COLUMNS };
static const char *const names[COLUMNS] = {
    [GROUP] = "group",
    [PRICE] = "price",
    [SPOT_PRICE] = "spot_price",
    [INTERRUPTIONS] = "interruptions",
};

/* Of all nodes of a group, so that plans can add them up. */
static const double most_price = 1e8;

/* Spreadsheets begin a file with it. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

/* A file that is being read. */
struct table {
    const char *path;
    int line;
    struct mt_line text;
    char *cells[COLUMNS];      /* of the line, in its text; NULL: not there */
    int column[COLUMNS];       /* of the file, in which each is; -1: none */
    bool known[MT_MAX_GROUPS]; /* groups that had a line */
};

/* Cut the next cell off a line, without its quotes; NULL: it is not closed. `*rest` is
   NULL behind the last one. */
static char *next_cell(char **rest)
{
    char *start = *rest, *to = start, *from = start;
    const bool quoted = *from == '"';
    if (quoted)
        from++;
    while (*from && (quoted ? *from != '"' || from[1] == '"' : *from != ',')) {
        if (quoted && *from == '"')
            from++;
        *to++ = *from++;
    }
    if (quoted && *from++ != '"')
        return NULL;
    if (*from && *from != ',')
        return NULL;
    *rest = *from ? from + 1 : NULL;
    *to = 0;
    return start;
}

static int fail(const struct table *table, struct mt_error *err, const char *what,
                const char *name)
{
    return mt_fail(err, MT_EINVAL, "%s:%d: %s%s%s%s", table->path, table->line, what,
                   name ? " '" : "", name ? name : "", name ? "'" : "");
}

static int read_heading(struct table *table, char *rest, struct mt_error *err)
{
    for (int i = 0; i < COLUMNS; i++)
        table->column[i] = -1;
    for (int at = 0; rest; at++) {
        const char *cell = next_cell(&rest);
        int i = 0;
        if (!cell)
            return fail(table, err, "a quote is not closed, or text follows it", NULL);
        while (i < COLUMNS && strcmp(cell, names[i]) != 0)
            i++;
        if (i == COLUMNS)
            return fail(table, err,
                        "the columns are group, price, spot_price and interruptions, "
                        "not",
                        cell);
        if (table->column[i] >= 0)
            return fail(table, err, "this column comes twice:", cell);
        table->column[i] = at;
    }
    if (table->column[GROUP] < 0 || table->column[PRICE] < 0)
        return fail(table, err,
                    "the first line has to name the columns group and price", NULL);
    if ((table->column[SPOT_PRICE] < 0) != (table->column[INTERRUPTIONS] < 0))
        return fail(table, err,
                    "the columns spot_price and interruptions need each other", NULL);
    return MT_OK;
}

static int read_cells(struct table *table, char *rest, struct mt_error *err)
{
    memset(table->cells, 0, sizeof table->cells);
    int at = 0, columns = 0;
    for (; rest; at++) {
        char *cell = next_cell(&rest);
        if (!cell)
            return fail(table, err, "a quote is not closed, or text follows it", NULL);
        for (int i = 0; i < COLUMNS; i++)
            if (table->column[i] == at)
                table->cells[i] = cell;
    }
    for (int i = 0; i < COLUMNS; i++)
        columns += table->column[i] >= 0;
    return at == columns
               ? MT_OK
               : fail(table, err,
                      "this line has another number of cells than the first", NULL);
}

/* A number of at least 0. */
static int read_number(const struct table *table, int column, double most,
                       double *number, struct mt_error *err)
{
    const char *end = mt_number_read(table->cells[column], number);
    if (end && !*end && *number <= most)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "%s:%d: %s has to be a number from 0 to %.3g, not '%s'", table->path,
                   table->line, names[column], most, table->cells[column]);
}

static int read_row(struct table *table, struct mt_cluster *cluster,
                    struct mt_error *err)
{
    const int g = mt_cluster_find_group(cluster, table->cells[GROUP]);
    if (g < 0)
        return MT_OK; /* lists have more than what a cluster has */
    struct mt_group *group = &cluster->groups[g];
    const double most = most_price / (group->nodes > 0 ? group->nodes : 1);
    if (table->known[g])
        return fail(table, err, "this group comes twice:", group->name);
    table->known[g] = true;
    int status = read_number(table, PRICE, most, &group->price, err);
    group->spot = (struct mt_spot){0};
    if (status != MT_OK || !table->cells[SPOT_PRICE] || !*table->cells[SPOT_PRICE])
        return status; /* not rented in this way */
    status = read_number(table, SPOT_PRICE, most, &group->spot.price, err);
    return status == MT_OK
               ? read_number(table, INTERRUPTIONS, 1e6, &group->spot.interruptions, err)
               : status;
}

static int read_line(struct table *table, struct mt_cluster *cluster, bool *heading,
                     struct mt_error *err)
{
    char *text = table->text.text;
    if (strlen(text) < table->text.length)
        return fail(table, err, "a zero byte: not a text file", NULL);
    if (table->line == 1 && !strncmp(text, byte_order_mark, strlen(byte_order_mark)))
        text += strlen(byte_order_mark);
    text[strcspn(text, "\r\n")] = 0;
    if (!*text)
        return MT_OK;
    if (!*heading) {
        *heading = true;
        return read_heading(table, text, err);
    }
    const int status = read_cells(table, text, err);
    return status == MT_OK ? read_row(table, cluster, err) : status;
}

static int read_all(struct table *table, struct mt_cluster *cluster, FILE *file,
                    struct mt_error *err)
{
    bool heading = false;
    struct mt_error reason;
    int status = MT_OK;
    while (status == MT_OK) {
        status = mt_line_read(&table->text, file, &reason);
        if (status != MT_OK)
            return mt_fail(err, status, "'%s': %s", table->path, reason.text);
        if (table->text.ended)
            break;
        table->line++;
        status = read_line(table, cluster, &heading, err);
    }
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        if (!table->known[g])
            status = mt_fail(err, MT_EINVAL, "%s: there is no price of group '%s'",
                             table->path, cluster->groups[g].name);
    return status;
}

int mt_cluster_load_prices(struct mt_cluster *cluster, const char *path,
                           struct mt_error *err)
{
    struct table table = {.path = path};
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, errno == ENOENT ? MT_ENOTFOUND : MT_EIO,
                       "cannot read '%s': %s", path, strerror(errno));
    const int status = read_all(&table, cluster, file, err);
    mt_line_clear(&table.text);
    fclose(file);
    return status;
}
