/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs a design proposes; how they are made in a loop is in test_experiment.c. */
#include "design_lab.h"
#include "lib/design/state.h"
#include "lib/input/internal.h"

#include "tests/unit/test.h"

/* The proposal, and the index of its candidate; -1: none, or a probe. */
struct offer {
    struct mt_proposal run;
    int index;
    enum mt_end end;
};

static struct offer propose(struct lab *lab)
{
    struct offer offer = {.index = -1};
    assert_int_equal(mt_design_next(lab->design, &offer.run, &offer.end, NULL), MT_OK);
    if (offer.end == MT_END_NONE)
        offer.index = lab_find(lab, &offer.run.configuration, offer.run.size);
    return offer;
}

static int observe(struct lab *lab, int index, double seconds, double spent)
{
    const struct mt_candidate *candidate = &lab->candidates[index];
    const struct mt_proposal of = {.configuration = candidate->configuration,
                                   .size = candidate->size};
    const struct mt_observation seen = {
        .made = true, .seconds = seconds, .spent = spent};
    return mt_design_observe(lab->design, &of, &seen, NULL);
}

static void make_run(struct lab *lab, const struct mt_proposal *run)
{
    struct mt_observation seen = {0};
    assert_int_equal(lab_run(lab, run, &seen, NULL), MT_OK);
    assert_int_equal(mt_design_observe(lab->design, run, &seen, NULL), MT_OK);
}

static void make_next(struct lab *lab)
{
    const struct offer next = propose(lab);
    assert_int_equal(next.end, MT_END_NONE);
    make_run(lab, &next.run);
}

/* Make the proposed runs until no more are proposed, or the base is complete; returns
   the last proposal. */
static struct offer work_through(struct lab *lab, bool base_only)
{
    for (;;) {
        const struct offer next = propose(lab);
        if (next.end != MT_END_NONE || (base_only && next.run.phase != MT_PHASE_BASE))
            return next;
        make_run(lab, &next.run);
    }
}

static struct mt_design_state state_of(struct lab *lab)
{
    struct mt_design_state state;
    assert_int_equal(mt_design_state(lab->design, &state, NULL), MT_OK);
    return state;
}

static double candidate_seconds(const struct lab *lab, int index)
{
    return lab_seconds(lab, &lab->candidates[index].configuration,
                       lab->candidates[index].size);
}

