/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/testbed/groups.h"

#include "tests/unit/test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Stands in for the kernel: a new folder has the files of a control group, which vanish
 * with it.
 */
static const char *const group_files[] = {"cgroup.procs", "cgroup.subtree_control",
                                          "cpu.max", "cpu.cfs_period_us",
                                          "cpu.cfs_quota_us"};
enum { GROUP_FILES = sizeof group_files / sizeof *group_files };

static void file_of(char path[PATH_MAX], const char *folder, const char *file)
{
    assert_true(snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX);
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

int __real_mkdir(const char *folder, mode_t mode);
int __wrap_mkdir(const char *folder, mode_t mode);
int __real_rmdir(const char *folder);
int __wrap_rmdir(const char *folder);

int __wrap_mkdir(const char *folder, mode_t mode)
{
    if (__real_mkdir(folder, mode) != 0)
        return -1;
    for (int i = 0; i < GROUP_FILES; i++) {
        char path[PATH_MAX];
        file_of(path, folder, group_files[i]);
        write_text(path, "");
    }
    return 0;
}

/* Only a group without groups can be removed. */
int __wrap_rmdir(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) == 0 && info.st_nlink > 2) {
        errno = ENOTEMPTY;
        return -1;
    }
    for (int i = 0; i < GROUP_FILES; i++) {
        char path[PATH_MAX];
        file_of(path, folder, group_files[i]);
        unlink(path);
    }
    return __real_rmdir(folder);
}

/* No process is killed here; it is enough that the group is empty afterwards. */
static char killed[64], emptied_by_kill[PATH_MAX];
int __wrap_kill(pid_t pid, int signal_number);

int __wrap_kill(pid_t pid, int signal_number)
{
    const size_t used = strlen(killed);
    assert_int_equal(signal_number, SIGKILL);
    snprintf(killed + used, sizeof killed - used, "%d ", pid);
    write_text(emptied_by_kill, "");
    return 0;
}

/* This number of writes succeeds; then the groups have processes that forbid further
   ones. */
static int writes_allowed = INT_MAX;
ssize_t __real_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count);

ssize_t __wrap_write(int descriptor, const void *bytes, size_t count)
{
    if (writes_allowed-- > 0)
        return __real_write(descriptor, bytes, count);
    errno = EBUSY;
    return -1;
}

static FILE *open_text(const char *text)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    fputs(text, stream);
    rewind(stream);
    return stream;
}

static int read_hierarchy(struct mt_hierarchy *hierarchy, const char *text,
                          struct mt_error *err)
{
    FILE *stream = open_text(text);
    int status = mt_hierarchy_read(hierarchy, stream, err);
    fclose(stream);
    return status;
}

#define V1_CPU \
    "36 35 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:15 - cgroup cgroup " \
    "rw,cpu,cpuacct\n"
#define V1_OTHERS \
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" \
    "35 31 0:32 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
#define V2 "30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
#define V2_BESIDE_V1 \
    "33 23 0:26 / /sys/fs/cgroup/unified rw shared:4 - cgroup2 cgroup2 " \
    "rw,nsdelegate\n"
#define NO_GROUPS \
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n" \
    "27 1 254:0 / /a\\040b rw,relatime - ext4 /dev/vda rw,cpu\n\nnonsense\n"

