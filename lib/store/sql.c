/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements, transactions, and SQLite errors in words. */
#include "sql.h"
#include "internal.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The operating system's reason if there is one, else SQLite's. */
static const char *system_reason(const struct mt_store *store)
{
    int number = sqlite3_system_errno(store->db);
    return number ? strerror(number) : sqlite3_errmsg(store->db);
}

/* Whether the file still begins like an SQLite file, or cannot be read at the moment.
   It is read by SQLite's own descriptor: closing another one would drop its locks. */
static bool begins_well(const struct mt_store *store)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = {0};
    sqlite3_file *file = NULL;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    const int code = file && file->pMethods
                         ? file->pMethods->xRead(file, start, sizeof start, 0)
                         : SQLITE_MISUSE;
    return (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) ||
           !memcmp(start, magic, sizeof magic);
}

int mt_sql_check(const struct mt_store *store, struct mt_error *err)
{
    if (store->file < 0)
        return MT_OK;
    const int status = mt_file_check(store->file, store->path, err);
    if (status == MT_OK && !begins_well(store))
        return mt_fail(err, MT_EIO, "store '%s' was overwritten while it was in use",
                       store->path);
    return status;
}

/* Why a store cannot be opened. SQLite tries several ways and reports the last, which
   misleads in a folder without write permission. */
static const char *open_reason(const struct mt_store *store)
{
    const char *path = store->path, *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const bool there = access(path, F_OK) == 0;
    const bool denied = folder && ((there && access(path, R_OK | W_OK) != 0) ||
                                   access(folder, W_OK) != 0);
    const char *reason = denied ? strerror(errno) : system_reason(store);
    free(folder);
    return reason;
}

int mt_sql_fail(const struct mt_store *store, struct mt_error *err)
{
    const char *path = store->path;
    /* A missing or overwritten file is the reason, whatever SQLite reports. */
    if (mt_sql_check(store, err) != MT_OK)
        return MT_EIO;
    switch (sqlite3_errcode(store->db) & 0xff) { /* the low byte is the kind */
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return mt_fail(
            err, MT_EBUSY,
            "locked by another process: store '%s'; try again when it is done", path);
    case SQLITE_FULL:
        return mt_fail(err, MT_EIO,
                       "no space left for store '%s'; make room and try again", path);
    case SQLITE_READONLY:
        return mt_fail(err, MT_EIO,
                       "not writable: store '%s'; make it and its folder writable, or "
                       "choose another store",
                       path);
    case SQLITE_CANTOPEN:
        return mt_fail(err, MT_EIO,
                       "cannot open store '%s': %s; check its folder and the rights of "
                       "both, or choose another store",
                       path, open_reason(store));
    case SQLITE_IOERR:
        return mt_fail(err, MT_EIO,
                       "cannot read or write store '%s': %s; check its file system",
                       path, system_reason(store));
    case SQLITE_NOTADB:
        return mt_fail(err, MT_EINVAL,
                       "not a store of motley: '%s' is not an SQLite file; choose "
                       "another store",
                       path);
    case SQLITE_CORRUPT:
        return mt_fail(err, MT_EINVAL,
                       "damaged store '%s': %s; save what can be read with: sqlite3 "
                       "'%s' .recover | sqlite3 rescued.db",
                       path, sqlite3_errmsg(store->db), path);
    case SQLITE_NOMEM:
        return mt_fail(err, MT_ENOMEM, "no memory to use store '%s'", path);
    case SQLITE_CONSTRAINT:
        return mt_fail(err, MT_EINVAL, "store '%s' refuses invalid values: %s", path,
                       sqlite3_errmsg(store->db));
    default:
        return mt_fail(err, MT_EIO, "cannot use store '%s': %s", path,
                       sqlite3_errmsg(store->db));
    }
}

int mt_sql_exec(struct mt_store *store, const char *sql, struct mt_error *err)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return mt_sql_fail(store, err);
    return MT_OK;
}

int mt_sql_prepare(struct mt_store *store, sqlite3_stmt **statement, const char *sql,
                   struct mt_error *err)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK)
        return mt_sql_fail(store, err);
    return MT_OK;
}

int mt_sql_next(struct mt_store *store, sqlite3_stmt *statement, bool *row,
                struct mt_error *err)
{
    int result = sqlite3_step(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        return mt_sql_fail(store, err);
    *row = result == SQLITE_ROW;
    return MT_OK;
}

int mt_sql_each(struct mt_store *store, sqlite3_stmt *statement,
                int (*take)(void *context, sqlite3_stmt *row, struct mt_error *err),
                void *context, struct mt_error *err)
{
    bool row = true;
    int status = MT_OK;
    while (status == MT_OK && row) {
        status = mt_sql_next(store, statement, &row, err);
        if (status == MT_OK && row)
            status = take(context, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

int mt_sql_run(struct mt_store *store, sqlite3_stmt *statement, struct mt_error *err)
{
    bool row;
    int status = mt_sql_next(store, statement, &row, err);
    sqlite3_reset(statement);
    return status;
}

int mt_sql_begin(struct mt_store *store, struct mt_error *err)
{
    /* IMMEDIATE waits for another writer now; a transaction that turns from reading to
       writing later cannot wait. */
    return mt_sql_exec(store, "BEGIN IMMEDIATE", err);
}

int mt_sql_end(struct mt_store *store, int status, struct mt_error *err)
{
    if (status == MT_OK)
        status = mt_sql_exec(store, "COMMIT", err);
    /* SQLite goes on writing to a file that has been deleted. */
    if (status == MT_OK)
        status = mt_sql_check(store, err);
    if (status != MT_OK) /* nothing was kept, so a failure of ROLLBACK does not
                            matter */
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

int mt_store_begin(struct mt_store *store, struct mt_error *err)
{
    return mt_sql_begin(store, err);
}

int mt_store_end(struct mt_store *store, int status, struct mt_error *err)
{
    return mt_sql_end(store, status, err);
}

void mt_sql_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

int mt_sql_text(char **text, sqlite3_stmt *statement, int column, struct mt_error *err)
{
    const char *value = (const char *)sqlite3_column_text(statement, column);
    char *copy = value ? strdup(value) : NULL;
    if (!copy && sqlite3_column_type(statement, column) != SQLITE_NULL)
        return mt_fail(err, MT_ENOMEM, "no memory to read the store");
    *text = copy;
    return MT_OK;
}

int mt_sql_name(char **text, sqlite3_stmt *statement, int column, struct mt_error *err)
{
    if (sqlite3_column_type(statement, column) == SQLITE_NULL)
        return mt_fail(err, MT_EINVAL, "damaged store '%s': a row without its '%s'",
                       sqlite3_db_filename(sqlite3_db_handle(statement), "main"),
                       sqlite3_column_name(statement, column));
    return mt_sql_text(text, statement, column, err);
}

double mt_sql_number(sqlite3_stmt *statement, int column)
{
    if (sqlite3_column_type(statement, column) == SQLITE_NULL)
        return NAN;
    return sqlite3_column_double(statement, column);
}

int mt_sql_finite(double *value, sqlite3_stmt *statement, int column,
                  struct mt_error *err)
{
    *value = mt_sql_number(statement, column);
    if (isfinite(*value))
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "damaged store '%s': '%s' of a row is not a number",
                   sqlite3_db_filename(sqlite3_db_handle(statement), "main"),
                   sqlite3_column_name(statement, column));
}