/* Runs made of a configuration, and how many of them at a power of two. */
static int count_runs(const struct lab *lab, int group, int nodes, int processes,
                      int *powers_of_two)
{
    int runs = 0;
    for (int i = 0; i < lab->count; i++) {
        const struct mt_use use = lab->candidates[i].configuration.use[group];
        if (lab->times[i] == 0 || use.nodes != nodes ||
            use.layout.processes != processes)
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
    lab_begin(lab, 0, 0);
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
    assert_true(lab->spent < 0.08 * lab_seconds_of_all(lab));
}

/* Where a mix of groups may be the best, some are run, as large as may be. */
static void probes_follow_where_there_are_several_groups(void **state)
{
    struct lab *lab = *state;
    lab_mix(lab);
    lab_begin(lab, 0, 0);
    struct offer next = work_through(lab, true);
    const int runs = lab->runs;
    assert_int_equal(next.end, MT_END_NONE);
    for (; next.end == MT_END_NONE; next = propose(lab)) {
        assert_true(next.run.phase ==
                    (next.index < 0 ? MT_PHASE_PROBES : MT_PHASE_FURTHER));
        assert_close(next.run.spent,
                     lab_seconds(lab, &next.run.configuration, next.run.size), 0.2);
        make_run(lab, &next.run);
        assert_close(state_of(lab).spent, lab->spent, 1e-9);
        assert_int_equal(state_of(lab).runs, lab->runs + lab->probes);
    }
    assert_int_equal(next.end, MT_END_SETTLED);
    assert_in_range(lab_count_mixed(lab), 1, 12);
    assert_in_range(state_of(lab).probes, 1, 12);
    assert_true(lab->runs >= runs);
}

/* Only listed candidates can be run, so probes are chosen among these. */
static void probes_may_be_restricted(void **state)
{
    struct lab *lab = *state;
    lab_mix(lab);
    lab_begin(lab, 0, 0);
    struct mt_candidate *mixed = &lab->candidates[lab->count];
    for (int i = 0; i < 3; i++) {
        mixed[i].configuration = (struct mt_configuration){0};
        mixed[i].configuration.use[0] = mt_use_nodes(6 + i, lab->groups[0].layouts[1]);
        mixed[i].configuration.use[1] = mt_use_nodes(4, lab->groups[1].layouts[0]);
        mixed[i].size = i == 0 ? 1e6 : 750; /* above the planned sizes */
    }
    const struct mt_design_case of = {.cluster = &lab->cluster,
                                      .program = &lab->program,
                                      .candidates = lab->candidates,
                                      .count = lab->count + 3};
    mt_design_free(lab->design);
    assert_int_equal(mt_design_make(&lab->design, &of, NULL), MT_OK);
    assert_int_equal(work_through(lab, false).end, MT_END_SETTLED);
    assert_in_range(lab->probes, 1, 2);
    for (int i = 0; i < lab->runs + lab->probes; i++)
        assert_true(mt_configuration_only_group(&lab->past[i].configuration) >= 0 ||
                    lab->past[i].size == 750);
}

static void one_group_has_no_probes(void **state)
{
    struct lab *lab = *state;
    lab->cluster.ngroups = 1;
    lab_begin(lab, 0, 16);
    work_through(lab, false);
    assert_int_equal(lab->probes, 0);
    assert_in_range(lab->runs, 8, 16);
}

static void the_base_leaves_runs_for_probes(void **state)
{
    struct lab *lab = *state;
    lab_mix(lab);
    lab_begin(lab, 0, 20);
    assert_int_not_equal(work_through(lab, true).run.phase, MT_PHASE_BASE);
    assert_int_equal(lab->runs, 14);
    work_through(lab, false);
    assert_in_range(lab->runs + lab->probes, 15, 20);
    assert_true(state_of(lab).probes >= 1);
}

static void the_base_leaves_time_for_probes(void **state)
{
    struct lab *lab = *state;
    lab_mix(lab);
    lab_begin(lab, 0, 0);
    const double limit = 0.01 * lab_seconds_of_all(lab);
    lab_begin(lab, limit, 0);
    struct offer next = work_through(lab, true);
    assert_true(lab->spent <= 0.62 * limit);
    assert_int_equal(next.end, MT_END_NONE);
    const struct mt_observation dear = {.made = true, .seconds = limit, .spent = limit};
    assert_int_equal(mt_design_observe(lab->design, &next.run, &dear, NULL), MT_OK);
    assert_int_equal(propose(lab).end, MT_END_SECONDS_USED);
}

static void first_runs_are_cheap(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 0);
    double largest = 0;
    assert_true(isnan(propose(lab).run.spent));
    for (int i = 0; i < 6; i++) {
        const struct offer next = propose(lab);
        largest = fmax(largest, candidate_seconds(lab, next.index));
        make_run(lab, &next.run);
    }
    assert_true(largest < 1e-3 * lab_seconds_of_all(lab));
}

/* Where a group's time is work / (speed P), all times of a class are known once some of
   its runs are. */
static void costs_become_known(void **state)
{
    struct lab *lab = *state;
    lab->ideal = true;
    lab_begin(lab, 0, 0);
    for (;;) {
        const struct offer next = propose(lab);
        if (next.end != MT_END_NONE || next.run.phase != MT_PHASE_BASE)
            break;
        if (lab->runs >= 14)
            assert_close(next.run.spent, candidate_seconds(lab, next.index), 0.02);
        make_run(lab, &next.run);
    }
    assert_true(lab->runs >= 28);
    assert_close(state_of(lab).all, lab_seconds_of_all(lab), 0.01);
}

/* Two candidates that tell the same: groups of one class each, seen alike. */
static void cheap_one_of_two_equals(void **state)
{
    struct lab *lab = *state;
    lab->cluster.ngroups = 2;
    lab->groups[0].nlayouts = 1;
    lab->groups[0].nodes = lab->groups[1].nodes = 1;
    lab->program.nmeasure_sizes = 2;
    for (int dear = 0; dear < 2; dear++) {
        lab_begin(lab, 0, 6);
        const int seen[] = {0, 2}, left[] = {1, 3}; /* a size of each group */
        for (int g = 0; g < 2; g++)
            assert_int_equal(observe(lab, seen[g], g == dear ? 10 : 1, 1), MT_OK);
        assert_int_equal(propose(lab).index, left[!dear]);
    }
}