static void finds_the_hierarchy_that_has_the_controller(void **state)
{
    (void)state;
    const struct {
        const char *text, *folder;
        bool unified;
    } cases[] = {
        {NO_GROUPS V1_OTHERS V1_CPU, "/sys/fs/cgroup/cpu,cpuacct", false},
        {NO_GROUPS V2, "/sys/fs/cgroup", true},
        {V2_BESIDE_V1 V1_OTHERS V1_CPU, "/sys/fs/cgroup/cpu,cpuacct", false},
        {V1_OTHERS V1_CPU V2_BESIDE_V1, "/sys/fs/cgroup/cpu,cpuacct", false},
        {V1_OTHERS V2_BESIDE_V1, "/sys/fs/cgroup/unified", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_hierarchy hierarchy;
        assert_int_equal(read_hierarchy(&hierarchy, cases[i].text, NULL), MT_OK);
        assert_string_equal(hierarchy.folder, cases[i].folder);
        assert_int_equal(hierarchy.unified, cases[i].unified);
    }
}

static void says_when_there_is_none(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy = {.folder = "as it was"};
    struct mt_error err;
    assert_int_equal(read_hierarchy(&hierarchy, NO_GROUPS V1_OTHERS, &err),
                     MT_ENOTFOUND);
    assert_contains(err.text, "not mounted");
    assert_int_equal(read_hierarchy(&hierarchy, "", &err), MT_ENOTFOUND);
    assert_string_equal(hierarchy.folder, "as it was");
}

/* A hierarchy of plain files. */
static void begin(struct mt_hierarchy *hierarchy, bool unified)
{
    *hierarchy = (struct mt_hierarchy){.unified = unified};
    snprintf(hierarchy->folder, PATH_MAX, "/tmp/motley-groups-XXXXXX");
    assert_non_null(mkdtemp(hierarchy->folder));
    char path[PATH_MAX];
    file_of(path, hierarchy->folder, "cgroup.subtree_control");
    write_text(path, "");
}

/* Nothing else may be left in it. */
static void end(const struct mt_hierarchy *hierarchy)
{
    assert_int_equal(rmdir(hierarchy->folder), 0);
}

static void version_2_must_have_the_controller(void **state)
{
    (void)state;
    static const struct {
        const char *controllers;
        int status;
    } cases[] = {
        {"cpuset cpu io memory hugetlb pids\n", MT_OK},
        {"cpu\n", MT_OK},
        {"cpuset io\n", MT_ENOTFOUND},
        {"\n", MT_ENOTFOUND},
    };
    struct mt_hierarchy hierarchy;
    struct mt_error err;
    char path[PATH_MAX];
    begin(&hierarchy, true);
    file_of(path, hierarchy.folder, "cgroup.controllers");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(path, cases[i].controllers);
        assert_int_equal(mt_hierarchy_check(&hierarchy, &err), cases[i].status);
        if (cases[i].status)
            assert_contains(err.text, "'cpu' is not among");
    }
    unlink(path);
    assert_int_equal(mt_hierarchy_check(&hierarchy, &err), MT_ENOTFOUND);
    hierarchy.unified = false;
    assert_int_equal(mt_hierarchy_check(&hierarchy, &err), MT_OK);
    end(&hierarchy);
    assert_int_equal(mt_hierarchy_check(&hierarchy, &err), MT_ENOTFOUND);
    assert_contains(err.text, "cannot be changed");
}

static bool read_place(struct mt_testbed_place *place, const char *text)
{
    FILE *stream = open_text(text);
    bool found = mt_place_read(place, stream);
    fclose(stream);
    return found;
}

static void finds_its_own_place(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "9:name=systemd:/\n4:cpu,cpuacct:/motley-testbed/my bed/fast-1\n0::/\n",
        "1:cpu:/docker/0123/motley-testbed/my bed/fast-1\n",
        "0::/motley-testbed/my bed/fast-1\n",
        "0::/motley-testbed/my bed/fast-1/slurm/job_7\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mt_testbed_place place;
        assert_true(read_place(&place, texts[i]));
        assert_string_equal(place.testbed, "my bed");
        assert_string_equal(place.node, "fast-1");
    }
}

static void knows_when_it_is_on_no_node(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "0::/\n",
        "3:cpuset:/motley-testbed/x/fast-1\n1:cpu:/user\n",
        "1:cpu:/motley-testbed\n",
        "1:cpu:/motley-testbed/x\n",
        "1:cpu:/motley-testbed/x/\n",
        "nonsense\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(read_place(&(struct mt_testbed_place){0}, texts[i]));
}

static void takes_names_that_fit(void **state)
{
    (void)state;
    char name[NAME_MAX + 2];
    struct mt_testbed_place place;
    memset(name, 'x', sizeof name);
    name[NAME_MAX + 1] = '\0';
    assert_int_equal(mt_place_set(&place, "bed", name, NULL), MT_EINVAL);
    name[NAME_MAX] = '\0';
    assert_int_equal(mt_place_set(&place, name, "", NULL), MT_OK);
    assert_string_equal(place.testbed, name);
    assert_string_equal(place.node, "");
}

