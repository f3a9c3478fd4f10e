/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores that an older motley wrote. */
#include "test_store.h"

#include <sqlite3.h>
#include <sys/stat.h>

/* The tables as these versions made them. */
static const char runs_1_and_2[] =
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

static const char models_1[] =
    "CREATE TABLE fit (" /* one call of fit: the models of one kind */
    " id INTEGER PRIMARY KEY,"
    " cluster TEXT NOT NULL,"
    " program TEXT NOT NULL,"
    " kind TEXT NOT NULL"
    "  CONSTRAINT 'kind is known' CHECK (kind IN ('auto', 'n-t', 'p-t', 'np-t')),"
    " newest_run INTEGER NOT NULL,"
    " UNIQUE (cluster, program, kind)"
    ") STRICT;"

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

static const char models_2[] =
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

static const char rows_of_runs[] =
    "INSERT INTO run VALUES (7, 'lab', 'lu', 'xeon:8x2', 3200, 1, 'ok', 5.25, 5.5, 0,"
    " 0, NULL, 'smpi', 1, 1700000000, 'all of its output');"
    "INSERT INTO run VALUES (8, 'lab', 'lu', 'xeon:8x1', 3200, 1, 'failed', NULL, 5.5,"
    " 3, 0, 'exit code 3', NULL, 0, 1700000000, NULL);";

static const char rows_1[] =
    "PRAGMA application_id = 0x6d6f746c; PRAGMA user_version = 1;"
    "INSERT INTO fit VALUES (1, 'lab', 'lu', 'np-t', 8);"
    "INSERT INTO model VALUES (1, 1, NULL, 'xeon', 2, -1, 'N^3/P', NULL, 3, 400, 800,"
    " 2, 4, 0.1, NULL);"
    "INSERT INTO coefficient VALUES (1, 0, 0, 2e-9);"
    "INSERT INTO refusal VALUES (1, 1, 'xeon x1', 'too few');"
    "INSERT INTO dropped VALUES (1, 1, 'xeon:1x1', 800, 1.5, 'a glitch');";

static const char rows_2[] =
    "PRAGMA application_id = 0x6d6f746c; PRAGMA user_version = 2;"
    "INSERT INTO fit VALUES (1, 'lab', 'lu', 'np-t', 8, NULL, 0, 0.8, 0, 0);"
    "INSERT INTO fit VALUES (2, 'lab', 'lu', 'auto', 8, NULL, 0, 0.8, 0, 0);";

static void make(const char *path, const char *models, const char *rows)
{
    sqlite3 *db;
    const char *const statements[] = {runs_1_and_2, models, rows_of_runs, rows};
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(sqlite3_exec(db, statements[i], NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_version_1(const char *path)
{
    make(path, models_1, rows_1);
}

static void make_version_2(const char *path)
{
    make(path, models_2, rows_2);
}

static void assert_runs_are_there(const char *path)
{
    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_int_equal(runs.count, 2);
    assert_int_equal(runs.runs[0].id, 7);
    assert_string_equal(runs.runs[0].configuration, "xeon:8x2");
    assert_string_equal(runs.runs[0].output, "all of its output");
    assert_true(runs.runs[0].seconds == 5.25 && runs.runs[0].simulated);
    assert_string_equal(runs.runs[1].reason, "exit code 3");
    assert_null(runs.runs[1].down);
    mt_runs_clear(&runs);
}

static void assert_no_models(struct mt_store *store)
{
    struct mt_models models = {0};
    struct mt_fitted_list list = {0};
    struct mt_error err;
    assert_int_equal(mt_store_fitted(store, &list, NULL, NULL, NULL), MT_OK);
    assert_int_equal(list.count, 0);
    mt_fitted_clear(&list);
    assert_int_equal(
        mt_store_get_models(store, "lab", "lu", MT_MODEL_NPT, &models, &err),
        MT_ENOTFOUND);
    assert_contains(err.text, "fit them first");
}

static void assert_nothing_checked(struct mt_store *store)
{
    struct mt_link_figures links = {0};
    assert_int_equal(mt_store_links(store, &links, NULL, NULL), MT_OK);
    assert_int_equal(links.count, 0);
    struct mt_down_nodes list = {0};
    assert_int_equal(mt_store_down_nodes(store, &list, "lab", NULL), MT_OK);
    assert_int_equal(list.count, 0);
}

static void assert_models(struct mt_store *store)
{
    struct mt_models models = {0};
    assert_int_equal(
        mt_store_get_models(store, "lab", "lu", MT_MODEL_NPT, &models, NULL), MT_OK);
    assert_int_equal(models.newest_run, 8);
    mt_models_clear(&models);
}

/* They did not look at runs of several groups, and are to be fitted again. */
static void assert_stale_default_models(struct mt_store *store)
{
    struct mt_models models = {0};
    assert_int_equal(
        mt_store_get_models(store, "lab", "lu", MT_MODEL_AUTO, &models, NULL), MT_OK);
    assert_int_equal(models.newest_run, 0);
    assert_true(models.options.glitch_k == 0.8);
    assert_int_equal(models.mixture.runs, 0);
    mt_models_clear(&models);
}

static void reading_changes_nothing(void **state)
{
    const char *path = store_path(*state);
    make_version_1(path);
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    assert_no_models(store);
    assert_nothing_checked(store);
    mt_store_close(store);
    assert_runs_are_there(path);
    assert_int_equal(stat(path, &after), 0);
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof before.st_mtim);
}

/* Versions 3 and 4 added tables and a column: models stay. */
static void version_2_keeps_its_models(void **state)
{
    const char *path = store_path(*state);
    make_version_2(path);
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    assert_models(store);
    assert_stale_default_models(store);
    assert_nothing_checked(store);
    mt_store_close(store);
    assert_runs_are_there(path);

    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_models(store);
    assert_stale_default_models(store);
    assert_nothing_checked(store);
    assert_int_equal(mt_store_set_down(store, "lab", "x01", 1, NULL), MT_OK);
    struct mt_run run = example_run(9);
    run.down = test_copy("x01");
    assert_int_equal(mt_store_add_run(store, &run, NULL), MT_OK);
    assert_int_equal(run.id, 9);
    mt_run_clear(&run);
    mt_store_close(store);
    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_string_equal(runs.runs[2].down, "x01");
    mt_runs_clear(&runs);
}

static void writing_upgrades(void **state)
{
    const char *path = store_path(*state);
    make_version_1(path);
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_no_models(store);
    const struct mt_models models = {.kind = MT_MODEL_NPT, .newest_run = 8};
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &models, NULL), MT_OK);
    assert_int_equal(mt_store_set_down(store, "lab", "x01", 1, NULL), MT_OK);
    mt_store_close(store);
    assert_runs_are_there(path);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    assert_models(store);
    mt_store_close(store);
}

