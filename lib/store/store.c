/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "file.h"
#include "schema.h"
#include "spill.h"
#include "sql.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MILLISECONDS = 5000 };

/* Cases in which SQLite's own message would not help, or in which it would block:
   missing files, folders, pipes. */
static int check_path(const char *path, enum mt_store_mode mode, struct mt_error *err)
{
    struct stat file;
    /* What SQLite takes, or may once take, for a store that vanishes when it is closed,
       or for an address with parameters. */
    if (!path[0])
        return mt_fail(err, MT_EINVAL, "the name of the store is empty");
    if (path[0] == ':' || !strncmp(path, "file:", 5))
        return mt_fail(
            err, MT_EINVAL,
            "not the name of a file: store '%s'; a file of that name is './%s'", path,
            path);
    if (stat(path, &file) == 0) {
        if (S_ISDIR(file.st_mode))
            return mt_fail(err, MT_EINVAL,
                           "not a store but a folder: '%s'; name a file in it", path);
        if (!S_ISREG(file.st_mode))
            return mt_fail(err, MT_EINVAL, "not a regular file: store '%s'", path);
        if (file.st_size == 0 && mode == MT_STORE_READ)
            return mt_fail(err, MT_ENOTFOUND,
                           "empty store '%s': nothing has been measured into it", path);
    } else if (errno == ENOENT && mode == MT_STORE_READ) {
        return mt_fail(err, MT_ENOTFOUND,
                       "no store '%s'; measure first, or choose another store", path);
    }
    return MT_OK;
}

/* The path as a URI, for its parameters; the caller frees it. NULL: out of memory. */
static char *format_uri(const char *path, const char *parameters)
{
    char *uri = NULL;
    size_t length;
    FILE *stream = open_memstream(&uri, &length);
    if (!stream)
        return NULL;
    fputs("file:", stream);
    for (const char *c = path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("/-_.~", *c))
            fputc(*c, stream);
        else
            fprintf(stream, "%%%02x", (unsigned char)*c);
    fputs(parameters, stream);
    if (fclose(stream)) {
        free(uri);
        return NULL;
    }
    return uri;
}

static int connect_file(struct mt_store *store, enum mt_store_mode mode,
                        const char *parameters, struct mt_error *err)
{
    char *uri = format_uri(store->path, parameters);
    if (!uri)
        return mt_fail(err, MT_ENOMEM, "no memory to open store '%s'", store->path);
    /* Reading, too, opens for writing where it is allowed (SQLite falls back to reading
       alone): only then are the -wal and -shm files removed by whoever closes last. */
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_READWRITE;
    if (mode != MT_STORE_READ)
        flags |= SQLITE_OPEN_CREATE;
    if (mode == MT_STORE_SPILL)
        flags |= SQLITE_OPEN_NOFOLLOW;
    int result = sqlite3_open_v2(uri, &store->db, flags, NULL);
    free(uri);
    if (result != SQLITE_OK)
        return mt_sql_fail(store, err);
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return MT_OK;
}

static int take_identity(struct mt_store *store, sqlite3_stmt *statement,
                         struct mt_error *err)
{
    const int application = sqlite3_column_int(statement, 0);
    const int version = sqlite3_column_int(statement, 1);
    const bool fresh = application == 0 && sqlite3_column_int(statement, 2) == 0;
    store->version = fresh ? 0 : version;
    if (!fresh && (application != MT_STORE_APPLICATION || version < 1))
        return mt_fail(err, MT_EINVAL,
                       "not a store of motley: '%s' is another program's SQLite file; "
                       "choose another store",
                       store->path);
    /* A file from anywhere runs no SQL of its own: motley makes no such things. */
    if (sqlite3_column_int(statement, 3) > 0)
        return mt_fail(err, MT_EINVAL,
                       "not a store of motley: '%s' has views, triggers or virtual "
                       "tables; choose another store",
                       store->path);
    if (!fresh && version > MT_STORE_VERSION)
        return mt_fail(err, MT_EVERSION,
                       "written by a newer motley: store '%s' has version %d, this "
                       "motley reads up to %d; use the newer one",
                       store->path, version, MT_STORE_VERSION);
    return MT_OK;
}