static void assert_file(const struct mt_hierarchy *hierarchy, const char *file,
                        const char *expected)
{
    char path[PATH_MAX], text[64] = "";
    file_of(path, hierarchy->folder, file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void version_2_passes_the_controller_on(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed, node;
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&node, "bed", "slow-1", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &node, NULL), MT_OK);
    assert_int_equal(mt_group_limit(&hierarchy, &node, 0.3, NULL), MT_OK);

    assert_file(&hierarchy, "cgroup.subtree_control", "+cpu");
    assert_file(&hierarchy, "motley-testbed/cgroup.subtree_control", "+cpu");
    assert_file(&hierarchy, "motley-testbed/bed/cgroup.subtree_control", "+cpu");
    /* Processes are only in groups that pass nothing on. */
    assert_file(&hierarchy, "motley-testbed/bed/slow-1/cgroup.subtree_control", "");
    assert_file(&hierarchy, "motley-testbed/bed/slow-1/cpu.max", "3000 10000");

    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    end(&hierarchy);
}

static void version_1_has_files_of_its_own(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed, node;
    begin(&hierarchy, false);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&node, "bed", "slow-1", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &node, NULL), MT_OK);
    /* A quota is never less than 1 ms. */
    assert_int_equal(mt_group_limit(&hierarchy, &node, 0.05, NULL), MT_OK);
    assert_file(&hierarchy, "cgroup.subtree_control", "");
    assert_file(&hierarchy, "motley-testbed/bed/slow-1/cpu.cfs_period_us", "20000");
    assert_file(&hierarchy, "motley-testbed/bed/slow-1/cpu.cfs_quota_us", "1000");
    assert_file(&hierarchy, "motley-testbed/bed/slow-1/cpu.max", "");
    assert_int_equal(mt_group_remove(&hierarchy, &node, NULL), MT_OK);
    assert_false(mt_group_exists(&hierarchy, &node));
    assert_true(mt_group_exists(&hierarchy, &testbed));
    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    end(&hierarchy);
}

static void testbeds_share_a_folder(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place one, other;
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&one, "one", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&other, "other", "", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &one, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &other, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &one, NULL), MT_EBUSY);
    assert_int_equal(mt_group_remove(&hierarchy, &one, NULL), MT_OK);
    assert_true(mt_group_exists(&hierarchy, &other));
    assert_int_equal(mt_group_remove(&hierarchy, &other, NULL), MT_OK);
    end(&hierarchy);
}

static void names_of_the_kernels_files_are_refused(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed, node;
    struct mt_error err;
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&node, "bed", "cpu.max", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &node, &err), MT_EINVAL);
    assert_contains(err.text, "'cpu.max'");
    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    end(&hierarchy);
}

static void processes_are_listed(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed;
    char path[PATH_MAX];
    pid_t *pids = NULL;
    int count = -1;
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_processes(&pids, &count, &hierarchy, &testbed, NULL),
                     MT_OK);
    assert_int_equal(count, 0);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    file_of(path, hierarchy.folder, "motley-testbed/bed/cgroup.procs");
    write_text(path, "17\n4711\n");
    assert_int_equal(mt_place_processes(&pids, &count, &hierarchy, &testbed, NULL),
                     MT_OK);
    assert_int_equal(count, 2);
    assert_int_equal(pids[0], 17);
    assert_int_equal(pids[1], 4711);
    free(pids);
    write_text(path, "");

    int descriptor = -1;
    assert_int_equal(mt_group_open(&descriptor, &hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_join(descriptor, NULL), MT_OK);
    close(descriptor);
    assert_file(&hierarchy, "motley-testbed/bed/cgroup.procs", "0");
    write_text(path, "");
    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    end(&hierarchy);
}