/* It is used, too: once speeds are known, the remaining runs take longer than a third
   of the remaining budget, unless the plan has settled. */
static void time_limit_holds(void **state)
{
    struct lab *lab = *state;
    static const double shares[] = {1e-4, 4e-4, 1e-3, 5e-3, 0.02, 0.1};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        lab_begin(lab, 0, 0);
        const double limit = shares[i] * lab_seconds_of_all(lab);
        lab_begin(lab, limit, 0);
        const enum mt_end end = work_through(lab, false).end;
        assert_true(lab->runs > 0);
        if (lab->runs > 1) /* the first is made in any case */
            assert_true(lab->spent <= 1.02 * limit);
        if (shares[i] > 0.01)
            assert_int_equal(state_of(lab).uncovered, 0);
        if (end == MT_END_SETTLED)
            continue;
        assert_int_equal(end, MT_END_SECONDS_USED);
        if (shares[i] < 2e-3)
            continue;
        for (int k = 0; k < lab->count; k++)
            if (lab->times[k] == 0)
                assert_true(3 * candidate_seconds(lab, k) * 1.25 > limit - lab->spent);
    }
}

static void tiny_limit_leaves_classes_out(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 1e-9, 0);
    make_next(lab);
    assert_int_equal(propose(lab).end, MT_END_SECONDS_USED);
    assert_int_equal(state_of(lab).uncovered, 3);
}

static void few_runs_see_every_class(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 8);
    assert_int_equal(work_through(lab, false).end, MT_END_RUNS_USED);
    assert_int_equal(lab->runs + lab->probes, 8);
    assert_int_equal(state_of(lab).uncovered, 0);
}

static void overhead_counts(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 100, 0);
    const int index = propose(lab).index;
    const double seconds = candidate_seconds(lab, index);
    assert_int_equal(observe(lab, index, seconds, seconds + 30), MT_OK);
    const struct offer next = propose(lab);
    assert_true(next.index >= 0);
    assert_close(next.run.spent, next.run.seconds + 30, 1e-9);
    assert_int_equal(observe(lab, next.index, NAN, 50), MT_OK);
    assert_int_equal(propose(lab).end, MT_END_SECONDS_USED);
}

/* A program that reports a tenth of its work as its time, after a start of a second. */
static void overhead_grows_with_the_run(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 0);
    for (int i = 0; i < 12; i++) {
        const int index = propose(lab).index;
        const double seconds = candidate_seconds(lab, index);
        assert_int_equal(observe(lab, index, seconds, 10 * seconds + 1), MT_OK);
    }
    const struct offer next = propose(lab);
    assert_close(next.run.spent, 10 * next.run.seconds + 1, 1e-9);
}

static void failed_runs_give_way(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 0);
    const int failed = propose(lab).index;
    assert_int_equal(observe(lab, failed, NAN, 1), MT_OK);
    assert_int_equal(work_through(lab, false).end, MT_END_SETTLED);
    assert_true(lab->runs >= 28);
    assert_int_equal(lab->times[failed], 0);
}

/* While a group never ran its times are not predicted, which is no failure. */
static void unknown_times_are_no_failure(void **state)
{
    struct lab *lab = *state;
    struct mt_proposal next;
    struct mt_error err = {0};
    enum mt_end end;
    lab_begin(lab, 0, 0);
    for (int i = 0; i < 4; i++)
        make_next(lab);
    assert_int_equal(mt_design_fit(lab->design, &err), MT_OK);
    assert_int_equal(mt_design_next(lab->design, &next, &end, &err), MT_OK);
    assert_string_equal(err.text, "");
}

static void failed_runs_use_up_the_time(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 10, 0);
    for (int spent = 0; spent < 10; spent += 5) {
        const struct offer next = propose(lab);
        assert_true(next.index >= 0);
        assert_int_equal(observe(lab, next.index, NAN, 5), MT_OK);
    }
    assert_int_equal(propose(lab).end, MT_END_SECONDS_USED);
}

