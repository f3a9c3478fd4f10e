/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/design.h"

#include "tests/unit/test.h"

enum { MOST_CANDIDATES = 400 };

/* A cluster of a fast and a slow group, and a single odd node; a program that is work
   divided by P and a tree of messages. */
struct lab {
    struct mt_group groups[3];
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_candidate candidates[MOST_CANDIDATES];
    int count;
    int times[MOST_CANDIDATES]; /* proposed */
    double spent;
    int runs;
    struct mt_design *design;
};

static char fast_name[] = "fast", slow_name[] = "slow", odd_name[] = "odd",
            lab_name[] = "lab", cube_name[] = "cube";
static int fast_processes[] = {1, 2}, slow_processes[] = {1};
static double measure_sizes[] = {250, 256, 500, 512, 750, 1000, 1024, 1500, 2000, 2048};
static double plan_sizes[] = {2000, 3000, 4000};

/* A group's time when so many ranks run in all. */
static double group_seconds(int group, int processes, double n, int ranks)
{
    static const double speed[] = {4e9, 1e9, 3e9};
    return 2 * n * n * n / (speed[group] * (processes == 2 ? 1.1 : 1) * ranks) +
           ceil(log2(ranks)) * (1e-3 + 1e-7 * n * n) + 1e-3;
}

static double true_seconds(const struct mt_candidate *candidate)
{
    const int group = mt_configuration_only_group(&candidate->configuration);
    assert_in_range(group, 0, 2);
    const int processes = candidate->configuration.use[group].processes;
    return group_seconds(group, processes, candidate->size,
                         mt_configuration_ranks(&candidate->configuration));
}

static void add_candidates(struct lab *lab)
{
    for (int g = 0; g < lab->cluster.ngroups; g++)
        for (int m = 0; m < lab->groups[g].nprocesses; m++)
            for (int nodes = 1; nodes <= lab->groups[g].nodes; nodes++)
                for (int s = 0; s < lab->program.nmeasure_sizes; s++) {
                    struct mt_candidate *c = &lab->candidates[lab->count++];
                    c->size = lab->program.measure_sizes[s];
                    c->configuration.use[g].nodes = nodes;
                    c->configuration.use[g].processes = lab->groups[g].processes[m];
                }
}

static int set_up(void **state)
{
    struct lab *lab = calloc(1, sizeof *lab);
    if (!lab)
        return -1;
    lab->groups[0] = (struct mt_group){
        .name = fast_name, .nodes = 8, .processes = fast_processes, .nprocesses = 2};
    lab->groups[1] = (struct mt_group){
        .name = slow_name, .nodes = 4, .processes = slow_processes, .nprocesses = 1};
    lab->groups[2] = (struct mt_group){
        .name = odd_name, .nodes = 1, .processes = slow_processes, .nprocesses = 1};
    lab->cluster =
        (struct mt_cluster){.name = lab_name, .groups = lab->groups, .ngroups = 3};
    lab->program = (struct mt_program){.name = cube_name,
                                       .measure_sizes = measure_sizes,
                                       .nmeasure_sizes = 10,
                                       .plan_sizes = plan_sizes,
                                       .nplan_sizes = 3};
    *state = lab;
    return mt_expr_parse(&lab->program.work, "2*N^3", NULL) ||
           mt_terms_parse(&lab->program.terms_auto,
                          "N^3/P, 1, ceil(log2(P)), ceil(log2(P))*N^2", NULL);
}

static int tear_down(void **state)
{
    struct lab *lab = *state;
    mt_design_free(lab->design);
    mt_expr_free(lab->program.work);
    mt_terms_free(lab->program.terms_auto);
    free(lab);
    return 0;
}

static void begin(struct lab *lab, double seconds, int runs)
{
    const struct mt_design_limits limits = {.seconds = seconds, .runs = runs};
    add_candidates(lab);
    assert_in_range(lab->count, 1, MOST_CANDIDATES);
    assert_int_equal(mt_design_make(&lab->design, &lab->cluster, &lab->program,
                                    lab->candidates, lab->count, &limits, NULL),
                     MT_OK);
}

