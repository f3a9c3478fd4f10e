/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/draft.h"

#include "tests/unit/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/motley-draft-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static int count_files(void)
{
    DIR *stream = opendir(".");
    int count = -2; /* "." and ".." */
    while (readdir(stream))
        count++;
    closedir(stream);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    fputs(text, file);
    fclose(file);
}

static void holds(const char *path, const char *text)
{
    char read[64] = "";
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    read[fread(read, 1, sizeof read - 1, file)] = 0;
    fclose(file);
    assert_string_equal(read, text);
}

static int write_text(const char *path, const char *text, int status,
                      struct mt_error *err)
{
    struct mt_draft draft;
    const int opened = mt_draft_open(&draft, path, err);
    if (opened != MT_OK)
        return opened;
    fputs(text, draft.stream);
    return mt_draft_close(&draft, status, err);
}

static void refuses(const char *path, const char *message)
{
    struct mt_error err = {0};
    assert_int_equal(write_text(path, "new", MT_OK, &err), MT_EIO);
    assert_string_equal(err.text, message);
}

static void a_file_is_replaced_at_the_end(void **state)
{
    (void)state;
    struct mt_draft draft;
    struct stat found;
    put("a", "old");
    chmod("a", 0640);
    assert_int_equal(mt_draft_open(&draft, "a", NULL), MT_OK);
    fputs("new", draft.stream);
    fflush(draft.stream);
    holds("a", "old");
    assert_int_equal(mt_draft_close(&draft, MT_OK, NULL), MT_OK);
    holds("a", "new");
    assert_int_equal(stat("a", &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    assert_int_equal(count_files(), 1);
    unlink("a");
}

static void a_new_file_has_the_usual_mode(void **state)
{
    (void)state;
    struct stat found;
    const mode_t before = umask(027);
    assert_int_equal(write_text("a", "new", MT_OK, NULL), MT_OK);
    umask(before);
    assert_int_equal(stat("a", &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    unlink("a");
}

static void what_failed_leaves_the_old_file(void **state)
{
    (void)state;
    struct mt_error err = {.text = "its reason"};
    put("a", "old");
    assert_int_equal(write_text("a", "new", MT_EINVAL, &err), MT_EINVAL);
    assert_string_equal(err.text, "its reason");
    holds("a", "old");
    assert_int_equal(count_files(), 1);
    unlink("a");
    assert_int_equal(write_text("a", "new", MT_EINVAL, &err), MT_EINVAL);
    assert_int_equal(count_files(), 0);
}

/* A file may not grow beyond its limit, as on a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    char *text = calloc(100000, 1);
    memset(text, 'x', 99999);
    put("a", "old");
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    struct mt_error err = {0};
    const int status = write_text("a", text, MT_OK, &err);
    /* the writer's own message says more than the stream's */
    const int again = write_text("a", text, MT_EIO, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    free(text);
    assert_int_equal(status, MT_EIO);
    assert_int_equal(again, MT_EIO);
    assert_string_equal(err.text, "cannot write 'a': File too large");
    holds("a", "old");
    assert_int_equal(count_files(), 1);
    unlink("a");
}

static void what_cannot_be_a_file_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    refuses("no/a", "cannot write 'no/a': No such file or directory");
    refuses("d", "cannot write 'd': Is a directory");
    refuses("d/", "cannot write 'd/': Is a directory");
    refuses("new/", "cannot write 'new/': No such file or directory");
    refuses("", "cannot write '': No such file or directory");
    refuses("/dev/full", "cannot write '/dev/full': No space left on device");
    assert_int_equal(count_files(), 1);
    rmdir("d");
}

static void links_are_followed(void **state)
{
    (void)state;
    struct stat found;
    put("a", "old");
    assert_int_equal(symlink("a", "link"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(write_text("link", "new", MT_OK, NULL), MT_OK);
    assert_int_equal(write_text("dangling", "more", MT_OK, NULL), MT_OK);
    holds("a", "new");
    holds("nowhere", "more");
    assert_int_equal(lstat("link", &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(count_files(), 4);
    unlink("a");
    unlink("link");
    unlink("nowhere");
    unlink("dangling");
}

static void pipes_and_devices_are_written(void **state)
{
    (void)state;
    char read_back[8] = "";
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_int_equal(write_text("pipe", "new", MT_OK, NULL), MT_OK);
    assert_int_equal(read(reader, read_back, sizeof read_back), 3);
    assert_string_equal(read_back, "new");
    close(reader);
    assert_int_equal(write_text("/dev/null", "new", MT_OK, NULL), MT_OK);
    assert_int_equal(count_files(), 1);
    unlink("pipe");
}

/* The folder or file has another owner: root becomes the user nobody for that. */
static void what_may_not_be_replaced_is_written(void **state)
{
    (void)state;
    enum { NOBODY = 65534 };
    const bool is_root = geteuid() == 0;
    struct stat before, after;
    put("a", "old");
    assert_int_equal(chmod("a", 0666), 0);
    assert_int_equal(stat("a", &before), 0);
    assert_int_equal(chmod(".", 0555), 0);
    assert_int_equal(is_root ? seteuid(NOBODY) : 0, 0);
    const int in_closed = write_text("a", "new", MT_OK, NULL);
    const int new_there = write_text("b", "new", MT_OK, NULL);
    assert_int_equal(is_root ? seteuid(0) : 0, 0);
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(is_root ? seteuid(NOBODY) : 0, 0);
    const int of_another = write_text("a", "newer", MT_OK, NULL);
    assert_int_equal(is_root ? seteuid(0) : 0, 0);
    assert_int_equal(in_closed, MT_OK);
    assert_int_equal(new_there, MT_EIO);
    assert_int_equal(of_another, MT_OK);
    holds("a", "newer");
    assert_int_equal(stat("a", &after), 0);
    assert_int_equal(after.st_uid, before.st_uid);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(count_files(), 1);
    unlink("a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_at_the_end),
        cmocka_unit_test(a_new_file_has_the_usual_mode),
        cmocka_unit_test(what_failed_leaves_the_old_file),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(what_cannot_be_a_file_is_refused),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(pipes_and_devices_are_written),
        cmocka_unit_test(what_may_not_be_replaced_is_written),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