/* Whose file it is. Its version is 0 when it is nobody's yet, without any table. */
static int identify(struct mt_store *store, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row;
    int status = mt_sql_prepare(store, &statement,
                                "SELECT application_id, user_version,"
                                " (SELECT count(*) FROM sqlite_schema),"
                                " (SELECT count(*) FROM sqlite_schema WHERE"
                                "  type IN ('view', 'trigger')"
                                "  OR (type = 'table' AND rootpage = 0))"
                                " FROM pragma_application_id, pragma_user_version",
                                err);
    if (status == MT_OK)
        status = mt_sql_next(store, statement, &row, err);
    if (status == MT_OK)
        status = take_identity(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

/* Whether the file alone holds all that was committed: its write-ahead log, beside the
   file that a link may point to, is absent or empty. */
static bool file_is_complete(const char *path)
{
    bool complete = false;
    char *log = NULL, *real = realpath(path, NULL);
    struct stat file;
    if (real && asprintf(&log, "%s-wal", real) >= 0)
        complete = stat(log, &file) ? errno == ENOENT : file.st_size == 0;
    free(log);
    free(real);
    return complete;
}

static int open_to_read(struct mt_store *store, struct mt_error *err)
{
    int status = connect_file(store, MT_STORE_READ, "", err);
    if (status == MT_OK)
        status = identify(store, err);
    /* A file with a write-ahead log is read with the help of a -shm file. Where that
       cannot be made, because the folder is not ours to write to, SQLite reads if told
       that the file does not change. Nobody without rights to the folder can change it
       either; should one who has them write at this very moment, the worst is a
       message about a damaged store that the next call no longer gives. */
    if (status == MT_EIO && file_is_complete(store->path)) {
        sqlite3_close(store->db);
        store->db = NULL;
        status = connect_file(store, MT_STORE_READ, "?immutable=1", err);
        if (status == MT_OK)
            status = identify(store, err);
    }
    if (status != MT_OK)
        return status;
    if (store->version == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "empty store '%s': nothing has been measured into it",
                       store->path);
    return mt_sql_exec(store, "PRAGMA query_only = ON", err);
}

/* Create the tables that a store of this version lacks or has in an older form. */
static int make_tables(struct mt_store *store, struct mt_error *err)
{
    int status = MT_OK;
    if (store->version == 0)
        status = mt_sql_exec(store, mt_store_run_schema, err);
    else if (store->version == 1)
        status = mt_sql_exec(store, mt_store_drop_models_1, err);
    if (status == MT_OK && store->version < 2)
        status = mt_sql_exec(store, mt_store_model_schema, err);
    if (status == MT_OK && store->version < 3)
        status = mt_sql_exec(store, mt_store_down_schema, err);
    if (status == MT_OK && store->version < 4)
        status = mt_sql_exec(store, mt_store_mixture_schema, err);
    if (status == MT_OK && store->version < 5)
        status = mt_sql_exec(store, mt_store_threads_schema, err);
    if (status == MT_OK && store->version < 6)
        status = mt_sql_exec(store, mt_store_lateness_schema, err);
    if (status == MT_OK && store->version < 7)
        status = mt_sql_exec(store, mt_store_point_schema, err);
    return status;
}

static int bring_up_to_date(struct mt_store *store, struct mt_error *err)
{
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    status = identify(store, err); /* another process may have been faster */
    if (status == MT_OK && store->version < MT_STORE_VERSION) {
        char numbers[96];
        snprintf(numbers, sizeof numbers,
                 "PRAGMA application_id = %d; PRAGMA user_version = %d",
                 MT_STORE_APPLICATION, MT_STORE_VERSION);
        status = make_tables(store, err);
        if (status == MT_OK)
            status = mt_sql_exec(store, numbers, err);
    }
    if (status == MT_OK)
        store->version = MT_STORE_VERSION;
    return mt_sql_end(store, status, err);
}

/* With a write-ahead log, readers and the writer do not wait for each other. SQLite
   does not wait for others that open the file in the same moment, lest they wait for
   each other. */
static int switch_to_log(struct mt_store *store, struct mt_error *err)
{
    enum { STEP_MILLISECONDS = 5 };
    int status, waited = 0;
    while ((status = mt_sql_exec(store, "PRAGMA journal_mode = WAL", err)) ==
               MT_EBUSY &&
           waited < BUSY_MILLISECONDS)
        waited += sqlite3_sleep(STEP_MILLISECONDS);
    return status;
}

static int open_to_write(struct mt_store *store, enum mt_store_mode mode,
                         struct mt_error *err)
{
    int status = connect_file(store, mode, "", err);
    if (status == MT_OK)
        status = identify(store, err);
    if (status == MT_OK && sqlite3_db_readonly(store->db, "main"))
        status = mt_fail(err, MT_EIO,
                         "not writable: store '%s'; make it and its folder writable, "
                         "or choose another store",
                         store->path);
    /* Small pages: where it is needed, room may be short. */
    if (status == MT_OK && mode == MT_STORE_SPILL && store->version == 0)
        status = mt_sql_exec(store, "PRAGMA page_size = 512", err);
    if (status == MT_OK && store->version < MT_STORE_VERSION)
        status = bring_up_to_date(store, err);
    if (status == MT_OK)
        status = mode == MT_STORE_SPILL
                     ? mt_sql_exec(store, "PRAGMA journal_mode = DELETE", err)
                     : switch_to_log(store, err);
    /* FULL syncs the log at every commit, so that a run that is reported as done
       survives a power cut too; NORMAL, enough against a killed process, would not. A
       run takes seconds, the sync milliseconds. Of a spill file, EXTRA also syncs that
       the journal is gone, which would take the run back. */
    if (status == MT_OK)
        status = mt_sql_exec(store,
                             mode == MT_STORE_SPILL ? "PRAGMA synchronous = EXTRA"
                                                    : "PRAGMA synchronous = FULL",
                             err);
    if (status == MT_OK)
        status = mt_sql_exec(store, "PRAGMA foreign_keys = ON", err);
    if (status == MT_OK)
        status = mt_file_hold(&store->file, sqlite3_db_filename(store->db, "main"),
                              store->path, err);
    return status == MT_OK ? mt_file_check(store->file, store->path, err) : status;
}

int mt_store_open(struct mt_store **store, const char *path, enum mt_store_mode mode,
                  struct mt_error *err)
{
    int status = check_path(path, mode, err);
    if (status != MT_OK)
        return status;
    struct mt_store *opened = calloc(1, sizeof *opened);
    if (!opened)
        return mt_fail(err, MT_ENOMEM, "no memory to open store '%s'", path);
    opened->file = opened->claim = -1;
    opened->path = strdup(path);
    if (!opened->path)
        status = mt_fail(err, MT_ENOMEM, "no memory to open store '%s'", path);
    else if (mode == MT_STORE_WRITE)
        status = mt_spill_place(&opened->place, path, err);
    if (status == MT_OK)
        status = mode == MT_STORE_READ ? open_to_read(opened, err)
                                       : open_to_write(opened, mode, err);
    if (status != MT_OK)
        mt_store_close(opened);
    else
        *store = opened;
    return status;
}

/* Whoever closes a store last removes its write-ahead log, by name. Where the file was
   replaced, that may be the log of the new one; and what stays of the old log would be
   applied to it. So the log is emptied, if it is ours, and nothing is removed. */
static void leave_other_file_alone(const struct mt_store *store)
{
    if (store->file < 0 || mt_sql_check(store, NULL) == MT_OK)
        return;
    if (mt_file_check(store->file, store->path, NULL) != MT_OK)
        sqlite3_exec(store->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

void mt_store_close(struct mt_store *store)
{
    if (!store)
        return;
    leave_other_file_alone(store);
    sqlite3_close(store->db);
    if (store->file >= 0)
        close(store->file);
    if (store->claim >= 0)
        close(store->claim);
    free(store->path);
    free(store->place);
    free(store);
}

int mt_store_claim(struct mt_store *store, struct mt_error *err)
{
    int status = mt_file_claim(&store->claim, sqlite3_db_filename(store->db, "main"),
                               store->path, err);
    return status == MT_OK ? mt_file_check(store->claim, store->path, err) : status;
}
