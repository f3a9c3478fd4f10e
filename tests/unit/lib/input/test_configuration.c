/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_cases.h"
#include "lib/input/internal.h"
#include "tests/unit/test.h"

/* cluster.h has its strings to be freed, so they are not constants */
static char lab[] = "lab", xeon[] = "xeon", celeron[] = "celeron", newer[] = "xeon-new";
static struct mt_layout one_or_two[] = {{.processes = 1}, {.processes = 2}};
static struct mt_layout one_two_four[] = {
    {.processes = 1}, {.processes = 2}, {.processes = 4}};

static struct mt_group groups[] = {
    {.name = xeon, .nodes = 8, .layouts = one_or_two, .nlayouts = 2},
    {.name = celeron, .nodes = 8, .layouts = one_or_two, .nlayouts = 1},
    {.name = newer, .nodes = 3, .layouts = one_two_four, .nlayouts = 3},
};

static const struct mt_cluster lab_cluster = {
    .name = lab, .groups = groups, .ngroups = 3};

static struct mt_configuration parsed(const char *text)
{
    struct mt_error err = {0};
    struct mt_configuration configuration = {0};
    if (mt_configuration_parse(&configuration, &lab_cluster, text, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    return configuration;
}

static void refuses(const char *text, int status, const char *reason)
{
    struct mt_error err = {0};
    struct mt_configuration configuration = {0};
    assert_int_equal(mt_configuration_parse(&configuration, &lab_cluster, text, &err),
                     status);
    assert_contains(err.text, reason);
    assert_int_equal(mt_configuration_nodes(&configuration), 0);
}

/* A size that cannot be allocated is refused before anything is written. */
static void bounds_the_threads_of_a_node(void **state)
{
    (void)state;
    static struct mt_layout many[] = {{.processes = 1 << 20}};
    static char name[] = "large";
    struct mt_group group = {.name = name, .nodes = 1, .layouts = many, .nlayouts = 1};
    const struct mt_cluster large = {.groups = &group, .ngroups = 1};
    struct mt_configuration configuration = {0};
    struct mt_error err = {0};
    assert_int_equal(
        mt_configuration_parse(&configuration, &large, "large:1x1048576t4096", &err),
        MT_EINVAL);
    assert_contains(err.text, "a node may have at most 65536 threads");
}

static void reads_and_counts(void **state)
{
    (void)state;
    struct mt_configuration mixed = parsed("xeon:8x2+celeron:4x1");
    assert_int_equal(mixed.use[0].nodes, 8);
    assert_int_equal(mixed.use[0].layout.processes, 2);
    assert_int_equal(mixed.use[1].nodes, 4);
    assert_int_equal(mt_configuration_ranks(&mixed), 20);
    assert_int_equal(mt_configuration_nodes(&mixed), 12);
    assert_int_equal(mt_configuration_only_group(&mixed), -1);

    struct mt_configuration uniform = parsed("xeon-new:3x4");
    assert_int_equal(mt_configuration_only_group(&uniform), 2);
    assert_false(mt_configuration_equal(&mixed, &uniform));

    struct mt_configuration none = {0};
    assert_int_equal(mt_configuration_only_group(&none), -1);
    char *text = mt_configuration_format(&none, &lab_cluster);
    assert_string_equal(text, "-");
    free(text);
}

static void prints_groups_in_the_clusters_order(void **state)
{
    (void)state;
    struct mt_configuration mixed = parsed("xeon-new:1x4+xeon:2x1");
    char *text = mt_configuration_format(&mixed, &lab_cluster);
    assert_string_equal(text, "xeon:2x1+xeon-new:1x4");
    free(text);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    refuses(
        "", MT_EPARSE,
        "not of the form group:NODESxPROCESSES[tTHREADS][gGPUS][@BINDING] at column 1");
    refuses("-", MT_EPARSE, "column 1");
    refuses("xeon", MT_EPARSE, "column 1");
    refuses("xeon:8x2+", MT_EPARSE, "column 10");
    refuses("xeon:8", MT_EPARSE, "column 1");
    refuses("xeon:8x", MT_EPARSE, "column 1");
    refuses("xeon:-8x2", MT_EPARSE, "column 1");
    refuses("xeon:8x2 ", MT_EPARSE, "column 1");
    refuses("xeon:8x2+xeon:1x1", MT_EPARSE, "group 'xeon' comes twice");
    refuses("opteron:8x2", MT_EINVAL, "no such group 'opteron' in cluster 'lab'");
    refuses("xeo:8x2", MT_EINVAL, "no such group 'xeo'");
    refuses("xeon:9x2", MT_EINVAL, "group 'xeon' has 1 to 8 nodes to use, not 9");
    refuses("xeon:0x2", MT_EINVAL, "not 0");
    refuses("xeon:99999999999999999999x2", MT_EINVAL, "1 to 8 nodes");
    refuses("xeon:1x2t", MT_EPARSE, "column 1");
    refuses("xeon:1x2t4t4", MT_EPARSE, "column 1");
    refuses("xeon:1xt4", MT_EPARSE, "column 1");
    refuses("xeon:1x2@", MT_EPARSE, "column 1");
    refuses("xeon:1x2@cores", MT_EPARSE, "column 1");
    refuses("xeon:1x2@coret4", MT_EPARSE, "column 1");
    refuses("xeon:1x2t0", MT_EINVAL, "a process may have 1 to 4096 threads");
    refuses("xeon:1x2t4097", MT_EINVAL, "1 to 4096 threads");
    refuses("xeon:1x2t99999999999999999999", MT_EINVAL, "1 to 4096 threads");
    refuses("xeon-new:1x3", MT_EINVAL, "may run 1, 2, 4 processes on a node, not 3");
}

/* One thread is not written. */
static void reads_threads(void **state)
{
    (void)state;
    const struct mt_configuration several = parsed("celeron:4x1+xeon:2x2t16");
    assert_int_equal(several.use[0].layout.threads, 16);
    assert_int_equal(several.use[1].layout.threads, 0);
    assert_int_equal(mt_configuration_ranks(&several), 8);
    assert_true(mt_configuration_has_threads(&several));
    char *text = mt_configuration_format(&several, &lab_cluster);
    assert_string_equal(text, "xeon:2x2t16+celeron:4x1");
    free(text);

    const struct mt_configuration bound = parsed("xeon:2x2t4@core+celeron:1x1@none");
    assert_int_equal(bound.use[0].layout.bind, MT_BIND_CORE);
    text = mt_configuration_format(&bound, &lab_cluster);
    assert_string_equal(text, "xeon:2x2t4@core+celeron:1x1@none");
    free(text);

    const struct mt_configuration one = parsed("xeon:2x2t1"), none = parsed("xeon:2x2");
    assert_true(mt_configuration_equal(&one, &none));
    assert_false(mt_configuration_has_threads(&one));
    assert_false(mt_configuration_equal(&one, &several));
}

/* A cluster of random groups, which are written to `random_groups`. */
static struct mt_cluster random_cluster(struct mt_group random_groups[4])
{
    static char names[4][2] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++)
        random_groups[i] = (struct mt_group){.name = names[i],
                                             .nodes = 1 + rand() % 4,
                                             .layouts = one_two_four,
                                             .nlayouts = 1 + rand() % 3,
                                             .alone = rand() % 4 == 0};
    return (struct mt_cluster){
        .name = lab, .groups = random_groups, .ngroups = 1 + rand() % 4};
}

static int compare_configurations(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct mt_configuration));
}