static struct mt_proposal propose(struct lab *lab)
{
    struct mt_proposal next;
    assert_int_equal(mt_design_next(lab->design, &next, NULL), MT_OK);
    return next;
}

static void make_run(struct lab *lab, int index)
{
    const double seconds = true_seconds(&lab->candidates[index]);
    assert_int_equal(mt_design_observe(lab->design, index, seconds, seconds, NULL),
                     MT_OK);
    lab->times[index]++;
    lab->spent += seconds;
    lab->runs++;
}

/* Make what is proposed until nothing is, or the base is through. */
static enum mt_design_end work_through(struct lab *lab, bool base_only)
{
    for (;;) {
        const struct mt_proposal next = propose(lab);
        if (next.index < 0 || (base_only && !next.base))
            return next.end;
        make_run(lab, next.index);
    }
}

static struct mt_design_state state_of(struct lab *lab)
{
    struct mt_design_state state;
    assert_int_equal(mt_design_state(lab->design, &state, NULL), MT_OK);
    return state;
}

static double cost_of_all(const struct lab *lab)
{
    double seconds = 0;
    for (int i = 0; i < lab->count; i++)
        seconds += true_seconds(&lab->candidates[i]);
    return seconds;
}

/* Runs made of a configuration, and how many of them at a power of two. */
static int count_runs(const struct lab *lab, int group, int nodes, int processes,
                      int *powers_of_two)
{
    int runs = 0;
    for (int i = 0; i < lab->count; i++) {
        const struct mt_use use = lab->candidates[i].configuration.use[group];
        if (lab->times[i] == 0 || use.nodes != nodes || use.processes != processes)
            continue;
        runs++;
        const int size = (int)lab->candidates[i].size;
        *powers_of_two += (size & (size - 1)) == 0;
    }
    return runs;
}

static void base_is_one_node_and_all_at_four_sizes(void **state)
{
    struct lab *lab = *state;
    int powers_of_two = 0;
    begin(lab, 0, 0);
    assert_int_equal(state_of(lab).classes, 4);
    assert_int_equal(state_of(lab).uncovered, 4);
    work_through(lab, true);
    assert_in_range(count_runs(lab, 0, 1, 1, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 0, 8, 1, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 0, 1, 2, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 0, 8, 2, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 1, 1, 1, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 1, 4, 1, &powers_of_two), 4, 5);
    assert_in_range(count_runs(lab, 2, 1, 1, &powers_of_two), 4, 5);
    assert_in_range(lab->runs, 28, 30); /* some wanted before costs were known */
    assert_true(powers_of_two <= 2);    /* most of them have neighbours */
    assert_int_equal(state_of(lab).uncovered, 0);
    assert_int_equal(state_of(lab).base_left, 0);
    assert_true(lab->spent < 0.08 * cost_of_all(lab));
}

static void probes_follow_where_there_are_several_groups(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 0);
    assert_int_equal(mt_design_probes(lab->design).left, 0); /* the size is unknown */
    work_through(lab, true);
    const int runs = lab->runs;
    double largest = 0, least = INFINITY;
    for (int i = 0; i < lab->count; i++)
        if (lab->times[i] > 0)
            largest = fmax(largest, lab->candidates[i].size);
    for (int i = 0; i < lab->count; i++)
        if (lab->candidates[i].size == largest)
            least = fmin(least, true_seconds(&lab->candidates[i]));
    for (int left = 3; left > 0; left--) {
        const struct mt_design_probes probes = mt_design_probes(lab->design);
        assert_int_equal(probes.left, left);
        assert_true(probes.size == largest);
        assert_close(probes.expected, least, 0.5);
        mt_design_probed(lab->design, 0.25);
    }
    assert_int_equal(mt_design_probes(lab->design).left, 0);
    assert_int_equal(state_of(lab).runs, runs + 3);
    assert_close(state_of(lab).spent, lab->spent + 0.75, 1e-9);
}

