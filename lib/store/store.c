/* SPDX-License-Identifier: BSD-3-Clause */
/* The schema of a store; opens, identifies, creates and closes it. */
#include "motley/store.h"

#include "file.h"
#include "internal.h"
#include "sql.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "motl": marks the file as ours, so that another program's is never altered. */
enum { APPLICATION = 0x6d6f746c };
/* Version of the tables. */
enum { VERSION = 1 };
/* An import of a million runs locks the store for 6 s. */
enum { BUSY_MILLISECONDS = 10000 };

const char mt_modes_table[] =
    "CREATE TABLE IF NOT EXISTS modes (" /* modes of an auto fit */
    " fit INTEGER PRIMARY KEY REFERENCES fit ON DELETE CASCADE,"
    " numbers BLOB NOT NULL"
    ") STRICT;";

/* The tables. SQLite's messages quote the names of constraints, so the names state the
   requirements. 9e999 is how SQLite writes infinity; NaN is kept as NULL. */
static const char *const tables[] = {
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY,"
    " cluster TEXT NOT NULL"
    "  CONSTRAINT 'cluster has a name' CHECK (cluster <> ''),"
    " program TEXT NOT NULL"
    "  CONSTRAINT 'program has a name' CHECK (program <> ''),"
    " configuration TEXT NOT NULL"
    "  CONSTRAINT 'configuration is given' CHECK (configuration <> ''),"
    " size REAL NOT NULL"
    "  CONSTRAINT 'size is positive' CHECK (size > 0 AND size < 9e999),"
    " repetition INTEGER NOT NULL"
    "  CONSTRAINT 'repetition is positive' CHECK (repetition > 0),"
    " outcome TEXT NOT NULL CONSTRAINT 'outcome is known' CHECK"
    "  (outcome IN ('ok', 'failed', 'signalled', 'timeout', 'unread')),"
    " seconds REAL CONSTRAINT 'seconds are positive' CHECK"
    "  (seconds > 0 AND seconds < 9e999),"
    " wall REAL NOT NULL"
    "  CONSTRAINT 'wall time is not negative' CHECK (wall >= 0 AND wall < 9e999),"
    " exit_code INTEGER NOT NULL,"
    " signal INTEGER NOT NULL,"
    " reason TEXT,"
    " launcher TEXT,"
    " simulated INTEGER NOT NULL"
    "  CONSTRAINT 'simulated is 0 or 1' CHECK (simulated IN (0, 1)),"
    " started INTEGER NOT NULL," /* seconds since 1970-01-01 UTC */
    " output TEXT,"
    " absent TEXT,"
    " CONSTRAINT 'a run has seconds if it succeeded, and only then' CHECK"
    "  ((outcome = 'ok') = (seconds IS NOT NULL))"
    ") STRICT;",

    "CREATE TABLE fit (" /* one call of fit: the models of one kind */
    " id INTEGER PRIMARY KEY,"
    " cluster TEXT NOT NULL,"
    " program TEXT NOT NULL,"
    " kind TEXT NOT NULL"
    "  CONSTRAINT 'kind is known' CHECK (kind IN ('auto', 'n-t', 'p-t', 'np-t')),"
    " newest_run INTEGER NOT NULL,"
    " terms TEXT," /* from here on: the options of the call */
    " no_split INTEGER NOT NULL CONSTRAINT 'no_split is 0 or 1' CHECK"
    "  (no_split IN (0, 1)),"
    " glitch_k REAL NOT NULL,"
    " glitch_tolerance INTEGER NOT NULL,"
    " refuse_negative INTEGER NOT NULL CONSTRAINT 'refuse_negative is 0 or 1' CHECK"
    "  (refuse_negative IN (0, 1)),"
    " formulas TEXT," /* of the program, when it was made */
    " UNIQUE (cluster, program, kind)"
    ") STRICT;",

    "CREATE TABLE training_size (" /* none: every size */
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " size REAL NOT NULL,"
    " PRIMARY KEY (fit, size)"
    ") STRICT, WITHOUT ROWID;",

    "CREATE TABLE model ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " configuration TEXT,"
    " group_name TEXT,"
    " processes INTEGER NOT NULL,"
    " split INTEGER NOT NULL CONSTRAINT 'split is -1, 0 or 1' CHECK"
    "  (split IN (-1, 0, 1)),"
    " terms TEXT," /* NULL: of auto, which is fitted again when it is needed */
    " reference_terms TEXT,"
    " runs INTEGER NOT NULL,"
    " size_low REAL NOT NULL,"
    " size_high REAL NOT NULL,"
    " ranks_low INTEGER NOT NULL,"
    " ranks_high INTEGER NOT NULL,"
    " residual REAL,"
    " cross_validated REAL,"
    " threads INTEGER NOT NULL DEFAULT 1,"
    " bind TEXT NOT NULL DEFAULT '',"
    " gpus INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "CREATE INDEX model_of_fit ON model (fit);",

    "CREATE TABLE coefficient ("
    " model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,"
    " of_reference INTEGER NOT NULL CONSTRAINT 'of_reference is 0 or 1' CHECK"
    "  (of_reference IN (0, 1)),"
    " term INTEGER NOT NULL," /* 0, 1, ... */
    " value REAL,"
    " PRIMARY KEY (model, of_reference, term)"
    ") STRICT, WITHOUT ROWID;",

    "CREATE TABLE refusal ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " subject TEXT NOT NULL,"
    " reason TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX refusal_of_fit ON refusal (fit);",

    "CREATE TABLE dropped ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " configuration TEXT NOT NULL,"
    " size REAL NOT NULL,"
    " seconds REAL NOT NULL,"
    " reason TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX dropped_of_fit ON dropped (fit);",

    "CREATE TABLE absent ("
    " cluster TEXT NOT NULL,"
    " host TEXT NOT NULL,"
    " since INTEGER NOT NULL," /* seconds since 1970-01-01 UTC */
    " PRIMARY KEY (cluster, host)"
    ") STRICT, WITHOUT ROWID;",

    "CREATE TABLE link (" /* messages between nodes of two groups, or of one */
    " cluster TEXT NOT NULL,"
    " from_group TEXT NOT NULL,"
    " to_group TEXT NOT NULL"
    "  CONSTRAINT 'groups are in order' CHECK (from_group <= to_group),"
    " latency REAL NOT NULL"
    "  CONSTRAINT 'latency is positive' CHECK (latency > 0 AND latency < 9e999),"
    " bandwidth REAL NOT NULL"
    "  CONSTRAINT 'bandwidth is positive' CHECK"
    "  (bandwidth > 0 AND bandwidth < 9e999),"
    " simulated INTEGER NOT NULL"
    "  CONSTRAINT 'simulated is 0 or 1' CHECK (simulated IN (0, 1)),"
    " measured INTEGER NOT NULL," /* seconds since 1970-01-01 UTC */
    " PRIMARY KEY (cluster, from_group, to_group)"
    ") STRICT, WITHOUT ROWID;",

    "CREATE TABLE lateness (" /* reports of motley-balance(7) on runs */
    " id INTEGER PRIMARY KEY,"
    " cluster TEXT NOT NULL,"
    " program TEXT NOT NULL,"
    " configuration TEXT NOT NULL,"
    " size REAL NOT NULL,"
    " simulated INTEGER NOT NULL"
    "  CONSTRAINT 'simulated is 0 or 1' CHECK (simulated IN (0, 1)),"
    " started INTEGER NOT NULL," /* seconds since 1970-01-01 UTC */
    " report TEXT NOT NULL"      /* JSON, see cli/lateness */
    ") STRICT;",

    "CREATE TABLE link_point (" /* how long messages take over their length */
    " cluster TEXT NOT NULL,"
    " from_group TEXT NOT NULL,"
    " to_group TEXT NOT NULL,"
    " bytes REAL NOT NULL"
    "  CONSTRAINT 'bytes are positive' CHECK (bytes > 0 AND bytes < 9e999),"
    " seconds REAL NOT NULL"
    "  CONSTRAINT 'seconds are positive' CHECK (seconds > 0 AND seconds < 9e999),"
    " PRIMARY KEY (cluster, from_group, to_group, bytes)"
    ") STRICT, WITHOUT ROWID;",
};

