/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished runs that the store does not take: where they go, and how they come back. */
#include "motley/store.h"

#include "test_store.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Each test has a folder "state" of its own for what is not beside the store. */
static const char *use_state_folder(const struct folder *folder)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/state", folder->path);
    assert_int_equal(setenv("XDG_STATE_HOME", path, 1), 0);
    return path;
}

static char *path_in(const struct folder *folder, const char *name)
{
    static char paths[4][96];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder->path, name);
    return path;
}

static struct mt_store *open_store(const char *path)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err))
        fail_msg("%s", err.text);
    return store;
}

/* Keeping it fails with these words; nothing is left over. */
static void assert_spilled(struct mt_store *store, int repetition, const char *words)
{
    struct mt_error err = {0};
    struct mt_runs left = {0};
    struct mt_run run = example_run(repetition);
    run.wall = repetition;
    assert_true(mt_store_keep_run(store, &run, &left, &err) != MT_OK);
    assert_contains(err.text, words);
    assert_contains(err.text, "kept in '");
    assert_int_equal(left.count, 0);
    mt_run_clear(&run);
}

static void keep(struct mt_store *store, int repetition)
{
    struct mt_runs left = {0};
    struct mt_run run = example_run(repetition);
    run.wall = repetition;
    assert_int_equal(mt_store_keep_run(store, &run, &left, NULL), MT_OK);
    mt_run_clear(&run);
}

static int take(const char *path)
{
    struct mt_error err = {0};
    int taken = 0;
    if (mt_store_take_spilled(path, &taken, &err))
        fail_msg("%s", err.text);
    return taken;
}

/* Each repetition from 1 on once. */
static void assert_runs(const char *path, int count)
{
    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_int_equal(runs.count, count);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += runs.runs[i].repetition;
    assert_int_equal(sum, count * (count + 1) / 2);
    mt_runs_clear(&runs);
}

static void without_spilled_runs_nothing_is_made(void **state)
{
    assert_int_equal(take(store_path(*state)), 0);
    assert_int_equal(take("/nowhere/at/all.db"), 0);
    assert_int_equal(take(""), 0);
    assert_int_equal(count_files(folder_path(*state)), 0);
}

static void keeps_the_runs_of_a_removed_store(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    keep(store, 1);
    keep(store, 2);
    assert_int_equal(unlink(path), 0);
    assert_spilled(store, 3, "was removed while it was in use; 3 finished runs");
    assert_spilled(store, 4, "1 finished run is kept");
    mt_store_close(store);
    assert_int_equal(take(path), 4);
    assert_runs(path, 4);
    assert_int_equal(access(path_in(*state, "motley.db-spill"), F_OK), -1);
}

/* No run comes after that, to notice it. */
static void keeps_what_a_removed_store_had_at_last(void **state)
{
    const char *path = store_path(*state);
    struct mt_error err = {0};
    struct mt_runs left = {0};
    struct mt_store *store = open_store(path);
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK);
    keep(store, 1);
    keep(store, 2);
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mt_store_settle(store, &left, &err), MT_EIO);
    assert_contains(err.text, "was removed while it was in use; 2 finished runs");
    assert_int_equal(mt_store_settle(store, &left, NULL), MT_OK); /* they are kept */
    assert_int_equal(left.count, 0);
    mt_store_close(store);
    assert_int_equal(take(path), 2);
    assert_runs(path, 2);
}

static void adds_to_the_store_that_took_its_place(void **state)
{
    const char *path = store_path(*state);
    struct mt_run other = example_run(3);
    add_run(path_in(*state, "other.db"), &other);
    mt_run_clear(&other);
    struct mt_store *store = open_store(path);
    keep(store, 1);
    assert_int_equal(rename(path_in(*state, "other.db"), path), 0);
    assert_spilled(store, 2, "another file was put in place");
    mt_store_close(store);
    assert_int_equal(take(path), 2);
    assert_runs(path, 3);
}

static void keeps_the_runs_of_a_truncated_store(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    keep(store, 1);
    assert_int_equal(truncate(path, 0), 0);
    assert_spilled(store, 2, "was overwritten while it was in use");
    mt_store_close(store);
    assert_int_equal(take(path), 2);
    assert_runs(path, 2);
}

static void adds_nothing_twice_to_a_store_that_comes_back(void **state)
{
    const char *path = store_path(*state), *away = path_in(*state, "away.db");
    struct mt_store *store = open_store(path);
    keep(store, 1);
    keep(store, 2);
    assert_int_equal(rename(path, away), 0);
    assert_spilled(store, 3, "was removed");
    mt_store_close(store);
    assert_int_equal(rename(away, path), 0); /* with the third, under no name */
    assert_int_equal(take(path), 0);
    assert_runs(path, 3);
}

