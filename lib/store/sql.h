/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sql.h - what the files of the store share: the open database, its statements,
 * and SQLite's failures in words.
 */
#ifndef MT_STORE_SQL_H
#define MT_STORE_SQL_H

#include "motley/error.h"

#include <sqlite3.h>
#include <stdbool.h>

struct mt_store {
    sqlite3 *db;   /* owned */
    char *path;    /* owned; as given by the caller, for messages */
    int version;   /* of its tables; 0: none yet */
    int file;      /* descriptors, see file.h; -1: open to read */
    int claim;     /* -1: not claimed */
    int64_t first; /* id of the first run that was added; 0: none was */
};

/* MT_EIO when the store's name no longer leads to the open file, or something else was
   written into it. */
MT_MUST_CHECK int mt_sql_check(const struct mt_store *store, struct mt_error *err);

/* Report the failure of SQLite's last call for the store, and what to do about it. */
int mt_sql_fail(const struct mt_store *store, struct mt_error *err);

/* Carry out statements that give no rows. */
MT_MUST_CHECK int mt_sql_exec(struct mt_store *store, const char *sql,
                              struct mt_error *err);
/* Compile a statement, which the caller passes to sqlite3_finalize(). */
MT_MUST_CHECK int mt_sql_prepare(struct mt_store *store, sqlite3_stmt **statement,
                                 const char *sql, struct mt_error *err);
/* Step to the next row; `row` says whether there is one. */
MT_MUST_CHECK int mt_sql_next(struct mt_store *store, sqlite3_stmt *statement,
                              bool *row, struct mt_error *err);
/* Hand every row to `take`, until that fails, and finalize the statement. */
MT_MUST_CHECK int mt_sql_each(struct mt_store *store, sqlite3_stmt *statement,
                              int (*take)(void *context, sqlite3_stmt *row,
                                          struct mt_error *err),
                              void *context, struct mt_error *err);
/* Carry out a statement that gives no rows, and make it ready for other values. */
MT_MUST_CHECK int mt_sql_run(struct mt_store *store, sqlite3_stmt *statement,
                             struct mt_error *err);

/* Begin a transaction that writes. */
MT_MUST_CHECK int mt_sql_begin(struct mt_store *store, struct mt_error *err);
/* End it: keep it if `status` is MT_OK, undo it otherwise. Returns `status`, or the
   failure to keep it. */
MT_MUST_CHECK int mt_sql_end(struct mt_store *store, int status, struct mt_error *err);

/* Set parameter `index`; `text` may be NULL and must outlive the statement's use. */
void mt_sql_bind_text(sqlite3_stmt *statement, int index, const char *text);
/* A copy of a text column for the caller to free; NULL when the column is. */
MT_MUST_CHECK int mt_sql_text(char **text, sqlite3_stmt *statement, int column,
                              struct mt_error *err);
/* Likewise for a column that is NULL only in a damaged store: MT_EINVAL. */
MT_MUST_CHECK int mt_sql_name(char **text, sqlite3_stmt *statement, int column,
                              struct mt_error *err);
/* A number column; NaN when it is NULL, as SQLite keeps NaN. */
double mt_sql_number(sqlite3_stmt *statement, int column);
/* A number column that is finite except in a damaged store: MT_EINVAL. */
MT_MUST_CHECK int mt_sql_finite(double *value, sqlite3_stmt *statement, int column,
                                struct mt_error *err);

/* Creates the table of the modes of auto fits, which older stores lack. */
extern const char mt_modes_table[];

#endif
