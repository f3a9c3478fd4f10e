/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are no store, damaged or not ours to write to; full disks; other processes
   that hold locks, write at the same time, or are killed. */
#include "motley/store.h"

#include "test_store.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 20];
    FILE *file = fopen(from, "r");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    write_file(to, bytes, length);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void fill(const char *path, int count)
{
    for (int i = 1; i <= count; i++) {
        struct mt_run run = example_run(i);
        add_run(path, &run);
        mt_run_clear(&run);
    }
}

/* Opening fails with that status and a reason that contains the words. */
static void assert_refused(const char *path, enum mt_store_mode mode, int status,
                           const char *words)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, mode, &err), status);
    assert_null(store);
    assert_contains(err.text, words);
    assert_contains(err.text, path);
}

static void assert_refused_in_both_modes(const char *path, int status,
                                         const char *words)
{
    assert_refused(path, MT_STORE_READ, status, words);
    assert_refused(path, MT_STORE_WRITE, status, words);
}

static void reading_needs_a_store(void **state)
{
    const char *path = store_path(*state);
    assert_refused(path, MT_STORE_READ, MT_ENOTFOUND, "no store");
    assert_int_equal(count_files(folder_path(*state)), 0);
    write_file(path, "", 0);
    assert_refused(path, MT_STORE_READ, MT_ENOTFOUND, "empty store");
}

static void empty_file_becomes_a_store(void **state)
{
    write_file(store_path(*state), "", 0);
    fill(store_path(*state), 1);
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}), 1);
}

static void refuses_what_is_no_file(void **state)
{
    assert_refused_in_both_modes(folder_path(*state), MT_EINVAL, "a folder");
    assert_refused_in_both_modes("/dev/null", MT_EINVAL, "not a regular file");
    assert_refused_in_both_modes("", MT_EINVAL, "name of the store is empty");
    assert_refused_in_both_modes(":memory:", MT_EINVAL, "not the name of a file");
    assert_refused_in_both_modes("file:x?mode=memory", MT_EINVAL, "is './file:");
    char path[128];
    snprintf(path, sizeof path, "%s/absent/motley.db", folder_path(*state));
    assert_refused(path, MT_STORE_WRITE, MT_EIO, "No such file or directory");
}

static void refuses_what_is_not_sqlite(void **state)
{
    static const char text[] = "cluster,program\nthis is a list that somebody needs\n";
    write_file(store_path(*state), text, sizeof text - 1);
    assert_refused_in_both_modes(store_path(*state), MT_EINVAL,
                                 "is not an SQLite file");
    struct stat file;
    assert_int_equal(stat(store_path(*state), &file), 0);
    assert_int_equal(file.st_size, sizeof text - 1);
}

static void leaves_other_programs_files_alone(void **state)
{
    static const char *const made_by_others[] = {
        "CREATE TABLE run (id INTEGER)",
        "PRAGMA application_id = 7",
        "PRAGMA application_id = 7; CREATE TABLE run (id INTEGER)",
    };
    for (int i = 0; i < 3; i++) {
        run_sql(store_path(*state), made_by_others[i]);
        char before[4096] = {0}, after[4096] = {0};
        FILE *file = fopen(store_path(*state), "r");
        assert_true(file && fread(before, 1, sizeof before, file) > 0);
        fclose(file);
        assert_refused_in_both_modes(store_path(*state), MT_EINVAL, "another program");
        file = fopen(store_path(*state), "r");
        assert_true(file && fread(after, 1, sizeof after, file) > 0);
        fclose(file);
        assert_memory_equal(before, after, sizeof before);
        assert_int_equal(unlink(store_path(*state)), 0);
    }
}

static void refuses_what_runs_its_own_sql(void **state)
{
    fill(store_path(*state), 1);
    run_sql(store_path(*state), "CREATE VIEW v AS SELECT 1");
    assert_refused_in_both_modes(store_path(*state), MT_EINVAL, "has views, triggers");
}

