/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_cases.h"
#include "lib/input/internal.h"

static const char file[] =
    "name: lab\nlauncher: openmpi\ngroups:\n"
    "  - {name: a, hosts: 'a[1-4]', processes: [4, 1, 2], cores: 4}\n"
    "  - {name: b, hosts: 'b[1-2]', processes: [1, 8], cores: 2.5}\n";

/* The layouts of a group, as in the text of a configuration. */
static void assert_layouts(const struct mt_group *group, const char *expected)
{
    char all[256] = "", text[MT_LAYOUT_LENGTH];
    for (int i = 0; i < group->nlayouts; i++) {
        const size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? " " : "",
                 mt_layout_format(text, group->layouts[i]));
    }
    assert_string_equal(all, expected);
}

static void every_process_may_have_each_number_of_threads(void **state)
{
    (void)state;
    int threads[] = {1, 2, 4, 16};
    const struct mt_program program = {.threads = threads, .nthreads = 4};
    struct mt_cluster cluster = {0};
    load(&cluster, file);
    assert_layouts(&cluster.groups[0], "1 2 4");
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    assert_layouts(&cluster.groups[0], "1 1t2 1t4 2 2t2 4");
    /* processes beyond the cores share them, as ever; threads do not */
    assert_layouts(&cluster.groups[1], "1 1t2 8");
    mt_cluster_clear(&cluster);
}

static void only_the_programs_threads(void **state)
{
    (void)state;
    int two[] = {2};
    enum mt_bind both[] = {MT_BIND_CORE, MT_BIND_NONE};
    struct mt_program program = {0};
    struct mt_cluster cluster = {0};
    load(&cluster, file);
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    assert_layouts(&cluster.groups[0], "1 2 4");
    program = (struct mt_program){.threads = two, .nthreads = 1};
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    assert_layouts(&cluster.groups[0], "1t2 2t2");
    assert_layouts(&cluster.groups[1], "1t2");
    program = (struct mt_program){.binds = both, .nbinds = 2};
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    assert_layouts(&cluster.groups[1], "1@core 1@none");
    mt_cluster_clear(&cluster);
}

static void assert_refused(const char *text, int *threads, const char *reason)
{
    struct mt_cluster cluster = {0};
    const struct mt_program program = {.threads = threads, .nthreads = 1};
    struct mt_error err = {0};
    load(&cluster, text);
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, &err), MT_EINVAL);
    assert_contains(err.text, reason);
    assert_contains(err.text, cluster.path);
    assert_layouts(&cluster.groups[0], "1 2 4");
    mt_cluster_clear(&cluster);
}

static void says_which_group_has_no_room(void **state)
{
    (void)state;
    int four[] = {4}, one[] = {1};
    static const char unknown[] =
        "name: lab\nlauncher: openmpi\ngroups:\n"
        "  - {name: a, hosts: 'a[1-4]', processes: [1, 2, 4]}\n";
    assert_refused(file, four,
                   ": group 'b' has 2.5 cores, too few for 1 process of 4 "
                   "threads, the fewest of the program");
    assert_refused(unknown, four, ": missing key 'cores' in group 'a'");
    struct mt_cluster cluster = {0};
    load(&cluster, unknown);
    const struct mt_program program = {.threads = one, .nthreads = 1};
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    mt_cluster_clear(&cluster);
}

/* What uses all cores is measured first, and a single thread always. */
static void knows_what_leaves_cores_over(void **state)
{
    (void)state;
    int threads[] = {1, 2, 4};
    const struct mt_program program = {.threads = threads, .nthreads = 3};
    struct mt_cluster cluster = {0};
    load(&cluster, file);
    assert_int_equal(mt_cluster_lay_out(&cluster, &program, NULL), MT_OK);
    const struct mt_group *group = &cluster.groups[0]; /* 1 1t2 1t4 2 2t2 4 */
    static const bool leaves[] = {false, true, false, false, false, false};
    for (int i = 0; i < group->nlayouts; i++)
        assert_int_equal(mt_group_leaves_cores(group, group->layouts[i]), leaves[i]);
    mt_cluster_clear(&cluster);
}

static void compares_processes_first(void **state)
{
    (void)state;
    const struct mt_layout few = {.processes = 1, .threads = 16},
                           many = {.processes = 2}, more = {2, 4, 0, 0};
    const struct mt_layout bound = {2, 4, MT_BIND_CORE, 0};
    assert_true(mt_layout_compare(few, many) < 0);
    assert_true(mt_layout_compare(more, many) > 0);
    assert_int_equal(mt_layout_compare(more, more), 0);
    assert_true(mt_layout_compare(more, bound) < 0);
    assert_false(mt_layout_alike(more, bound));
    assert_true(mt_layout_alike(many, (struct mt_layout){.processes = 4}));
    assert_int_equal(mt_layout_cores(few), 16);
    assert_int_equal(mt_layout_cores(many), 2);
    assert_int_equal(mt_layout_threads(many), 1);
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    static const char *const texts[] = {"1", "12t4", "2g1", "3@numa", "8t16g2@core"};
    static const char *const others[] = {"",   "x",  "t4",       "2t",
                                         "2g", "2@", "2@cores ", "2t4t4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[MT_LAYOUT_LENGTH];
        struct mt_layout layout;
        const char *at = texts[i];
        assert_true(mt_layout_read(&layout, &at));
        assert_int_equal(*at, 0);
        assert_string_equal(mt_layout_format(text, layout), texts[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct mt_layout layout = {0};
        const char *at = others[i];
        assert_false(mt_layout_read(&layout, &at) && !*at);
    }
    const char *at = "2t1+";
    struct mt_layout layout;
    assert_true(mt_layout_read(&layout, &at));
    assert_int_equal(*at, '+');
    assert_int_equal(layout.threads, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_process_may_have_each_number_of_threads),
        cmocka_unit_test(only_the_programs_threads),
        cmocka_unit_test(says_which_group_has_no_room),
        cmocka_unit_test(knows_what_leaves_cores_over),
        cmocka_unit_test(compares_processes_first),
        cmocka_unit_test(reads_what_it_writes),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
