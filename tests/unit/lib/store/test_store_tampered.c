/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores with rows that motley never writes, in tables without constraints: they are
   refused with a reason, or passed over. */
#include "motley/store.h"

#include "test_store.h"
#include "tests/unit/test.h"

#include <sqlite3.h>

/* A store with one run, whose tables let everything in, changed by `sql`. */
static struct mt_store *tampered(const char *path, const char *sql)
{
    static const char *const tables[] = {"run", "fit", "absent", "link"};
    struct mt_run run = example_run(1);
    struct mt_store *store = NULL;
    sqlite3 *db = NULL;
    add_run(path, &run);
    mt_run_clear(&run);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < 4; i++) {
        char *loosen = sqlite3_mprintf("CREATE TABLE loose AS SELECT * FROM %s;"
                                       "DROP TABLE %s; ALTER TABLE loose RENAME TO %s",
                                       tables[i], tables[i], tables[i]);
        assert_int_equal(sqlite3_exec(db, loosen, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(loosen);
    }
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    return store;
}

static void runs_have_their_names(void **state)
{
    static const char *const names[] = {"cluster", "program", "configuration"};
    for (int i = 0; i < 3; i++) {
        const struct mt_run_filter all = {0};
        struct mt_runs runs = {0};
        struct mt_error err = {0};
        char sql[64];
        snprintf(sql, sizeof sql, "UPDATE run SET %s = NULL", names[i]);
        unlink(store_path(*state));
        struct mt_store *store = tampered(store_path(*state), sql);
        assert_int_equal(mt_store_runs(store, &runs, &all, &err), MT_EINVAL);
        assert_contains(err.text, "damaged store");
        assert_contains(err.text, names[i]);
        assert_int_equal(runs.count, 0);
        mt_store_close(store);
    }
}

static void runs_have_times(void **state)
{
    static const char *const changes[] = {"seconds = 9e999", "seconds = -1",
                                          "size = 0"};
    char lab[] = "lab";
    const struct mt_cluster cluster = {.name = lab};
    for (int i = 0; i < 3; i++) {
        struct mt_samples samples = {0};
        struct mt_error err = {0};
        char sql[64];
        snprintf(sql, sizeof sql, "UPDATE run SET %s", changes[i]);
        unlink(store_path(*state));
        struct mt_store *store = tampered(store_path(*state), sql);
        assert_int_equal(mt_store_samples(store, &samples, &cluster, "lu", &err),
                         MT_EINVAL);
        assert_contains(err.text, "damaged store: run 1 has a size of");
        mt_samples_clear(&samples);
        mt_store_close(store);
    }
}

static void lists_have_their_names(void **state)
{
    struct mt_down_nodes down = {0};
    struct mt_link_figures links = {0};
    struct mt_fitted_list fitted = {0};
    struct mt_error err = {0};
    struct mt_store *store =
        tampered(store_path(*state), "INSERT INTO absent (cluster) VALUES ('lab');"
                                     "INSERT INTO link (cluster) VALUES ('lab');"
                                     "INSERT INTO fit (kind) VALUES ('auto')");
    assert_int_equal(mt_store_down_nodes(store, &down, "lab", &err), MT_EINVAL);
    assert_contains(err.text, "'host'");
    assert_int_equal(mt_store_links(store, &links, NULL, &err), MT_EINVAL);
    assert_contains(err.text, "'from_group'");
    assert_int_equal(mt_store_fitted(store, &fitted, NULL, NULL, &err), MT_EINVAL);
    assert_contains(err.text, "'cluster'");
    mt_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(runs_have_their_names),
        in_folder(runs_have_times),
        in_folder(lists_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
