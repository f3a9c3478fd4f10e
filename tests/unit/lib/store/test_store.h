/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_store.h - what the tests of the store share: each test in a folder of its own,
 * and a run to put into it.
 */
#ifndef MT_TEST_STORE_H
#define MT_TEST_STORE_H

#include "lib/store/internal.h"
#include "tests/unit/test.h"

#include <dirent.h>
#include <ftw.h>
#include <unistd.h>

/* The state of each test. */
struct folder {
    char path[32];
    char store[48];
};

static inline int make_folder(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return -1;
    snprintf(folder->path, sizeof folder->path, "/tmp/motley-test-XXXXXX");
    if (!mkdtemp(folder->path))
        return -1;
    snprintf(folder->store, sizeof folder->store, "%s/motley.db", folder->path);
    *state = folder;
    return 0;
}

static inline int remove_entry(const char *path, const struct stat *file, int type,
                               struct FTW *level)
{
    (void)file, (void)type, (void)level;
    return remove(path);
}

static inline int remove_folder(void **state)
{
    struct folder *folder = *state;
    int result = nftw(folder->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(folder);
    return result;
}

#define in_folder(test) \
    cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static inline const char *folder_path(const struct folder *folder)
{
    return folder->path;
}

static inline const char *store_path(const struct folder *folder)
{
    return folder->store;
}

static inline int count_files(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static inline char *test_copy(const char *text)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    return copy;
}

static inline struct mt_run example_run(int repetition)
{
    return (struct mt_run){.cluster = test_copy("lab"),
                           .program = test_copy("lu"),
                           .configuration = test_copy("xeon:8x2"),
                           .size = 3200,
                           .repetition = repetition,
                           .seconds = 0.1,
                           .launcher = test_copy("smpi")};
}

static inline void add_run(const char *path, struct mt_run *run)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    if (mt_store_open(&store, path, MT_STORE_WRITE, &err) ||
        mt_store_add_run(store, run, &err))
        fail_msg("%s", err.text);
    mt_store_close(store);
}

static inline struct mt_runs read_runs(const char *path,
                                       const struct mt_run_filter *filter)
{
    struct mt_error err = {0};
    struct mt_store *store = NULL;
    struct mt_runs runs = {0};
    if (mt_store_open(&store, path, MT_STORE_READ, &err) ||
        mt_store_runs(store, &runs, filter, &err))
        fail_msg("%s", err.text);
    mt_store_close(store);
    return runs;
}

static inline int count_runs(const char *path, const struct mt_run_filter *filter)
{
    struct mt_runs runs = read_runs(path, filter);
    int count = runs.count;
    mt_runs_clear(&runs);
    return count;
}

#endif
