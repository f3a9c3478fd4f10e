/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished runs that the store does not take are handed back; files that are no store
   of this version are refused. */
#include "motley/store.h"

#include "lib/store/sql.h"
#include "test_store.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct mt_store *open_store(const char *path)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err))
        fail_msg("%s", err.text);
    return store;
}

static int keep(struct mt_store *store, int repetition, struct mt_runs *left,
                struct mt_error *err)
{
    struct mt_run run = example_run(repetition);
    run.wall = repetition;
    const int status = mt_store_keep_run(store, &run, left, err);
    mt_run_clear(&run);
    return status;
}

static void keep_well(struct mt_store *store, int repetition)
{
    struct mt_runs left = {0};
    assert_int_equal(keep(store, repetition, &left, NULL), MT_OK);
    assert_int_equal(left.count, 0);
}

/* Keeping it fails with these words, and hands back the repetitions from `first` to it.
 */
static void assert_handed_back(struct mt_store *store, int repetition, int first,
                               const char *words)
{
    struct mt_error err = {0};
    struct mt_runs left = {0};
    assert_true(keep(store, repetition, &left, &err) != MT_OK);
    assert_contains(err.text, words);
    assert_int_equal(left.count, repetition - first + 1);
    for (int i = 0; i < left.count; i++)
        assert_int_equal(left.runs[i].repetition, first + i);
    mt_runs_clear(&left);
}

static void hands_back_the_runs_of_a_removed_store(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    keep_well(store, 1);
    keep_well(store, 2);
    assert_int_equal(unlink(path), 0);
    assert_handed_back(store, 3, 1, "was removed while it was in use");
    assert_handed_back(store, 4, 4, "was removed while it was in use");
    mt_store_close(store);
}

/* No run comes after that, to notice it. */
static void hands_back_what_a_removed_store_had_at_last(void **state)
{
    const char *path = store_path(*state);
    struct mt_error err = {0};
    struct mt_runs left = {0};
    struct mt_store *store = open_store(path);
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK);
    keep_well(store, 1);
    keep_well(store, 2);
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mt_store_settle(store, &left, &err), MT_EIO);
    assert_contains(err.text, "was removed while it was in use");
    assert_int_equal(left.count, 2);
    mt_runs_clear(&left);
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK); /* not again */
    assert_int_equal(left.count, 0);
    mt_store_close(store);
}

static void notices_the_file_that_took_its_place(void **state)
{
    char other[96];
    const char *path = store_path(*state);
    snprintf(other, sizeof other, "%s/other.db", folder_path(*state));
    struct mt_run run = example_run(3);
    add_run(other, &run);
    mt_run_clear(&run);
    struct mt_store *store = open_store(path);
    keep_well(store, 1);
    assert_int_equal(rename(other, path), 0);
    assert_handed_back(store, 2, 1, "another file was put in place");
    mt_store_close(store);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){0}), 1);
}

static void hands_back_the_runs_of_a_truncated_store(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    keep_well(store, 1);
    assert_int_equal(truncate(path, 0), 0);
    assert_handed_back(store, 2, 1, "was overwritten while it was in use");
    mt_store_close(store);
}

/* No file can grow. The store keeps its contents. */
static int keep_on_a_full_disk(const struct folder *folder)
{
    struct mt_error err = {0};
    struct mt_runs left = {0};
    struct mt_store *store = open_store(folder->store);
    signal(SIGXFSZ, SIG_IGN);
    keep_well(store, 3);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}))
        return 1;
    if (keep(store, 1, &left, &err) != MT_EIO || left.count != 1 ||
        left.runs[0].repetition != 1)
        return 2;
    mt_runs_clear(&left);
    unlink(folder->store);
    if (keep(store, 2, &left, &err) != MT_EIO || left.count != 2 ||
        left.runs[0].repetition != 3 || left.runs[1].repetition != 2)
        return 3;
    mt_runs_clear(&left);
    mt_store_close(store);
    return 0;
}