/* Cases in which SQLite's own message would not help, or in which it would block:
   missing files, folders, pipes. */
static int check_path(const char *path, enum mt_store_mode mode, struct mt_error *err)
{
    struct stat file;
    /* Names that SQLite takes, or may take in future, for a temporary store or for a
       URI with parameters. */
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
       alone): only then does the last process to close it remove the -wal and -shm
       files. */
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_READWRITE;
    if (mode != MT_STORE_READ)
        flags |= SQLITE_OPEN_CREATE;
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
    if (!fresh && application != APPLICATION)
        return mt_fail(err, MT_EINVAL,
                       "not a store of motley: '%s' is another program's SQLite file; "
                       "choose another store",
                       store->path);
    /* A foreign file must not run SQL of its own; motley's stores have none. */
    if (sqlite3_column_int(statement, 3) > 0)
        return mt_fail(err, MT_EINVAL,
                       "not a store of motley: '%s' has views, triggers or virtual "
                       "tables; choose another store",
                       store->path);
    if (!fresh && version != VERSION)
        return mt_fail(err, MT_EVERSION,
                       "written by another motley: store '%s' has version %d, this one "
                       "reads version %d; export its runs as CSV with the motley that "
                       "wrote it, and import them here",
                       store->path, version, VERSION);
    return MT_OK;
}

