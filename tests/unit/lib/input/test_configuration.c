/* SPDX-License-Identifier: BSD-3-Clause */
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

static const struct mt_cluster cluster = {.name = lab, .groups = groups, .ngroups = 3};

static struct mt_configuration parsed(const char *text)
{
    struct mt_error err = {0};
    struct mt_configuration configuration = {0};
    if (mt_configuration_parse(&configuration, &cluster, text, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    return configuration;
}

static void refuses(const char *text, int status, const char *reason)
{
    struct mt_error err = {0};
    struct mt_configuration configuration = {0};
    assert_int_equal(mt_configuration_parse(&configuration, &cluster, text, &err),
                     status);
    assert_contains(err.text, reason);
    assert_int_equal(mt_configuration_nodes(&configuration), 0);
}

/* Room that nobody has is refused before anything is written for it. */
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
    char *text = mt_configuration_format(&none, &cluster);
    assert_string_equal(text, "-");
    free(text);
}

static void prints_groups_in_the_clusters_order(void **state)
{
    (void)state;
    struct mt_configuration mixed = parsed("xeon-new:1x4+xeon:2x1");
    char *text = mt_configuration_format(&mixed, &cluster);
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
    char *text = mt_configuration_format(&several, &cluster);
    assert_string_equal(text, "xeon:2x2t16+celeron:4x1");
    free(text);

    const struct mt_configuration bound = parsed("xeon:2x2t4@core+celeron:1x1@none");
    assert_int_equal(bound.use[0].layout.bind, MT_BIND_CORE);
    text = mt_configuration_format(&bound, &cluster);
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

/* What was run on all nodes can still be read, but not be run; the steps are those
   of a cluster that has the other nodes only. */
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
    assert_int_equal(mt_configuration_find_nodes(&configuration, &cluster, &err),
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
    assert_false(mt_configuration_forbidden(&configuration, &cluster));
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
    while (mt_configuration_next(&configuration, &cluster)) {
        char *text = mt_configuration_format(&configuration, &cluster);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
