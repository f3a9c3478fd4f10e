/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans are made of what the ranks tell. */
#include "preload/bcast/auto/plan.h"
#include "tests/unit/preload/tree_cases.h"

enum { RANKS = 128, LEADER = 0, CLASS = 13 };

struct situation {
    struct network network;
    struct tree tree;
    int64_t ready[RANKS];
    struct plan plan;
    struct rank_report heard[RANKS];
};

static void situation_init(struct situation *situation)
{
    const struct costs costs = {.hop = {.base = 5000}, .gap = {.base = 1000}};
    *situation =
        (struct situation){.network = {.size = RANKS, .far = costs, .near = costs}};
    plan_init(&situation->plan);
    situation->tree = make_best(&situation->network, LEADER, plan_class_bytes(CLASS),
                                situation->ready);
}

/* Every rank tells of its calls of a class, all with other roots than the leader. */
static void tell(struct situation *situation, int class, int64_t in_call)
{
    for (int rank = 0; rank < RANKS; rank++)
        situation->heard[rank] =
            (struct rank_report){.plan = situation->plan.call,
                                 .version = situation->plan.version,
                                 .class = class,
                                 .calls = 1,
                                 .in_call = in_call};
}

static void make_plan_of(struct situation *situation, int class)
{
    struct planner planner;
    assert_int_equal(planner_init(&planner, &situation->network), 0);
    const struct plan_basis basis = {.network = &situation->network,
                                     .planner = &planner,
                                     .reports = situation->heard,
                                     .tree = &situation->tree,
                                     .call = situation->plan.call +
                                             situation->plan.interval,
                                     .leader = LEADER,
                                     .class = class,
                                     .on = true};
    assert_false(plan_next(&situation->plan, situation->ready, &basis));
    planner_free(&planner);
}

static void make_plan(struct situation *situation)
{
    make_plan_of(situation, CLASS);
}

static void a_root_that_goes_round_is_compared_too(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    bool tried = false;
    int longest = 0;
    for (int plans = 0; plans < 60; plans++) {
        tell(&situation, CLASS, plan_uses_own(&situation.plan, CLASS) ? 20000 : 30000);
        make_plan(&situation);
        tried = tried || class->mode == PLAN_TRY_NATIVE;
        if (situation.plan.interval > longest)
            longest = situation.plan.interval;
    }
    assert_true(tried);
    assert_true(class->own.mean < class->native.mean);
    assert_true(plan_uses_own(&situation.plan, CLASS));
    /* The leader is root again before the next plan, in time to tell of it. */
    assert_true(longest > RANKS + 1);
    tree_free(&situation.tree);
}

static void slower_trees_are_given_up_whatever_the_root(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    int64_t own_calls = 0, calls = 0;
    for (int plans = 0; plans < 200; plans++) {
        const bool own = plan_uses_own(&situation.plan, CLASS);
        own_calls += own ? situation.plan.interval : 0;
        calls += situation.plan.interval;
        tell(&situation, CLASS, own ? 30000 : 20000);
        make_plan(&situation);
    }
    assert_true(class->looks > 1); /* ours were tried again */
    assert_true(own_calls * 100 < calls);
    tree_free(&situation.tree);
}

/* Rank 9 and others never tell what the MPI's broadcast takes them. */
static void what_nobody_knows_is_left_to_the_mpi(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; plans < 200; plans++) {
        tell(&situation, CLASS, 20000);
        for (int rank = 9; rank < RANKS; rank += 10)
            situation.heard[rank].calls = 0;
        make_plan(&situation);
        assert_false(plan_uses_own(&situation.plan, CLASS));
    }
    assert_int_equal(class->native.mean, 0);
    tree_free(&situation.tree);
}

/* The same once our trees were found to be better: the comparison is made again. */
static void trees_are_given_up_when_the_mpis_time_is_not_told_again(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; class->mode != PLAN_OWN; plans++) {
        assert_in_range(plans, 0, 60);
        tell(&situation, CLASS, plan_uses_own(&situation.plan, CLASS) ? 20000 : 30000);
        make_plan(&situation);
    }
    for (int plans = 0; class->mode != PLAN_TRY_NATIVE; plans++) {
        assert_in_range(plans, 0, 60);
        tell(&situation, CLASS, 20000);
        make_plan(&situation);
    }
    for (int plans = 0; plans < 60; plans++) {
        make_plan(&situation); /* nobody tells anything */
        assert_false(plan_uses_own(&situation.plan, CLASS));
    }
    tree_free(&situation.tree);
}

/* Trees that are better in the mean, by less than what changes from plan to plan. */
static void an_advantage_within_the_noise_is_none(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; plans < 200; plans++) {
        const bool own = plan_uses_own(&situation.plan, CLASS);
        tell(&situation, CLASS, (own ? 28000 : 30000) + (plans % 2 ? 4000 : -4000));
        make_plan(&situation);
        assert_int_not_equal(class->mode, PLAN_OWN);
    }
    tree_free(&situation.tree);
}

/* Each rank tells of two calls, of which one took longer. */
static void calls_that_differ_are_noise(void **state)
{
    (void)state;
    for (int even = 0; even < 2; even++) {
        struct situation situation;
        situation_init(&situation);
        const struct plan_class *class = &situation.plan.classes[CLASS];
        for (int plans = 0; plans < 3; plans++) {
            const bool own = plan_uses_own(&situation.plan, CLASS);
            tell(&situation, CLASS, own ? 20000 : 30000);
            for (int rank = 0; rank < RANKS; rank++) {
                situation.heard[rank].calls = 2;
                situation.heard[rank].spread = even ? 1000 : 8000;
            }
            make_plan(&situation);
        }
        assert_int_equal(class->mode, even ? PLAN_OWN : PLAN_NATIVE);
        tree_free(&situation.tree);
    }
}

static void words_of_another_class_are_not_listened_to(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    tell(&situation, CLASS, 20000);
    make_plan(&situation);
    const int64_t known = situation.plan.classes[CLASS].native.mean;
    assert_in_range(known, 20000, 20001);
    tell(&situation, CLASS + 1, 1000000);
    make_plan(&situation);
    assert_int_equal(situation.plan.classes[CLASS].native.mean, known);
    assert_int_equal(situation.plan.classes[CLASS + 1].native.mean, 0);
    tree_free(&situation.tree);
}

/* A program that alternates between two messages. */
static void each_class_has_its_own_try(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    for (int plans = 0; plans < 40; plans++) {
        const int class = CLASS + plans % 2;
        tell(&situation, class, plan_uses_own(&situation.plan, class) ? 20000 : 30000);
        make_plan_of(&situation, class);
    }
    assert_int_equal(situation.plan.classes[CLASS].mode, PLAN_OWN);
    assert_int_equal(situation.plan.classes[CLASS + 1].mode, PLAN_OWN);
    tree_free(&situation.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_that_goes_round_is_compared_too),
        cmocka_unit_test(slower_trees_are_given_up_whatever_the_root),
        cmocka_unit_test(what_nobody_knows_is_left_to_the_mpi),
        cmocka_unit_test(trees_are_given_up_when_the_mpis_time_is_not_told_again),
        cmocka_unit_test(an_advantage_within_the_noise_is_none),
        cmocka_unit_test(calls_that_differ_are_noise),
        cmocka_unit_test(each_class_has_its_own_try),
        cmocka_unit_test(words_of_another_class_are_not_listened_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