/* The largest size on the fewest nodes, and the smallest on the most: from these a fit
   learns compute and messages. */
static void corners_are_run(void **state)
{
    struct lab *lab = *state;
    lab->program.nmeasure_sizes = 6; /* up to 1000 */
    lab_begin(lab, 0, 0);
    lab_begin(lab, 2 * lab_seconds_of_all(lab), 60);
    work_through(lab, true);
    for (int g = 0; g < 2; g++) {
        struct mt_configuration of = {0};
        of.use[g] = mt_use_nodes(1, lab->groups[g].layouts[0]);
        assert_int_equal(lab->times[lab_find(lab, &of, 1000)], 1);
        of.use[g] = mt_use_nodes(lab->groups[g].nodes, lab->groups[g].layouts[0]);
        assert_int_equal(lab->times[lab_find(lab, &of, 250)], 1);
    }
}

/* Sizes that are planned and cheap to run are not only predicted. */
static void small_planned_sizes_are_run(void **state)
{
    static double sizes[] = {100, 2000, 4000};
    struct lab *lab = *state;
    int small = 0;
    lab->program.plan_sizes = sizes;
    lab_begin(lab, 0, 45);
    work_through(lab, false);
    const struct mt_design_plan plan = mt_design_plan(lab->design);
    for (int i = 0; i < lab->runs + lab->probes; i++)
        small += lab->past[i].size == 100;
    assert_in_range(small, 1, 12);
    assert_close(lab_seconds(lab, &plan.choices[0].configuration, 100),
                 lab_best_seconds(lab, 100, false), 0.036);
}

static void nonsense_is_refused(void **state)
{
    struct lab *lab = *state;
    struct mt_candidate candidate = {.size = 100};
    struct mt_design_case of = {.cluster = &lab->cluster,
                                .program = &lab->program,
                                .candidates = &candidate,
                                .count = 1};
    struct mt_error err;
    candidate.configuration.use[0] = candidate.configuration.use[1] =
        (struct mt_use){.nodes = 1, .layout.processes = 1};
    assert_int_equal(mt_design_make(&lab->design, &of, &err), MT_EINVAL);
    assert_contains(err.text, "one group");
    of.count = 0;
    assert_int_equal(mt_design_make(&lab->design, &of, &err), MT_EINVAL);
    of.count = 1;
    of.limits.seconds = -1;
    candidate.configuration.use[1] = (struct mt_use){0};
    assert_int_equal(mt_design_make(&lab->design, &of, &err), MT_EINVAL);
    assert_contains(err.text, "limits");
    assert_null(lab->design);
    lab_begin(lab, 0, 0);
    const struct mt_proposal unknown = {.size = 100};
    const struct mt_observation seen = {.made = true, .seconds = 1, .spent = 1};
    assert_int_equal(mt_design_observe(lab->design, &unknown, &seen, NULL), MT_EINVAL);
    assert_int_equal(observe(lab, 0, 0, 1), MT_EINVAL);
    assert_int_equal(observe(lab, 0, 1, NAN), MT_EINVAL);
    assert_int_equal(state_of(lab).runs, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(base_is_one_node_and_all_at_four_sizes),
        TEST(probes_follow_where_there_are_several_groups),
        TEST(probes_may_be_restricted),
        TEST(one_group_has_no_probes),
        TEST(the_base_leaves_runs_for_probes),
        TEST(the_base_leaves_time_for_probes),
        TEST(first_runs_are_cheap),
        TEST(costs_become_known),
        TEST(cheap_one_of_two_equals),
        TEST(time_limit_holds),
        TEST(tiny_limit_leaves_classes_out),
        TEST(few_runs_see_every_class),
        TEST(overhead_counts),
        TEST(overhead_grows_with_the_run),
        TEST(failed_runs_give_way),
        TEST(unknown_times_are_no_failure),
        TEST(failed_runs_use_up_the_time),
        TEST(corners_are_run),
        TEST(small_planned_sizes_are_run),
        TEST(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("design", tests, NULL, NULL);
}