static void one_group_has_no_probes(void **state)
{
    struct lab *lab = *state;
    lab->cluster.ngroups = 1;
    begin(lab, 0, 16);
    work_through(lab, true);
    assert_int_equal(mt_design_probes(lab->design).left, 0);
    assert_int_equal(lab->runs, 16);
}

static void the_base_leaves_runs_and_time_for_probes(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 20);
    work_through(lab, true);
    assert_int_equal(lab->runs, 18);
    assert_int_equal(mt_design_probes(lab->design).left, 2);
    mt_design_free(lab->design);
    lab->count = lab->runs = 0;
    lab->spent = 0;
    add_candidates(lab);
    const double limit = 0.01 * cost_of_all(lab);
    lab->count = 0;
    begin(lab, limit, 0);
    work_through(lab, true);
    assert_true(lab->spent <= 0.77 * limit);
    assert_int_equal(mt_design_probes(lab->design).left, 3);
    mt_design_probed(lab->design, limit);
    assert_int_equal(mt_design_probes(lab->design).left, 0);
    assert_int_equal(propose(lab).index, -1);
}

static void first_runs_are_cheap(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 0);
    double largest = 0;
    assert_true(isnan(propose(lab).expected));
    for (int i = 0; i < 6; i++) {
        const int index = propose(lab).index;
        largest = fmax(largest, true_seconds(&lab->candidates[index]));
        make_run(lab, index);
    }
    assert_true(largest < 1e-3 * cost_of_all(lab));
}

static void costs_become_known(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 0);
    for (int i = 0; i < 28; i++) {
        const struct mt_proposal next = propose(lab);
        if (i >= 14)
            assert_close(next.expected, true_seconds(&lab->candidates[next.index]),
                         0.5);
        make_run(lab, next.index);
    }
    assert_close(state_of(lab).all, cost_of_all(lab), 0.1);
}

/* Two candidates that tell the same: groups of one class each, seen alike. */
static void cheap_one_of_two_equals(void **state)
{
    struct lab *lab = *state;
    lab->cluster.ngroups = 2;
    lab->groups[0].nprocesses = 1;
    lab->groups[0].nodes = lab->groups[1].nodes = 1;
    lab->program.nmeasure_sizes = 2;
    for (int dear = 0; dear < 2; dear++) {
        lab->count = 0;
        begin(lab, 0, 3);
        const int seen[] = {0, 2}, left[] = {1, 3}; /* a size of each group */
        for (int g = 0; g < 2; g++)
            assert_int_equal(
                mt_design_observe(lab->design, seen[g], g == dear ? 10 : 1, 1, NULL),
                MT_OK);
        assert_int_equal(propose(lab).index, left[!dear]);
        mt_design_free(lab->design);
        lab->design = NULL;
    }
}

static void time_limit_holds(void **state)
{
    struct lab *lab = *state;
    static const double shares[] = {1e-4, 4e-4, 1e-3, 5e-3, 0.02, 0.1, 0.4};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        memset(lab->times, 0, sizeof lab->times);
        lab->count = lab->runs = 0;
        lab->spent = 0;
        add_candidates(lab);
        const double limit = shares[i] * cost_of_all(lab);
        lab->count = 0;
        begin(lab, limit, 0);
        assert_int_equal(work_through(lab, false), MT_DESIGN_SECONDS_USED);
        if (lab->runs > 1) /* the first is made in any case */
            assert_true(lab->spent <= 1.02 * limit);
        assert_true(lab->runs > 0);
        if (shares[i] > 0.01) {
            assert_int_equal(state_of(lab).uncovered, 0);
            assert_true(lab->spent > 0.5 * limit);
        }
        mt_design_free(lab->design);
        lab->design = NULL;
    }
}