static void hands_back_what_a_full_disk_does_not_take(void **state)
{
    int result = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(keep_on_a_full_disk(*state));
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

static int fail_to_read(sqlite3_file *file, void *to, int length, sqlite3_int64 at)
{
    (void)file, (void)to, (void)length, (void)at;
    return SQLITE_IOERR_READ;
}

static int fail_to_write(sqlite3_file *file, const void *from, int length,
                         sqlite3_int64 at)
{
    (void)file, (void)from, (void)length, (void)at;
    return SQLITE_IOERR_WRITE;
}

/* The store's contents are there once the disk works again. */
static void hands_back_one_run_while_the_disk_fails(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    static const int pointers[] = {SQLITE_FCNTL_FILE_POINTER,
                                   SQLITE_FCNTL_JOURNAL_POINTER};
    sqlite3_file *files[2] = {NULL};
    const sqlite3_io_methods *methods[2];
    sqlite3_io_methods failing[2];
    keep_well(store, 1);
    for (int i = 0; i < 2; i++) {
        sqlite3_file_control(store->db, "main", pointers[i], &files[i]);
        methods[i] = files[i]->pMethods;
        failing[i] = *methods[i];
        failing[i].xRead = fail_to_read;
        failing[i].xWrite = fail_to_write;
        files[i]->pMethods = &failing[i];
    }
    assert_handed_back(store, 2, 2, "disk I/O error");
    for (int i = 0; i < 2; i++)
        files[i]->pMethods = methods[i];
    keep_well(store, 3);
    mt_store_close(store);
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}), 2);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void waits_for_a_lock_and_hands_back(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_handed_back(store, 1, 1, "locked by another process");
    sqlite3_close(other);
    mt_store_close(store);
}

static int read_all(const char *path, struct mt_error *err)
{
    struct mt_store *store = NULL;
    struct mt_runs runs = {0};
    int status = mt_store_open(&store, path, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_store_runs(store, &runs, &(struct mt_run_filter){0}, err);
    mt_runs_clear(&runs);
    mt_store_close(store);
    return status;
}

static void refuses_what_makes_no_sense(void **state)
{
    static const char *const damages[] = {
        "PRAGMA ignore_check_constraints = ON; UPDATE run SET outcome = 'odd'",
        "PRAGMA application_id = 7",
        "DROP TABLE run",
        "ALTER TABLE run RENAME TO hidden; CREATE VIEW run AS SELECT * FROM hidden",
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
    };
    const char *path = store_path(*state);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct mt_store *store = open_store(path);
        keep_well(store, 1);
        mt_store_close(store);
        run_sql(path, damages[i]);
        assert_true(read_all(path, NULL) != MT_OK);
        assert_int_equal(unlink(path), 0);
    }
}

static void refuses_other_versions(void **state)
{
    static const char *const versions[] = {"0", "2", "99"};
    const char *path = store_path(*state);
    mt_store_close(open_store(path));
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char sql[64], words[64];
        struct mt_error err = {0};
        struct mt_store *store = NULL;
        snprintf(sql, sizeof sql, "PRAGMA user_version = %s", versions[i]);
        snprintf(words, sizeof words, "has version %s, this one reads version 1",
                 versions[i]);
        run_sql(path, sql);
        assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, &err),
                         MT_EVERSION);
        assert_contains(err.text, words);
        assert_int_equal(read_all(path, NULL), MT_EVERSION);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(hands_back_the_runs_of_a_removed_store),
        in_folder(hands_back_what_a_removed_store_had_at_last),
        in_folder(notices_the_file_that_took_its_place),
        in_folder(hands_back_the_runs_of_a_truncated_store),
        in_folder(hands_back_what_a_full_disk_does_not_take),
        in_folder(hands_back_one_run_while_the_disk_fails),
        in_folder(waits_for_a_lock_and_hands_back),
        in_folder(refuses_what_makes_no_sense),
        in_folder(refuses_other_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