/* The first failure of opening and reading; MT_OK if there is none. */
static int try_to_read(const char *path, struct mt_error *err)
{
    struct mt_store *store = NULL;
    struct mt_runs runs = {0};
    int status = mt_store_open(&store, path, MT_STORE_READ, err);
    if (!status)
        status = mt_store_runs(store, &runs, &(struct mt_run_filter){0}, err);
    mt_runs_clear(&runs);
    mt_store_close(store);
    return status;
}

static void says_that_a_file_is_damaged(void **state)
{
    const char *path = store_path(*state);
    struct mt_error err = {0};
    fill(path, 200);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);

    assert_int_equal(truncate(path, 4096), 0);
    assert_int_equal(try_to_read(path, &err), MT_EINVAL);
    assert_contains(err.text, "damaged store");
    assert_contains(err.text, ".recover");

    assert_int_equal(truncate(path, 1000), 0);
    assert_int_equal(try_to_read(path, &err), MT_EINVAL);

    unlink(path);
    fill(path, 200);
    FILE *stream = fopen(path, "r+");
    assert_non_null(stream);
    fseek(stream, 4096, SEEK_SET);
    for (long i = 4096; i < file.st_size; i++)
        fputc(0xa5, stream);
    fclose(stream);
    assert_int_equal(try_to_read(path, &err), MT_EINVAL);
    assert_contains(err.text, "damaged store");
}

/* The body of a test in a process of its own: returns 0, or the number of the step that
   went wrong. */
typedef int child_function(const char *path);

static pid_t start_child(child_function *function, const char *path)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(function(path)); /* without cmocka's and valgrind's farewells */
    return child;
}

static void assert_ends_well(pid_t child)
{
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

/* Root may write everywhere, so become another user. */
static bool give_up_rights(void)
{
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

static int use_read_only(const char *path)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    struct mt_runs runs = {0};
    if (!give_up_rights())
        return 1;
    if (mt_store_open(&store, path, MT_STORE_READ, &err) ||
        mt_store_runs(store, &runs, &(struct mt_run_filter){0}, &err))
        return 2;
    if (runs.count != 3)
        return 3;
    mt_runs_clear(&runs);
    mt_store_close(store);
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err) != MT_EIO)
        return 4;
    if (!strstr(err.text, "writable") && !strstr(err.text, "rights"))
        return 5;
    return 0;
}

static void reads_without_rights_to_write(void **state)
{
    const char *path = store_path(*state), *folder = folder_path(*state);
    fill(path, 3);
    static const mode_t rights[3][2] = {{0444, 0555}, {0666, 0555}, {0444, 0777}};
    for (int i = 0; i < 3; i++) { /* the file, its folder, or both are read-only */
        assert_int_equal(chmod(path, rights[i][0]), 0);
        assert_int_equal(chmod(folder, rights[i][1]), 0);
        assert_ends_well(start_child(use_read_only, path));
    }
    assert_int_equal(chmod(folder, 0755), 0);
}

static int read_beside_a_log(const char *path)
{
    struct mt_error err = {0};
    if (!give_up_rights())
        return 1;
    return try_to_read(path, &err) == MT_EIO ? 0 : 2;
}

static void does_not_ignore_a_log(void **state)
{
    /* Copied while open: the newest runs are in the log, and without a -shm file, which
       cannot be made here, it cannot be read. Fewer runs would be a lie. */
    char copy[96], log[96], log_copy[96];
    snprintf(copy, sizeof copy, "%s/copy", folder_path(*state));
    snprintf(log, sizeof log, "%s-wal", store_path(*state));
    snprintf(log_copy, sizeof log_copy, "%s/copy-wal", folder_path(*state));
    struct mt_store *store = NULL;
    struct mt_run run = example_run(1);
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_add_run(store, &run, NULL), MT_OK);
    copy_file(store_path(*state), copy);
    copy_file(log, log_copy);
    mt_store_close(store);
    mt_run_clear(&run);
    assert_int_equal(chmod(folder_path(*state), 0555), 0);
    assert_ends_well(start_child(read_beside_a_log, copy));
    assert_int_equal(chmod(folder_path(*state), 0755), 0);
    assert_int_equal(count_runs(copy, &(struct mt_run_filter){0}), 1);
}