static void tiny_limit_leaves_classes_out(void **state)
{
    struct lab *lab = *state;
    begin(lab, 1e-9, 0);
    make_run(lab, propose(lab).index);
    const struct mt_proposal next = propose(lab);
    assert_int_equal(next.index, -1);
    assert_int_equal(next.end, MT_DESIGN_SECONDS_USED);
    assert_int_equal(state_of(lab).uncovered, 3);
}

static void few_runs_see_every_class(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 8);
    assert_int_equal(work_through(lab, false), MT_DESIGN_RUNS_USED);
    assert_int_equal(lab->runs, 8);
    assert_int_equal(state_of(lab).uncovered, 0);
}

static void overhead_counts(void **state)
{
    struct lab *lab = *state;
    begin(lab, 100, 0);
    const int index = propose(lab).index;
    const double seconds = true_seconds(&lab->candidates[index]);
    assert_int_equal(mt_design_observe(lab->design, index, seconds, seconds + 30, NULL),
                     MT_OK);
    const struct mt_proposal next = propose(lab);
    assert_true(next.index >= 0);
    assert_true(next.expected > 30);
    assert_int_equal(mt_design_observe(lab->design, next.index, NAN, 50, NULL), MT_OK);
    assert_int_equal(propose(lab).end, MT_DESIGN_SECONDS_USED);
}

/* A program that times a tenth of what it does, after a start of a second. */
static void overhead_grows_with_the_run(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 0);
    for (int i = 0; i < 12; i++) {
        const int index = propose(lab).index;
        const double seconds = true_seconds(&lab->candidates[index]);
        assert_int_equal(
            mt_design_observe(lab->design, index, seconds, 10 * seconds + 1, NULL),
            MT_OK);
    }
    const struct mt_proposal next = propose(lab);
    assert_close(next.expected, 10 * next.seconds + 1, 1e-9);
}

static void failed_runs_give_way(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0, 0);
    const int failed = propose(lab).index;
    assert_int_equal(mt_design_observe(lab->design, failed, NAN, 1, NULL), MT_OK);
    assert_int_equal(work_through(lab, false), MT_DESIGN_MEASURED);
    assert_int_equal(lab->runs, lab->count - 1);
    for (int i = 0; i < lab->count; i++)
        assert_int_equal(lab->times[i], i != failed);
}

static void failed_runs_use_up_the_time(void **state)
{
    struct lab *lab = *state;
    begin(lab, 10, 0);
    for (int spent = 0; spent < 10; spent += 5) {
        const struct mt_proposal next = propose(lab);
        assert_true(next.index >= 0);
        assert_int_equal(mt_design_observe(lab->design, next.index, NAN, 5, NULL),
                         MT_OK);
    }
    assert_int_equal(propose(lab).end, MT_DESIGN_SECONDS_USED);
}

/* How much slower than the best configuration that one is, as a share. */
static double regret(const struct lab *lab, const struct mt_configuration *of, double n)
{
    struct mt_configuration configuration = {0};
    double best = INFINITY, seconds = NAN;
    while (mt_configuration_next(&configuration, &lab->cluster)) {
        double slowest = 0;
        for (int g = 0; g < lab->cluster.ngroups; g++)
            if (configuration.use[g].nodes > 0)
                slowest = fmax(slowest,
                               group_seconds(g, configuration.use[g].processes, n,
                                             mt_configuration_ranks(&configuration)));
        best = fmin(best, slowest);
        if (mt_configuration_equal(&configuration, of))
            seconds = slowest;
    }
    return seconds / best - 1;
}