static void processes_of_all_nodes_are_killed(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed, node;
    begin(&hierarchy, false);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&node, "bed", "fast-1", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &node, NULL), MT_OK);
    file_of(emptied_by_kill, hierarchy.folder,
            "motley-testbed/bed/fast-1/cgroup.procs");
    /* 0 is the kernel's for a process that cannot be seen, and kill()'s for many. */
    write_text(emptied_by_kill, "0\n17\n");
    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    assert_string_equal(killed, "17 ");
    end(&hierarchy);
}

/* As a container's or a scheduler's. */
static void groups_on_a_node_go_with_it(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed, node;
    char inner[PATH_MAX];
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_place_set(&node, "bed", "fast-1", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &node, NULL), MT_OK);
    file_of(inner, hierarchy.folder, "motley-testbed/bed/fast-1/.jobs");
    assert_int_equal(mkdir(inner, 0755), 0);
    file_of(inner, hierarchy.folder, "motley-testbed/bed/fast-1/.jobs/7");
    assert_int_equal(mkdir(inner, 0755), 0);
    file_of(emptied_by_kill, inner, "cgroup.procs");
    write_text(emptied_by_kill, "4711\n");
    killed[0] = '\0';
    assert_int_equal(mt_group_remove(&hierarchy, &node, NULL), MT_OK);
    assert_string_equal(killed, "4711 ");
    assert_false(mt_group_exists(&hierarchy, &node));
    assert_int_equal(mt_group_remove(&hierarchy, &testbed, NULL), MT_OK);
    end(&hierarchy);
}

static void processes_beside_groups_are_explained(void **state)
{
    (void)state;
    struct mt_hierarchy hierarchy;
    struct mt_testbed_place testbed;
    struct mt_error err;
    begin(&hierarchy, true);
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    /* In the hierarchy's own group, in that of all testbeds, in this testbed's. */
    for (int writes = 0; writes < 3; writes++) {
        writes_allowed = writes;
        assert_int_equal(mt_group_make(&hierarchy, &testbed, &err), MT_EIO);
        writes_allowed = INT_MAX;
        assert_contains(err.text, "because processes are in that group itself");
        assert_false(mt_group_exists(&hierarchy, &testbed));
        assert_false(mt_group_exists(&hierarchy, &(struct mt_testbed_place){0}));
    }
    end(&hierarchy);
}

static void what_cannot_be_written_is_told(void **state)
{
    (void)state;
    const struct mt_hierarchy hierarchy = {.folder = "/proc/self/no such folder",
                                           .unified = true};
    struct mt_testbed_place testbed;
    struct mt_error err;
    int descriptor = -1;
    assert_int_equal(mt_place_set(&testbed, "bed", "", NULL), MT_OK);
    assert_int_equal(mt_group_make(&hierarchy, &testbed, &err), MT_EIO);
    assert_contains(err.text, "no such folder/cgroup.subtree_control");
    assert_int_equal(mt_group_limit(&hierarchy, &testbed, 0.5, &err), MT_EIO);
    assert_contains(err.text, "cpu.max");
    assert_int_equal(mt_group_open(&descriptor, &hierarchy, &testbed, &err), MT_EIO);
    assert_int_equal(descriptor, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_hierarchy_that_has_the_controller),
        cmocka_unit_test(says_when_there_is_none),
        cmocka_unit_test(version_2_must_have_the_controller),
        cmocka_unit_test(finds_its_own_place),
        cmocka_unit_test(knows_when_it_is_on_no_node),
        cmocka_unit_test(takes_names_that_fit),
        cmocka_unit_test(version_2_passes_the_controller_on),
        cmocka_unit_test(version_1_has_files_of_its_own),
        cmocka_unit_test(testbeds_share_a_folder),
        cmocka_unit_test(names_of_the_kernels_files_are_refused),
        cmocka_unit_test(processes_are_listed),
        cmocka_unit_test(processes_of_all_nodes_are_killed),
        cmocka_unit_test(groups_on_a_node_go_with_it),
        cmocka_unit_test(processes_beside_groups_are_explained),
        cmocka_unit_test(what_cannot_be_written_is_told),
    };
    return cmocka_run_group_tests_name("testbed_groups", tests, NULL, NULL);
}
