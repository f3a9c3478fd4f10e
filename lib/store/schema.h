/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_schema.h - the tables of the store.
 *
 * The CHECK constraints are named by what they demand, because SQLite's message quotes
 * the name.
 */
#ifndef MT_STORE_SCHEMA_H
#define MT_STORE_SCHEMA_H

/* "motl": marks the file as ours, so that another program's is never altered. */
enum { MT_STORE_APPLICATION = 0x6d6f746c };
/* Of the tables; a file with a higher one is from a newer motley. */
enum { MT_STORE_VERSION = 7 };

/* Of version 1; mt_store_down_schema adds to it. 9e999 is how SQLite writes infinity;
 * NaN is kept as NULL. */
static const char mt_store_run_schema[] =
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
    " CONSTRAINT 'a run has seconds if it succeeded, and only then' CHECK"
    "  ((outcome = 'ok') = (seconds IS NOT NULL))"
    ") STRICT;";

/* Models are derived from runs: an upgrade drops them, and they are fitted again. */
static const char mt_store_model_schema[] =
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
    " UNIQUE (cluster, program, kind)"
    ") STRICT;"

    "CREATE TABLE training_size (" /* none: every size */
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " size REAL NOT NULL,"
    " PRIMARY KEY (fit, size)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE model ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " configuration TEXT,"
    " group_name TEXT,"
    " processes INTEGER NOT NULL,"
    " split INTEGER NOT NULL CONSTRAINT 'split is -1, 0 or 1' CHECK"
    "  (split IN (-1, 0, 1)),"
    " terms TEXT NOT NULL,"
    " reference_terms TEXT,"
    " runs INTEGER NOT NULL,"
    " size_low REAL NOT NULL,"
    " size_high REAL NOT NULL,"
    " ranks_low INTEGER NOT NULL,"
    " ranks_high INTEGER NOT NULL,"
    " residual REAL,"
    " cross_validated REAL"
    ") STRICT;"
    "CREATE INDEX model_of_fit ON model (fit);"

    "CREATE TABLE coefficient ("
    " model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,"
    " of_reference INTEGER NOT NULL CONSTRAINT 'of_reference is 0 or 1' CHECK"
    "  (of_reference IN (0, 1)),"
    " term INTEGER NOT NULL," /* 0, 1, ... */
    " value REAL,"
    " serial INTEGER NOT NULL CONSTRAINT 'serial is 0 or 1' CHECK"
    "  (serial IN (0, 1)),"
    " PRIMARY KEY (model, of_reference, term)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE refusal ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " subject TEXT NOT NULL,"
    " reason TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX refusal_of_fit ON refusal (fit);"

    "CREATE TABLE dropped ("
    " id INTEGER PRIMARY KEY,"
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " configuration TEXT NOT NULL,"
    " size REAL NOT NULL,"
    " seconds REAL NOT NULL,"
    " reason TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX dropped_of_fit ON dropped (fit);";

/* What came with version 3. */
static const char mt_store_down_schema[] =
    "ALTER TABLE run ADD COLUMN absent TEXT;"

    "CREATE TABLE absent ("
    " cluster TEXT NOT NULL,"
    " host TEXT NOT NULL,"
    " since INTEGER NOT NULL," /* seconds since 1970-01-01 UTC */
    " PRIMARY KEY (cluster, host)"
    ") STRICT, WITHOUT ROWID;";

/* What came with version 4. The default models of before did not look at runs of
   several groups: their newest run is unknown from now on, and so they are fitted
   again. */
static const char mt_store_mixture_schema[] =
    "CREATE TABLE mixture ("
    " fit INTEGER PRIMARY KEY REFERENCES fit ON DELETE CASCADE,"
    " lambda REAL NOT NULL,"
    " terms TEXT,"
    " networks TEXT,"
    " runs INTEGER NOT NULL,"
    " size_low REAL NOT NULL,"
    " size_high REAL NOT NULL,"
    " ranks_low INTEGER NOT NULL,"
    " ranks_high INTEGER NOT NULL,"
    " residual REAL,"
    " checked INTEGER NOT NULL" /* when the newest link behind it was measured */
    ") STRICT;"

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
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE kappa ("
    " fit INTEGER NOT NULL REFERENCES fit ON DELETE CASCADE,"
    " term INTEGER NOT NULL," /* 0, 1, ... */
    " value REAL,"
    " PRIMARY KEY (fit, term)"
    ") STRICT, WITHOUT ROWID;"

    "ALTER TABLE fit ADD COLUMN formulas TEXT;" /* of the program, when it was made */
    "ALTER TABLE fit ADD COLUMN work TEXT;"     /* that was found */
    "ALTER TABLE fit ADD COLUMN never_inside INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE fit ADD COLUMN never_across INTEGER NOT NULL DEFAULT 0;"

    "UPDATE fit SET newest_run = 0 WHERE kind = 'auto';";

/* What came with version 5. */
static const char mt_store_threads_schema[] =
    "ALTER TABLE model ADD COLUMN threads INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE model ADD COLUMN bind TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE model ADD COLUMN gpus INTEGER NOT NULL DEFAULT 0;";

/* What came with version 6. */
static const char mt_store_lateness_schema[] =
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
    ") STRICT;";

/* What came with version 7. */
static const char mt_store_point_schema[] =
    "CREATE TABLE link_point (" /* how long messages take over their length */
    " cluster TEXT NOT NULL,"
    " from_group TEXT NOT NULL,"
    " to_group TEXT NOT NULL,"
    " bytes REAL NOT NULL"
    "  CONSTRAINT 'bytes are positive' CHECK (bytes > 0 AND bytes < 9e999),"
    " seconds REAL NOT NULL"
    "  CONSTRAINT 'seconds are positive' CHECK (seconds > 0 AND seconds < 9e999),"
    " PRIMARY KEY (cluster, from_group, to_group, bytes)"
    ") STRICT, WITHOUT ROWID;";

/* The tables for models of version 1. */
static const char mt_store_drop_models_1[] =
    "DROP TABLE dropped; DROP TABLE refusal; DROP TABLE coefficient; DROP TABLE model;"
    "DROP TABLE fit;";

#endif
