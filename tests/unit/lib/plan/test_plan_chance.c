/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits that are to be kept with a chance, where configurations are too many to try
   each, against trying each. */
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "lib/plan/rank.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

/* In the first of them, what keeps the limits is found by climbing only. */
enum { FIRST = 7, CASES = 5 };

/* What became of the questions. */
struct tally {
    int asked, found, proven, best, none, none_proven, missed;
};

/* A cluster of 17^4 configurations, of which some are predicted well and others badly.
 */
static void make(struct plan_case *c, uint64_t number)
{
    if (number % 2)
        plan_case_large(c, number, 30, 4, 2);
    else
        plan_case_serial(c, number, 30, 4, 2);
    for (int g = 0; g < c->cluster.ngroups; g++)
        c->cluster.groups[g].nodes = 8;
    for (int i = 0; i < c->models.count; i++) {
        struct mt_model *model = &c->models.models[i];
        model->size_high = c->question.size;
        model->ranks_high = 40;
        model->residual = 0.02 * (1 + (int)((number * 7 + (uint64_t)i * 5) % 11));
    }
}

/* The best that keeps the limits, of all that may run; NULL: none does. */
static const struct mt_choice *best_of(const struct mt_plan *all,
                                       const struct mt_question *question)
{
    const struct mt_choice *best = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct mt_choice *choice = &all->choices[i];
        const double seconds =
            mt_prediction_seconds_at(&choice->prediction, question->confidence);
        const double cost = choice->cost * seconds / choice->prediction.seconds;
        if ((question->deadline == 0 || seconds <= question->deadline) &&
            (question->budget == 0 || cost <= question->budget) &&
            (!best || mt_choice_value(choice, question->objective) <
                          mt_choice_value(best, question->objective)))
            best = choice;
    }
    return best;
}

static void ask(const struct plan_case *c, const struct mt_plan *all,
                const struct mt_question *question, struct tally *tally)
{
    const struct mt_problem problem = plan_case_problem(c);
    const struct mt_choice *best = best_of(all, question);
    struct mt_plan plan = {0};
    struct mt_error err = {0};
    const int status = mt_plan_search(&plan, &problem, question, &err);
    tally->asked++;
    if (status != MT_OK) {
        assert_int_equal(status, MT_EINFEASIBLE);
        const bool open = strstr(err.text, "no configuration was found that") != NULL;
        tally->none += !best;
        tally->none_proven += !best && !open;
        tally->missed += best != NULL;
        assert_true(open || !best);
        return;
    }
    const struct mt_choice *first = &plan.choices[0];
    const double value = mt_choice_value(first, question->objective);
    assert_non_null(best);
    const double least = mt_choice_value(best, question->objective);
    assert_true(mt_prediction_seconds_at(&first->prediction, question->confidence) <=
                (question->deadline > 0 ? question->deadline : INFINITY));
    assert_true(value >= least);
    assert_true(plan.bound <= least);
    assert_true(!plan.exact || value == least);
    tally->found++;
    tally->proven += plan.exact;
    tally->best += value == least;
    mt_plan_clear(&plan);
}

/* What is said to be proven is so, and most of what there is, is found. */
static void what_is_said_of_chances_is_so(void **state)
{
    (void)state;
    static const double confidences[] = {0.6, 0.9, 0.99};
    struct tally tally = {0};
    for (uint64_t number = FIRST; number < FIRST + CASES; number++) {
        struct plan_case c;
        struct mt_plan all = {0};
        make(&c, number);
        const struct mt_problem problem = plan_case_problem(&c);
        const struct mt_question free = {.size = c.question.size};
        assert_int_equal(mt_plan_exhaustive(&all, &problem, &free, true, NULL), MT_OK);
        for (int i = 0; i < 9; i++) {
            const struct mt_choice *like =
                &all.choices[(int)((long)all.count * i * i / 400)];
            struct mt_question question = free;
            question.confidence = confidences[i % 3];
            question.objective = i / 3 % 2 ? MT_CHEAPEST : MT_FASTEST;
            question.top = 1 + i;
            if (i != 5)
                question.deadline = (i > 0 ? 1.05 : 0.95) * like->prediction.seconds;
            if (i >= 5)
                question.budget = 1.1 * like->cost;
            ask(&c, &all, &question, &tally);
        }
        mt_plan_clear(&all);
        plan_case_clear(&c);
    }
    assert_true(tally.found > tally.asked / 4 && tally.proven > 0);
    assert_true(tally.best >= tally.found * 9 / 10);
    assert_true(tally.none_proven > 0 && tally.none_proven < tally.none);
    assert_true(tally.missed == 0);
}

/* On one node of a, or of b, one of which costs 1 an hour. */
static struct mt_choice on_one(int group, double seconds,
                               const struct mt_cluster *cluster)
{
    struct mt_choice choice = {0};
    choice.configuration.use[group] =
        (struct mt_use){.nodes = 1, .layout.processes = 1};
    choice.prediction =
        (struct mt_prediction){seconds, 0.9 * seconds, seconds / 0.9, false, false};
    mt_choice_complete(&choice, cluster);
    return choice;
}

/* The chance to keep a budget is that to keep the time it pays for. */
static void a_budget_pays_for_a_time(void **state)
{
    (void)state;
    struct mt_group group = {.price = 0.1};
    const struct mt_cluster cluster = {.groups = &group, .ngroups = 1};
    for (int tenths = 1; tenths <= 30; tenths++) {
        const struct mt_choice choice = on_one(0, 100, &cluster);
        const struct mt_question question = {.size = 1,
                                             .budget = choice.cost * tenths / 10};
        const double chance = mt_prediction_chance(&choice.prediction, 10.0 * tenths);
        assert_float_equal(mt_plan_chance(&choice, &question), chance, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_of_chances_is_so),
        cmocka_unit_test(a_budget_pays_for_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