/* Killed after the runs were added, before the spill file was removed. */
static void takes_in_once_what_is_taken_in_twice(void **state)
{
    const char *path = store_path(*state), *spill = path_in(*state, "motley.db-spill"),
               *again = path_in(*state, "again");
    struct mt_store *store = open_store(path);
    assert_int_equal(unlink(path), 0);
    assert_spilled(store, 1, "was removed");
    mt_store_close(store);
    assert_int_equal(link(spill, again), 0);
    assert_int_equal(take(path), 1);
    assert_int_equal(rename(again, spill), 0);
    assert_int_equal(take(path), 0);
    assert_runs(path, 1);
}

static void goes_elsewhere_where_it_must(void **state)
{
    const char *path = store_path(*state), *kept = use_state_folder(*state),
               *spill = path_in(*state, "motley.db-spill"),
               *victim = path_in(*state, "victim");
    close(open(victim, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(symlink(victim, spill), 0);
    struct mt_store *store = open_store(path);
    keep(store, 1);
    assert_int_equal(unlink(path), 0);
    assert_spilled(store, 2, kept);
    mt_store_close(store);
    struct stat file;
    assert_int_equal(stat(victim, &file), 0);
    assert_int_equal(file.st_size, 0);
    assert_int_equal(unlink(spill), 0);
    assert_int_equal(take(path), 2);
    assert_runs(path, 2);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void takes_only_what_makes_sense(void **state)
{
    static const char *const damages[] = {
        "PRAGMA ignore_check_constraints = ON; UPDATE run SET size = -1",
        "PRAGMA ignore_check_constraints = ON; UPDATE run SET outcome = 'odd'",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 7",
        "DROP TABLE run",
        "ALTER TABLE run RENAME TO hidden; CREATE VIEW run AS SELECT * FROM hidden",
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
    };
    const char *path = store_path(*state), *spill = path_in(*state, "motley.db-spill");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct mt_error err = {0};
        int taken = 0;
        struct mt_store *store = open_store(path);
        assert_int_equal(unlink(path), 0);
        assert_spilled(store, 1, "was removed");
        mt_store_close(store);
        run_sql(spill, damages[i]);
        assert_true(mt_store_take_spilled(path, &taken, &err) != MT_OK);
        assert_contains(err.text, "motley.db-spill' are not taken into store");
        assert_int_equal(taken, 0);
        assert_int_equal(access(spill, F_OK), 0);
        assert_int_equal(unlink(spill), 0);
    }
}

/* No file can grow: the caller has the runs. */
static int keep_on_a_full_disk(const struct folder *folder)
{
    struct mt_error err = {0};
    struct mt_runs left = {0};
    struct mt_run run = example_run(1), again = example_run(2);
    struct mt_store *store = open_store(folder->store);
    signal(SIGXFSZ, SIG_IGN);
    keep(store, 3);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}))
        return 1;
    if (mt_store_keep_run(store, &run, &left, &err) != MT_EIO || left.count != 1 ||
        left.runs[0].repetition != 1 || run.configuration)
        return 2;
    if (!strstr(err.text, "no spill file can be written"))
        return 3;
    mt_runs_clear(&left);
    unlink(folder->store);
    if (mt_store_keep_run(store, &again, &left, &err) != MT_EIO || left.count != 2 ||
        left.runs[0].repetition != 3 || left.runs[1].repetition != 2)
        return 4;
    mt_runs_clear(&left);
    mt_store_close(store);
    return 0;
}

static void hands_over_what_can_be_kept_nowhere(void **state)
{
    int result = -1;
    use_state_folder(*state);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(keep_on_a_full_disk(*state));
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

static void waits_for_a_lock_and_spills(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = open_store(path);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_spilled(store, 1, "locked by another process");
    sqlite3_close(other);
    mt_store_close(store);
    assert_int_equal(take(path), 1);
    assert_runs(path, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(without_spilled_runs_nothing_is_made),
        in_folder(keeps_the_runs_of_a_removed_store),
        in_folder(keeps_what_a_removed_store_had_at_last),
        in_folder(adds_to_the_store_that_took_its_place),
        in_folder(keeps_the_runs_of_a_truncated_store),
        in_folder(adds_nothing_twice_to_a_store_that_comes_back),
        in_folder(takes_in_once_what_is_taken_in_twice),
        in_folder(goes_elsewhere_where_it_must),
        in_folder(takes_only_what_makes_sense),
        in_folder(hands_over_what_can_be_kept_nowhere),
        in_folder(waits_for_a_lock_and_spills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