/* A run on all nodes can still be read, but not be repeated; the steps are those of a
   cluster with only the other nodes. */
static void nodes_may_be_left_out(void **state)
{
    (void)state;
    struct mt_group less[] = {groups[0], groups[1], groups[2]};
    const struct mt_cluster rest = {.name = lab, .groups = less, .ngroups = 3};
    less[0].nodes = 0, less[0].down = 8;
    less[2].nodes = 1, less[2].down = 2;
    struct mt_configuration configuration;
    struct mt_error err = {0};
    assert_int_equal(
        mt_configuration_parse(&configuration, &rest, "xeon:8x2+xeon-new:2x1", NULL),
        MT_OK);
    assert_int_equal(mt_configuration_find_nodes(&configuration, &rest, &err),
                     MT_EINFEASIBLE);
    assert_contains(
        err.text, "the configuration needs 8 nodes of group 'xeon', of which 0 answer");
    assert_int_equal(mt_configuration_find_nodes(&configuration, &lab_cluster, &err),
                     MT_OK);
    configuration.use[0] = (struct mt_use){0};
    assert_int_equal(mt_configuration_find_nodes(&configuration, &rest, &err),
                     MT_EINFEASIBLE);
    assert_contains(
        err.text,
        "the configuration needs 2 nodes of group 'xeon-new', of which 1 answers");
    assert_int_equal(
        mt_configuration_parse(&configuration, &rest, "xeon-new:4x1", &err), MT_EINVAL);
    assert_contains(err.text, "has 1 to 3 nodes");

    int count = 0;
    for (configuration = (struct mt_configuration){0};
         mt_configuration_next(&configuration, &rest); count++)
        assert_int_equal(mt_configuration_find_nodes(&configuration, &rest, NULL),
                         MT_OK);
    assert_int_equal(count, (1 + 8) * (1 + 3) - 1);
    assert_close(mt_configuration_count(&rest), count, 0);
}

