/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/smpi/platform.h"

#include "tests/unit/test.h"

enum { NODES = 16, SIZES = 3 };

/* A cluster of up to 32 processes, with glitches, and a program of three sizes. */
struct fixture {
    struct mt_layout layouts[2];
    double sizes[SIZES];
    struct mt_group group;
    struct mt_cluster cluster;
    struct mt_program program;
};

static char lab[] = "lab", lu[] = "lu", fft[] = "fft";

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    *f = (struct fixture){
        .layouts = {{.processes = 1}, {.processes = 2}},
        .sizes = {100, 200, 400},
        .group = {.nodes = NODES, .layouts = f->layouts, .nlayouts = 2},
        .cluster = {.name = lab,
                    .groups = &f->group,
                    .ngroups = 1,
                    .glitches = {.count = 3, .slowdown = 1.5}},
        .program = {.name = lu, .measure_sizes = f->sizes, .nmeasure_sizes = SIZES},
    };
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    mt_expr_free(f->program.valid);
    free(f);
    return 0;
}

static double speed_at(const struct fixture *f, double size, int nodes, int processes)
{
    const struct mt_configuration configuration = {
        .use[0] = {.nodes = nodes, .layout.processes = processes}};
    return mt_noise_speed(&(struct mt_launch){.cluster = &f->cluster,
                                              .program = &f->program,
                                              .configuration = &configuration,
                                              .size = size},
                          0);
}

/* The slow (N, P), for up to one process on each node, as bits; returns their
   number. */
static int find_glitches(const struct fixture *f, uint64_t *found)
{
    int count = 0;
    *found = 0;
    for (int i = 0; i < SIZES; i++)
        for (int nodes = 1; nodes <= NODES; nodes++) {
            const bool slow = speed_at(f, f->sizes[i], nodes, 1) < 1;
            *found |= (uint64_t)slow << (i * NODES + nodes);
            count += slow;
        }
    return count;
}

static void test_every_program_has_its_glitches(void **state)
{
    struct fixture *f = *state;
    uint64_t of_lu, again, of_fft;
    f->group.nlayouts = 1;
    assert_int_equal(find_glitches(f, &of_lu), 3);
    assert_int_equal(find_glitches(f, &again), 3);
    f->program.name = fft;
    assert_int_equal(find_glitches(f, &of_fft), 3);
    assert_true(of_lu == again);
    assert_true(of_lu != of_fft);
}

static void test_glitches_are_of_n_and_p(void **state)
{
    struct fixture *f = *state;
    f->cluster.glitches.count = 30;
    for (int nodes = 1; 2 * nodes <= NODES; nodes++)
        assert_close(speed_at(f, 100, nodes, 2), speed_at(f, 100, 2 * nodes, 1), 0);
}

static void test_glitches_slow_down_as_given(void **state)
{
    struct fixture *f = *state;
    f->cluster.glitches.count = SIZES * 2 * NODES; /* all there are */
    assert_close(speed_at(f, 400, NODES, 2), 1 / 1.5, 1e-15);
    assert_close(speed_at(f, 300, NODES, 2), 1, 0); /* not measured */
    f->cluster.glitches.count = 0;
    assert_close(speed_at(f, 400, NODES, 2), 1, 0);
}

static void test_glitches_are_among_what_may_run(void **state)
{
    struct fixture *f = *state;
    f->group.nlayouts = 1;
    assert_int_equal(mt_expr_parse(&f->program.valid, "N == 200 && P % 5 == 0", NULL),
                     MT_OK);
    for (int nodes = 5; nodes <= NODES; nodes += 5)
        assert_close(speed_at(f, 200, nodes, 1), 1 / 1.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_program_has_its_glitches, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_glitches_are_of_n_and_p, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_glitches_slow_down_as_given, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_glitches_are_among_what_may_run, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