/* With models whose terms are the truth's, the plan is right soon, and stays so. */
static void settles_after_the_base(void **state)
{
    struct lab *lab = *state;
    bool settled = false;
    begin(lab, 0, 0);
    assert_int_equal(mt_design_plan(lab->design).count, 0);
    while (!settled) {
        const struct mt_proposal next = propose(lab);
        assert_true(next.index >= 0);
        make_run(lab, next.index);
        assert_int_equal(mt_design_review(lab->design, &settled, NULL), MT_OK);
        assert_false(settled && lab->runs < 28);
    }
    assert_in_range(lab->runs, 28, 40);
    const struct mt_design_plan plan = mt_design_plan(lab->design);
    assert_int_equal(plan.count, 3);
    for (int i = 0; i < plan.count; i++) {
        assert_true(plan.sizes[i] == plan_sizes[i]);
        assert_true(regret(lab, &plan.choices[i].configuration, plan_sizes[i]) < 0.01);
    }
}

static void without_plan_sizes_it_plans_for_the_measured(void **state)
{
    struct lab *lab = *state;
    bool settled = false;
    lab->program.nplan_sizes = 0;
    begin(lab, 0, 0);
    for (int i = 0; i < 28; i++)
        make_run(lab, propose(lab).index);
    assert_int_equal(mt_design_review(lab->design, &settled, NULL), MT_OK);
    assert_int_equal(mt_design_plan(lab->design).count, 10);
    assert_true(mt_design_plan(lab->design).sizes[9] == 2048);
}

static void review_without_runs_is_early(void **state)
{
    struct lab *lab = *state;
    bool settled = true;
    begin(lab, 0, 0);
    assert_int_equal(mt_design_review(lab->design, &settled, NULL), MT_OK);
    assert_false(settled);
    assert_int_equal(mt_design_plan(lab->design).count, 0);
}

static void nonsense_is_refused(void **state)
{
    struct lab *lab = *state;
    struct mt_candidate mixed = {.size = 100};
    struct mt_design_limits limits = {0};
    struct mt_error err;
    mixed.configuration.use[0] = mixed.configuration.use[1] = (struct mt_use){1, 1};
    assert_int_equal(mt_design_make(&lab->design, &lab->cluster, &lab->program, &mixed,
                                    1, &limits, &err),
                     MT_EINVAL);
    assert_contains(err.text, "one group");
    assert_int_equal(mt_design_make(&lab->design, &lab->cluster, &lab->program, &mixed,
                                    0, &limits, &err),
                     MT_EINVAL);
    limits.seconds = -1;
    mixed.configuration.use[1] = (struct mt_use){0};
    assert_int_equal(mt_design_make(&lab->design, &lab->cluster, &lab->program, &mixed,
                                    1, &limits, &err),
                     MT_EINVAL);
    assert_contains(err.text, "limits");
    assert_null(lab->design);
    begin(lab, 0, 0);
    assert_int_equal(mt_design_observe(lab->design, -1, 1, 1, NULL), MT_EINVAL);
    assert_int_equal(mt_design_observe(lab->design, lab->count, 1, 1, NULL), MT_EINVAL);
    assert_int_equal(mt_design_observe(lab->design, 0, 0, 1, NULL), MT_EINVAL);
    assert_int_equal(mt_design_observe(lab->design, 0, 1, NAN, NULL), MT_EINVAL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(base_is_one_node_and_all_at_four_sizes),
        TEST(probes_follow_where_there_are_several_groups),
        TEST(one_group_has_no_probes),
        TEST(the_base_leaves_runs_and_time_for_probes),
        TEST(first_runs_are_cheap),
        TEST(costs_become_known),
        TEST(cheap_one_of_two_equals),
        TEST(time_limit_holds),
        TEST(tiny_limit_leaves_classes_out),
        TEST(few_runs_see_every_class),
        TEST(overhead_counts),
        TEST(overhead_grows_with_the_run),
        TEST(failed_runs_give_way),
        TEST(failed_runs_use_up_the_time),
        TEST(settles_after_the_base),
        TEST(without_plan_sizes_it_plans_for_the_measured),
        TEST(review_without_runs_is_early),
        TEST(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("design", tests, NULL, NULL);
}