static void steps_through_every_one_exactly_once(void **state)
{
    (void)state;
    enum { MOST = 13 * 13 * 13 * 13 };
    struct mt_configuration *seen = calloc(MOST, sizeof *seen);
    srand(1);
    for (int round = 0; round < 40; round++) {
        struct mt_group random_groups[4];
        const struct mt_cluster random = random_cluster(random_groups);
        static struct mt_layout threaded[] = {{.processes = 2},
                                              {.processes = 2, .threads = 2},
                                              {.processes = 4, .threads = 8}},
                                bound[] = {{.processes = 2, .bind = MT_BIND_NONE},
                                           {.processes = 2, .threads = 2},
                                           {.processes = 4,
                                            .threads = 8,
                                            .bind = MT_BIND_NONE}};
        for (int i = 0; i < 4; i++)
            if (rand() % 2)
                random_groups[i].layouts = rand() % 2 ? bound : threaded;
        struct mt_configuration configuration = {0};
        int count = 0;
        while (mt_configuration_next(&configuration, &random)) {
            assert_in_range(count, 0, MOST - 1);
            assert_false(mt_configuration_forbidden(&configuration, &random));
            seen[count++] = configuration;
        }
        assert_int_equal(mt_configuration_nodes(&configuration), 0);
        assert_close(mt_configuration_count(&random), count, 0);
        qsort(seen, (size_t)count, sizeof *seen, compare_configurations);
        for (int i = 1; i < count; i++)
            assert_false(mt_configuration_equal(&seen[i - 1], &seen[i]));
    }
    free(seen);
}

static void a_group_alone_is_not_mixed(void **state)
{
    (void)state;
    struct mt_group three[] = {groups[0], groups[1], groups[2]};
    const struct mt_cluster apart = {.name = lab, .groups = three, .ngroups = 3};
    three[1].alone = true;
    struct mt_configuration configuration = parsed("xeon:8x2+celeron:4x1");
    assert_true(mt_configuration_forbidden(&configuration, &apart));
    assert_false(mt_configuration_forbidden(&configuration, &lab_cluster));
    configuration = parsed("xeon:8x2+xeon-new:1x1");
    assert_false(mt_configuration_forbidden(&configuration, &apart));
    configuration = parsed("celeron:8x1");
    assert_false(mt_configuration_forbidden(&configuration, &apart));
    assert_close(mt_configuration_count(&apart), 17 * 10 - 1 + 8, 0);
}

static void text_of_every_one_reads_back(void **state)
{
    (void)state;
    struct mt_configuration configuration = {0};
    while (mt_configuration_next(&configuration, &lab_cluster)) {
        char *text = mt_configuration_format(&configuration, &lab_cluster);
        struct mt_configuration again = parsed(text);
        assert_true(mt_configuration_equal(&configuration, &again));
        free(text);
    }
}

static void counts_more_than_integers_hold(void **state)
{
    (void)state;
    struct mt_group large[MT_MAX_GROUPS];
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        large[i] = (struct mt_group){
            .name = xeon, .nodes = 999, .layouts = one_or_two, .nlayouts = 1};
    const struct mt_cluster huge = {
        .name = lab, .groups = large, .ngroups = MT_MAX_GROUPS};
    assert_close(mt_configuration_count(&huge), 1e96, 1e-12);
}

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

/* Layouts that use all cores are measured first, and a single thread always. */
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
        cmocka_unit_test(reads_and_counts),
        cmocka_unit_test(bounds_the_threads_of_a_node),
        cmocka_unit_test(prints_groups_in_the_clusters_order),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(reads_threads),
        cmocka_unit_test(nodes_may_be_left_out),
        cmocka_unit_test(steps_through_every_one_exactly_once),
        cmocka_unit_test(a_group_alone_is_not_mixed),
        cmocka_unit_test(text_of_every_one_reads_back),
        cmocka_unit_test(counts_more_than_integers_hold),
        cmocka_unit_test(every_process_may_have_each_number_of_threads),
        cmocka_unit_test(only_the_programs_threads),
        cmocka_unit_test(says_which_group_has_no_room),
        cmocka_unit_test(knows_what_leaves_cores_over),
        cmocka_unit_test(compares_processes_first),
        cmocka_unit_test(reads_what_it_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