/* Whose file it is. Its version is 0 while it has no owner and no tables. */
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

/* Whether the file alone holds everything committed: its write-ahead log, next to the
   real file behind links, is absent or empty. */
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
    /* A file with a write-ahead log is read with the help of a -shm file. In a folder
       without write permission, where that cannot be created, SQLite reads if told that
       the file does not change. Other users without that permission cannot change it
       either; if one with it writes at the same moment, the worst result is a message
       about a damaged store, which the next call no longer gives. */
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

static int make_tables(struct mt_store *store, struct mt_error *err)
{
    int status = mt_sql_begin(store, err);
    if (status != MT_OK)
        return status;
    status = identify(store, err); /* another process may have been faster */
    if (status == MT_OK && store->version == 0) {
        char numbers[96];
        snprintf(numbers, sizeof numbers,
                 "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION,
                 VERSION);
        for (size_t i = 0; i < sizeof tables / sizeof *tables && status == MT_OK; i++)
            status = mt_sql_exec(store, tables[i], err);
        if (status == MT_OK)
            status = mt_sql_exec(store, mt_modes_table, err);
        if (status == MT_OK)
            status = mt_sql_exec(store, numbers, err);
    }
    if (status == MT_OK)
        store->version = VERSION;
    return mt_sql_end(store, status, err);
}

/* With a write-ahead log, readers and the writer do not wait for each other. SQLite
   does not wait for others that open the file at the same moment, since that could
   deadlock. */
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

static int open_to_write(struct mt_store *store, struct mt_error *err)
{
    int status = connect_file(store, MT_STORE_WRITE, "", err);
    if (status == MT_OK)
        status = identify(store, err);
    if (status == MT_OK && sqlite3_db_readonly(store->db, "main"))
        status = mt_fail(err, MT_EIO,
                         "not writable: store '%s'; make it and its folder writable, "
                         "or choose another store",
                         store->path);
    if (status == MT_OK && store->version == 0)
        status = make_tables(store, err);
    if (status == MT_OK)
        status = switch_to_log(store, err);
    /* FULL syncs the log at every commit, so that a run that is reported as done
       survives a power cut too; NORMAL, enough against a killed process, would not. A
       run takes seconds, the sync milliseconds. */
    if (status == MT_OK)
        status = mt_sql_exec(store, "PRAGMA synchronous = FULL", err);
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
    else
        status = mode == MT_STORE_READ ? open_to_read(opened, err)
                                       : open_to_write(opened, err);
    if (status != MT_OK)
        mt_store_close(opened);
    else
        *store = opened;
    return status;
}

/* The last process to close a store removes its write-ahead log, by name. If the file
   was replaced, that may be the log of the new one, to which the rest of the old log
   would be applied. So the log is emptied if it is ours, and nothing is removed. */
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
    free(store);
}

int mt_store_claim(struct mt_store *store, struct mt_error *err)
{
    int status = mt_file_claim(&store->claim, sqlite3_db_filename(store->db, "main"),
                               store->path, err);
    return status == MT_OK ? mt_file_check(store->claim, store->path, err) : status;
}
