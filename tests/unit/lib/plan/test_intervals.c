/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "lib/plan/search.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

#include <math.h>

/* The results of the searches of some cases. */
struct tally {
    int feasible, proven;
    double widest; /* gap */
};

static void compare(const struct plan_case *c, struct tally *tally)
{
    const struct mt_predictor bare = {.problem = plan_case_problem(c)};
    struct mt_question question = c->question;
    struct mt_plan all = {0}, plan = {0};
    question.confidence = 0;
    assert_int_equal(mt_plan_exhaustive(&all, &bare, &question, false, NULL), MT_OK);
    assert_int_equal(mt_intervals_search(&plan, &bare, &question, 1, NULL), MT_OK);
    const double least = mt_plan_best_value(&all, question.objective),
                 value = mt_plan_best_value(&plan, question.objective),
                 gap = mt_plan_gap(&plan, question.objective);
    assert_true(value >= least && plan.bound <= least);
    assert_true(!plan.exact || value == least);
    if (all.count > 0) {
        assert_true(plan.count > 0);
        assert_true(value * (1 - gap) <= least * (1 + 1e-12));
        tally->feasible++;
        tally->proven += plan.exact;
        tally->widest = fmax(tally->widest, gap);
    }
    mt_plan_clear(&all);
    mt_plan_clear(&plan);
}

typedef void make_case(struct plan_case *plan_case, uint64_t number);

static struct tally compare_cases(make_case *make, uint64_t first, bool by_time)
{
    struct tally tally = {0};
    for (uint64_t number = first; number < first + 150; number++) {
        struct plan_case c;
        make(&c, number);
        if (by_time)
            c.question.objective = MT_FASTEST;
        compare(&c, &tally);
        plan_case_clear(&c);
    }
    return tally;
}

/* With up to 100 processes on a node, P / processes rounds to just below a whole number
   of nodes for some P. */
static void make_wide_nodes(struct plan_case *c, uint64_t number)
{
    plan_case_large(c, number, 40, 1, 100);
    c->question = (struct mt_question){
        .size = 1000, .objective = number % 2 ? MT_FASTEST : MT_CHEAPEST};
}

/* The gap covers the error, and proofs are correct, for any kind of cluster. */
static void what_is_missed_is_within_the_gap(void **state)
{
    (void)state;
    make_case *const makes[] = {plan_case_small, plan_case_strange, plan_case_lone,
                                plan_case_threads, make_wide_nodes};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        compare_cases(makes[i], 1000 * (i + 1), false);
}

/* By time nearly all is proven. */
static void the_fastest_is_proven(void **state)
{
    (void)state;
    const struct tally tally = compare_cases(plan_case_small, 9000, true);
    print_message("# %d of %d proven, gap up to %g\n", tally.proven, tally.feasible,
                  tally.widest);
    assert_true(tally.feasible > 80);
    assert_true(tally.proven >= 0.9 * tally.feasible);
    assert_true(tally.widest > 0); /* where limits keep the rest from being settled */
}

/* Of 100,000 nodes each plan has a proof or a narrow gap, whatever is to be least. */
static void large_clusters_have_a_bound(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 6; number++) {
        struct plan_case c;
        struct mt_plan plan = {0};
        plan_case_large(&c, number, 100000, 8, 4);
        for (int g = 0; g < c.cluster.ngroups; g++)
            c.cluster.groups[g].price = 0.1 + 0.07 * (g * 5 % 8);
        const struct mt_predictor bare = {.problem = plan_case_problem(&c)};
        c.question = (struct mt_question){
            .size = 1000, .objective = number > 3 ? MT_CHEAPEST : MT_FASTEST};
        assert_int_equal(mt_intervals_search(&plan, &bare, &c.question, 5, NULL),
                         MT_OK);
        const double gap = mt_plan_gap(&plan, c.question.objective);
        print_message("# %s, gap %g, %g looked at\n", plan.exact ? "proven" : "open",
                      gap, plan.evaluated);
        assert_true(gap < 0.01);
        assert_true(plan.bound > 0 &&
                    plan.bound <=
                        mt_choice_value(&plan.choices[0], c.question.objective));
        mt_plan_clear(&plan);
        plan_case_clear(&c);
    }
}

/* A gap is a share of the first choice's time. */
static void the_gap_is_a_share(void **state)
{
    (void)state;
    struct mt_choice choice = {.prediction.seconds = 8};
    struct mt_plan plan = {.choices = &choice, .count = 1, .bound = 6};
    assert_close(mt_plan_gap(&plan, MT_FASTEST), 0.25, 1e-15);
    plan.exact = true;
    assert_true(mt_plan_gap(&plan, MT_FASTEST) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missed_is_within_the_gap),
        cmocka_unit_test(the_fastest_is_proven),
        cmocka_unit_test(large_clusters_have_a_bound),
        cmocka_unit_test(the_gap_is_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