/* As version 4 had it. */
static void make_version_4(const char *path)
{
    struct mt_store *store = NULL;
    struct mt_model model = {.group = test_copy("xeon"),
                             .layout.processes = 2,
                             .split = -1,
                             .terms_text = test_copy("N")};
    double *coefficient = calloc(1, sizeof *coefficient);
    assert_non_null(coefficient);
    assert_int_equal(mt_terms_parse(&model.terms, "N", NULL), MT_OK);
    model.coefficients = coefficient;
    const struct mt_models models = {
        .kind = MT_MODEL_AUTO, .newest_run = 8, .models = &model, .count = 1};
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &models, NULL), MT_OK);
    mt_store_close(store);
    mt_model_clear(&model);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "ALTER TABLE model DROP COLUMN threads;"
                                  "ALTER TABLE model DROP COLUMN bind;"
                                  "ALTER TABLE model DROP COLUMN gpus;"
                                  "DROP TABLE lateness;"
                                  "DROP TABLE link_point;"
                                  "PRAGMA user_version = 4",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void assert_models_without_threads(struct mt_store *store)
{
    struct mt_models models = {0};
    assert_int_equal(
        mt_store_get_models(store, "lab", "lu", MT_MODEL_AUTO, &models, NULL), MT_OK);
    assert_int_equal(models.newest_run, 8);
    assert_int_equal(models.count, 1);
    assert_int_equal(models.models[0].layout.processes, 2);
    assert_int_equal(models.models[0].layout.threads, 0);
    mt_models_clear(&models);
}

static void assert_no_reports(struct mt_store *store)
{
    struct mt_lateness_list list = {0};
    const struct mt_run_filter all = {0};
    assert_int_equal(mt_store_latenesses(store, &list, &all, NULL), MT_OK);
    assert_int_equal(list.count, 0);
}

static void version_4_had_no_threads(void **state)
{
    const char *path = store_path(*state);
    make_version_4(path);
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    assert_models_without_threads(store);
    assert_no_reports(store);
    mt_store_close(store);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_models_without_threads(store);
    assert_no_reports(store);
    mt_store_close(store);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    assert_models_without_threads(store);
    mt_store_close(store);
}

static void a_failed_upgrade_leaves_the_file(void **state)
{
    const char *path = store_path(*state);
    make_version_1(path);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE fit", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    struct mt_store *store = NULL;
    struct mt_error err;
    assert_true(mt_store_open(&store, path, MT_STORE_WRITE, &err) != MT_OK);
    assert_contains(err.text, "no such table: fit");
    assert_runs_are_there(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(reading_changes_nothing),
        in_folder(version_2_keeps_its_models),
        in_folder(version_4_had_no_threads),
        in_folder(writing_upgrades),
        in_folder(a_failed_upgrade_leaves_the_file),
    };
    return cmocka_run_group_tests_name("store_upgrade", tests, NULL, NULL);
}