/* Add runs until the disk is full; then what was added before must be there. */
static int fill_the_disk(const char *path)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    struct mt_run run = example_run(1);
    struct mt_runs runs = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, 200000}))
        return 1;
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err))
        return 2;
    int added = 0, status = MT_OK;
    while (!(status = mt_store_add_run(store, &run, &err)) && added < 10000)
        added++;
    if (status != MT_EIO || added == 0)
        return 3;
    if (!strstr(err.text, "cannot read or write"))
        return 4;
    mt_store_close(store);
    if (mt_store_open(&store, path, MT_STORE_READ, &err) ||
        mt_store_runs(store, &runs, &(struct mt_run_filter){0}, &err))
        return 5;
    if (runs.count != added)
        return 6;
    mt_store_close(store);
    mt_runs_clear(&runs);
    mt_run_clear(&run);
    return 0;
}

static void survives_a_full_disk(void **state)
{
    assert_ends_well(start_child(fill_the_disk, store_path(*state)));
}

static void waits_for_a_lock_and_gives_up(void **state)
{
    fill(store_path(*state), 1);
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, &err),
                     MT_OK);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(store_path(*state), &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    struct mt_run run = example_run(2);
    assert_int_equal(mt_store_add_run(store, &run, &err), MT_EBUSY);
    assert_contains(err.text, "locked by another process");
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}), 1);
    sqlite3_close(other);
    assert_int_equal(mt_store_add_run(store, &run, &err), MT_OK);
    mt_store_close(store);
    mt_run_clear(&run);
}

enum { RUNS_EACH = 40, WRITERS = 3 };

static int add_many(const char *path)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    struct mt_run run = example_run(1);
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err))
        return 1;
    for (int i = 0; i < RUNS_EACH; i++)
        if (mt_store_add_run(store, &run, &err))
            return 2;
    mt_store_close(store);
    mt_run_clear(&run);
    return 0;
}

static void loses_nothing_between_writers(void **state)
{
    /* None of them finds the store: they also race to make it. */
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        children[i] = start_child(add_many, store_path(*state));
    for (int i = 0; i < WRITERS; i++)
        assert_ends_well(children[i]);
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}),
                     WRITERS * RUNS_EACH);
}

static int report[2]; /* a pipe: what the child that is to be killed has done */

static int claim_and_add_forever(const char *path)
{
    struct mt_store *store = NULL;
    struct mt_run run = example_run(1);
    if (mt_store_open(&store, path, MT_STORE_WRITE, NULL) ||
        mt_store_claim(store, NULL))
        return 1;
    for (;;)
        if (mt_store_add_run(store, &run, NULL) ||
            write(report[1], &run.id, sizeof run.id) != sizeof run.id)
            return 2;
}

static void outlives_a_killed_writer(void **state)
{
    const char *path = store_path(*state);
    assert_int_equal(pipe(report), 0);
    pid_t child = start_child(claim_and_add_forever, path);
    close(report[1]);
    int64_t id = 0, done = 0;
    while (read(report[0], &id, sizeof id) == sizeof id) {
        done++;
        if (done == 1) { /* the store is the child's now, but can be read */
            struct mt_error err = {0};
            struct mt_store *store = NULL;
            assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, &err), MT_OK);
            assert_int_equal(mt_store_claim(store, &err), MT_EBUSY);
            assert_contains(err.text, "another motley measures into store");
            mt_store_close(store);
            assert_true(count_runs(path, &(struct mt_run_filter){0}) >= 1);
        }
        if (done == 50)
            kill(child, SIGKILL);
    }
    close(report[0]);
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
    /* The last run may have been kept but not reported. */
    int kept = count_runs(path, &(struct mt_run_filter){0});
    assert_true(kept == done || kept == done + 1);

    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_int_equal(mt_store_claim(store, NULL), MT_OK);
    mt_store_close(store);
}

