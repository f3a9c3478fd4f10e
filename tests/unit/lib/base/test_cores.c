/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "lib/base/cores.h"

#include <sys/stat.h>
#include <unistd.h>

/* Each test builds a /proc/self and hierarchies of control groups in a folder. */
static char folder[] = "/tmp/motley-quota-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* `format` gets the folder's name for each %s. */
static void put(const char *name, const char *format)
{
    char file[128], text[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    snprintf(text, sizeof text, format, folder, folder);
    for (char *slash = strchr(file + sizeof folder, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(file, 0777);
        *slash = '/';
    }
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static uint64_t number_of(const char *name)
{
    char file[128];
    struct stat status;
    snprintf(file, sizeof file, "%s/%s", folder, name);
    assert_int_equal(stat(file, &status), 0);
    return status.st_ino;
}

static int find(struct mt_quota *quotas, int max)
{
    return mt_quota_find(quotas, max, folder);
}

static const char mounts[] =
    "20 1 0:1 / /somewhere rw - tmpfs tmpfs rw\n"
    "31 1 0:2 / %s/cpuset rw - cgroup cgroup rw,cpuset\n"
    "32 1 0:3 / %s/cpu rw shared:4 - cgroup cgroup rw,cpu,cpuacct\n";

static void finds_the_quotas_of_version_1(void **state)
{
    (void)state;
    struct mt_quota quotas[4];
    put("mountinfo", mounts);
    put("cgroup", "3:cpuset:/other\n1:cpu,cpuacct:/jobs/one\n0::/\n");
    put("cpu/jobs/one/cpu.cfs_quota_us", "6000\n");
    put("cpu/jobs/one/cpu.cfs_period_us", "10000\n");
    put("cpu/jobs/cpu.cfs_quota_us", "250000\n");
    put("cpu/jobs/cpu.cfs_period_us", "100000\n");
    put("cpu/cpu.cfs_quota_us", "-1\n");
    put("cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(find(quotas, 4), 2);
    assert_close(quotas[0].cores, 0.6, 1e-12);
    assert_close(quotas[1].cores, 2.5, 1e-12);
    assert_int_equal(quotas[0].group, number_of("cpu/jobs/one"));
    assert_int_equal(quotas[1].group, number_of("cpu/jobs"));
    assert_int_equal(find(quotas, 1), 1);
    assert_close(quotas[0].cores, 0.6, 1e-12);
}

static void finds_the_quotas_of_version_2(void **state)
{
    (void)state;
    struct mt_quota quotas[4];
    put("mountinfo", "30 1 0:2 / %s/groups rw - cgroup2 cgroup2 rw,nsdelegate\n");
    put("cgroup", "0::/jobs/one\n");
    put("groups/jobs/one/cpu.max", "max 100000\n");
    put("groups/jobs/cpu.max", "50000 100000\n");
    assert_int_equal(find(quotas, 4), 1);
    assert_close(quotas[0].cores, 0.5, 1e-12);
    assert_int_equal(quotas[0].group, number_of("groups/jobs"));
}

static void sees_from_a_container_what_is_mounted_there(void **state)
{
    (void)state;
    struct mt_quota quotas[4];
    put("mountinfo", "30 1 0:2 /docker/abc %s/groups rw - cgroup2 cgroup2 rw\n");
    put("groups/cpu.max", "150000 100000\n");
    put("cgroup", "0::/docker/abc\n");
    assert_int_equal(find(quotas, 4), 1);
    assert_close(quotas[0].cores, 1.5, 1e-12);

    put("groups/step/cpu.max", "20000 100000\n");
    put("cgroup", "0::/docker/abc/step\n");
    assert_int_equal(find(quotas, 4), 2);
    assert_close(quotas[0].cores, 0.2, 1e-12);

    put("cgroup", "0::/docker/abcdef\n"); /* another's, which is not to be seen */
    assert_int_equal(find(quotas, 4), 1);
    assert_close(quotas[0].cores, 1.5, 1e-12);
}

static void takes_what_it_cannot_read_for_no_limit(void **state)
{
    (void)state;
    struct mt_quota quotas[4];
    assert_int_equal(mt_quota_find(quotas, 4, "/nowhere"), 0);
    put("mountinfo", "nonsense\n31 1 - cgroup\n32 - cgroup2 x y\n");
    put("cgroup", "nonsense\n1:cpu\n");
    assert_int_equal(find(quotas, 4), 0);
    put("mountinfo", mounts);
    assert_int_equal(find(quotas, 4), 0);
    put("cgroup", "1:cpu:/gone\n");
    assert_int_equal(find(quotas, 4), 0);
    put("cpu/gone/cpu.cfs_quota_us", "6000\n");
    assert_int_equal(find(quotas, 4), 0);
    put("cpu/gone/cpu.cfs_period_us", "0\n");
    assert_int_equal(find(quotas, 4), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* One processor is one core, and a process has at least a part of one. */
static void counts_cores_by_affinity(void **state)
{
    (void)state;
    cpu_set_t processors, none;
    CPU_ZERO(&none);
    assert_int_equal(mt_cores_count(&none), 0);
    assert_int_equal(sched_getaffinity(0, sizeof processors, &processors), 0);
    const int cores = mt_cores_count(&processors);
    assert_true(cores >= 1 && cores <= CPU_COUNT(&processors));
    assert_true(mt_cores_here() > 0 && mt_cores_here() <= cores);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &processors)) {
            CPU_ZERO(&processors);
            CPU_SET(i, &processors);
        }
    assert_int_equal(mt_cores_count(&processors), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_cores_by_affinity),
        TEST(finds_the_quotas_of_version_1),
        TEST(finds_the_quotas_of_version_2),
        TEST(sees_from_a_container_what_is_mounted_there),
        TEST(takes_what_it_cannot_read_for_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