static void is_claimed_once(void **state)
{
    struct mt_error err = {0};
    struct mt_store *first = NULL, *second = NULL;
    const char *path = store_path(*state);
    assert_int_equal(mt_store_open(&first, path, MT_STORE_WRITE, &err), MT_OK);
    assert_int_equal(mt_store_open(&second, path, MT_STORE_WRITE, &err), MT_OK);
    assert_int_equal(mt_store_claim(first, &err), MT_OK);
    assert_int_equal(mt_store_claim(first, &err), MT_OK);
    assert_int_equal(mt_store_claim(second, &err), MT_EBUSY);
    mt_store_close(first);
    assert_int_equal(mt_store_claim(second, &err), MT_OK);
    mt_store_close(second);
}

static void is_claimed_through_links(void **state)
{
    char link[96];
    snprintf(link, sizeof link, "%s/link.db", folder_path(*state));
    fill(store_path(*state), 1);
    assert_int_equal(symlink(store_path(*state), link), 0);
    struct mt_store *first = NULL, *second = NULL;
    assert_int_equal(mt_store_open(&first, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_open(&second, link, MT_STORE_WRITE, NULL), MT_OK);
    assert_int_equal(mt_store_claim(first, NULL), MT_OK);
    assert_int_equal(mt_store_claim(second, NULL), MT_EBUSY);
    mt_store_close(first);
    mt_store_close(second);
}

/* A link or a file next to the store neither prevents a claim nor is damaged by it. */
static void claims_nothing_but_the_store(void **state)
{
    char link[96], victim[96];
    struct mt_store *first = NULL, *second = NULL;
    struct stat file;
    snprintf(link, sizeof link, "%s-claim", store_path(*state));
    snprintf(victim, sizeof victim, "%s/victim", folder_path(*state));
    write_file(victim, "needed", 6);
    assert_int_equal(symlink(victim, link), 0);
    assert_int_equal(mt_store_open(&first, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_claim(first, NULL), MT_OK);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(mt_store_open(&second, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_claim(second, NULL), MT_EBUSY);
    assert_int_equal(stat(victim, &file), 0);
    assert_int_equal(file.st_size, 6);
    mt_store_close(first);
    mt_store_close(second);
    assert_int_equal(count_files(folder_path(*state)), 2);
}

static void assert_not_kept(struct mt_store *store, const char *words)
{
    struct mt_error err = {0};
    struct mt_run run = example_run(2);
    assert_int_equal(mt_store_add_run(store, &run, &err), MT_EIO);
    assert_contains(err.text, words);
    assert_int_equal(run.id, 0);
    mt_run_clear(&run);
}

static void notices_that_the_store_is_gone(void **state)
{
    struct mt_store *store = NULL;
    fill(store_path(*state), 1);
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(unlink(store_path(*state)), 0);
    assert_not_kept(store, "was removed while it was in use");
    mt_store_close(store);
}

/* The new file is unchanged: the log of the old one is not applied to it. */
static void notices_that_the_store_was_replaced(void **state)
{
    char other[96];
    struct mt_store *store = NULL;
    struct mt_run run = example_run(2);
    snprintf(other, sizeof other, "%s/other.db", folder_path(*state));
    fill(other, 5);
    fill(store_path(*state), 1);
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_add_run(store, &run, NULL), MT_OK);
    assert_int_equal(rename(other, store_path(*state)), 0);
    assert_not_kept(store, "another file was put in place");
    mt_store_close(store);
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}), 5);
    run_sql(store_path(*state), "PRAGMA integrity_check");
    mt_run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(reading_needs_a_store),
        in_folder(empty_file_becomes_a_store),
        in_folder(refuses_what_is_no_file),
        in_folder(refuses_what_is_not_sqlite),
        in_folder(leaves_other_programs_files_alone),
        in_folder(refuses_what_runs_its_own_sql),
        in_folder(says_that_a_file_is_damaged),
        in_folder(reads_without_rights_to_write),
        in_folder(does_not_ignore_a_log),
        in_folder(survives_a_full_disk),
        in_folder(waits_for_a_lock_and_gives_up),
        in_folder(loses_nothing_between_writers),
        in_folder(outlives_a_killed_writer),
        in_folder(is_claimed_once),
        in_folder(is_claimed_through_links),
        in_folder(claims_nothing_but_the_store),
        in_folder(notices_that_the_store_is_gone),
        in_folder(notices_that_the_store_was_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
