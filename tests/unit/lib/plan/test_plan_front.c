/* SPDX-License-Identifier: BSD-3-Clause */
/* Fronts of time against cost or energy, against trying every configuration. */
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

static int find_front(struct mt_front *front, const struct plan_case *c,
                      const struct mt_question *question, struct mt_error *err)
{
    const struct mt_predictor predictor = {.problem = plan_case_problem(c)};
    return mt_plan_front(front, &predictor, question, err);
}

static int try_all(struct mt_plan *all, const struct plan_case *c,
                   struct mt_question question)
{
    const struct mt_predictor bare = {.problem = plan_case_problem(c)};
    question.objective = MT_FASTEST;
    return mt_plan_make(all, &bare, &question, true, NULL);
}

/* How many pairs of seconds and value no configuration is better than; `front` gets one
   of each, from the fastest on. */
static int brute_front(const struct mt_plan *all, enum mt_objective against,
                       const struct mt_choice **front)
{
    int count = 0;
    for (int i = 0; i < all->count; i++) { /* which are sorted by their seconds */
        const struct mt_choice *choice = &all->choices[i];
        const struct mt_choice *last = count > 0 ? front[count - 1] : NULL;
        if (last && mt_choice_value(choice, against) >= mt_choice_value(last, against))
            continue;
        if (last && choice->prediction.seconds == last->prediction.seconds)
            count--;
        front[count++] = choice;
    }
    return count;
}

static void assert_same(const struct mt_choice *a, const struct mt_choice *b,
                        enum mt_objective against)
{
    assert_true(a->prediction.seconds == b->prediction.seconds);
    assert_true(mt_choice_value(a, against) == mt_choice_value(b, against));
}

/* Every configuration is no faster than a point that takes hardly more than it. */
static void check_share(const struct mt_front *front, const struct mt_plan *all)
{
    for (int i = 0; i < all->count; i++) {
        const struct mt_choice *choice = &all->choices[i];
        const double value = mt_choice_value(choice, front->against);
        bool covered = false;
        for (int k = 0; k < front->count && !covered; k++) {
            const struct mt_choice *point = &front->points[k].choice;
            covered = point->prediction.seconds <= choice->prediction.seconds &&
                      mt_choice_value(point, front->against) * (1 - front->share) <=
                          value * (1 + 1e-14);
        }
        assert_true(covered);
    }
}

/* No point is better than all configurations, nor any of these than its bound. */
static void check_bounded(const struct mt_front *few, const struct mt_choice **points,
                          int count)
{
    for (int i = 0; i < few->count; i++) {
        const struct mt_choice *choice = &few->points[i].choice;
        double least = INFINITY;
        for (int k = 0; k < count; k++)
            if (mt_choice_value(points[k], few->against) <=
                mt_choice_value(choice, few->against))
                least = fmin(least, points[k]->prediction.seconds);
        assert_true(least <= choice->prediction.seconds);
        assert_true(few->points[i].bound <= least);
        assert_true(!few->points[i].exact || least == choice->prediction.seconds);
    }
}

/* By the papers' models of more configurations not every point is proven. */
static const double most_tried = 60000;

/* Counts over many cases. */
struct tally {
    int infeasible, points, coarse, bounded;
};

static void compare(const struct plan_case *c, struct tally *tally)
{
    struct mt_front front = {0}, few = {0};
    struct mt_plan all = {0};
    struct mt_question question = c->question;
    const int status = try_all(&all, c, question);
    question.top = 0;
    assert_int_equal(find_front(&front, c, &question, NULL), status);
    tally->infeasible += status != MT_OK;
    if (status != MT_OK)
        return;
    const struct mt_choice **points = calloc((size_t)all.count, sizeof *points);
    assert_non_null(points);
    const int count = brute_front(&all, front.against, points);
    if (mt_configuration_count(&c->cluster) > most_tried) {
        check_bounded(&front, points, count);
        tally->bounded++;
        free(points);
        mt_front_clear(&front);
        mt_plan_clear(&all);
        return;
    }
    assert_true(front.exact && front.share == 0);
    assert_int_equal(front.count, count);
    for (int i = 0; i < count; i++)
        assert_same(&front.points[i].choice, points[i], front.against);
    tally->points += count;

    question.top = 2 + c->question.top;
    assert_int_equal(find_front(&few, c, &question, NULL), MT_OK);
    assert_true(few.exact && few.count <= question.top);
    assert_true((few.share > 0) == (count > question.top));
    assert_same(&few.points[0].choice, points[0], few.against);
    assert_same(&few.points[few.count - 1].choice, points[count - 1], few.against);
    check_share(&few, &all);
    tally->coarse += few.share > 0;
    free(points);
    mt_front_clear(&front);
    mt_front_clear(&few);
    mt_plan_clear(&all);
}

typedef void make_case(struct plan_case *c, uint64_t number);

/* Cases in which prices and watts are known, half of them without limits; of some
   limits the chance counts. */
static void compare_many(make_case *make, uint64_t first, int cases)
{
    struct tally tally = {0};
    for (uint64_t number = first; number < first + (uint64_t)cases; number++) {
        struct plan_case c;
        make(&c, number);
        c.cluster.groups[0].price += 0.3;
        c.cluster.groups[0].watts += 20;
        if (number % 2)
            c.question = (struct mt_question){.size = c.question.size,
                                              .objective = c.question.objective};
        c.question.confidence = number % 4 == 0 ? 0.9 : 0;
        compare(&c, &tally);
        plan_case_clear(&c);
    }
    assert_in_range(tally.infeasible, cases / 50, cases / 2);
    assert_true(tally.points > cases && tally.coarse > 0);
    assert_true(tally.bounded <= cases / 20);
}

static void equals_exhaustive(void **state)
{
    (void)state;
    compare_many(plan_case_small, 1, 400);
    compare_many(plan_case_auto, 5001, 400);
}

static void equals_exhaustive_for_strange_models_and_threads(void **state)
{
    (void)state;
    compare_many(plan_case_strange, 3001, 200);
    compare_many(plan_case_threads, 7001, 200);
}

/* Two nodes that take 12/P seconds at 10 a second, and two that take 24/P at 1. */
static void make_by_hand(struct plan_case *c)
{
    plan_case_large(c, 1, 4, 2, 1);
    c->question = (struct mt_question){.size = 1000};
    for (int g = 0; g < 2; g++) {
        double *coefficients = c->models.models[g].coefficients;
        c->cluster.groups[g].nodes = 2;
        c->cluster.groups[g].price = g == 0 ? 36000 : 3600;
        c->cluster.groups[g].watts = g == 0 ? 100 : 90;
        coefficients[0] = g == 0 ? 12e-6 : 24e-6;
        coefficients[1] = coefficients[2] = coefficients[3] = 0;
    }
}

static void assert_point(const struct mt_front *front, int i, double seconds,
                         double value, int first_nodes, int second_nodes)
{
    const struct mt_choice *choice = &front->points[i].choice;
    assert_close(choice->prediction.seconds, seconds, 1e-12);
    assert_close(mt_choice_value(choice, front->against), value, 1e-12);
    assert_int_equal(choice->configuration.use[0].nodes, first_nodes);
    assert_int_equal(choice->configuration.use[1].nodes, second_nodes);
    assert_true(front->points[i].exact);
    assert_true(front->points[i].bound == choice->prediction.seconds);
}

static void knows_an_answer(void **state)
{
    (void)state;
    struct plan_case c;
    struct mt_front front = {0};
    make_by_hand(&c);
    assert_int_equal(find_front(&front, &c, &c.question, NULL), MT_OK);
    assert_int_equal(front.against, MT_CHEAPEST);
    assert_int_equal(front.count, 3);
    assert_point(&front, 0, 6, 120, 2, 0);
    assert_point(&front, 1, 8, 96, 1, 2);
    assert_point(&front, 2, 12, 24, 0, 2); /* not all of one node: as dear, slower */
    mt_front_clear(&front);
    c.question.objective =
        MT_LEAST_ENERGY; /* two of the fast: 1200 J, as one of them */
    assert_int_equal(find_front(&front, &c, &c.question, NULL), MT_OK);
    assert_int_equal(front.count, 1);
    assert_point(&front, 0, 6, 1200, 2, 0);
    mt_front_clear(&front);
    c.question = (struct mt_question){.size = 1000, .budget = 100, .deadline = 10};
    assert_int_equal(find_front(&front, &c, &c.question, NULL), MT_OK);
    assert_int_equal(front.count, 1);
    assert_point(&front, 0, 8, 96, 1, 2);
    mt_front_clear(&front);
    c.cluster.groups[1].price = 0; /* as free as nothing */
    c.question = (struct mt_question){.size = 1000, .top = 2};
    assert_int_equal(find_front(&front, &c, &c.question, NULL), MT_OK);
    assert_int_equal(front.count, 2);
    assert_true(front.share > 0);
    assert_point(&front, 0, 6, 120, 2, 0);
    assert_point(&front, 1, 12, 0, 0, 2);
    mt_front_clear(&front);
    plan_case_clear(&c);
}

/* Too many configurations to try each: both ends are those of plans. */
static void large_clusters_have_their_ends(void **state)
{
    (void)state;
    struct plan_case c;
    struct mt_front front = {0};
    plan_case_large_auto(&c, 2, 1000, 4, 8);
    const struct mt_problem problem = plan_case_problem(&c);
    c.question.top = 20;
    assert_int_equal(find_front(&front, &c, &c.question, NULL), MT_OK);
    assert_true(front.exact && front.share >= 0.01);
    assert_in_range(front.count, 10, 20);
    for (int i = 1; i < front.count; i++) {
        const struct mt_choice *faster = &front.points[i - 1].choice;
        const struct mt_choice *point = &front.points[i].choice;
        assert_true(point->prediction.seconds > faster->prediction.seconds);
        assert_true(point->cost < faster->cost);
    }
    for (int end = 0; end < 2; end++) {
        struct mt_plan plan = {0};
        c.question.objective = end ? MT_CHEAPEST : MT_FASTEST;
        assert_int_equal(mt_plan_search(&plan, &problem, &c.question, NULL), MT_OK);
        assert_true(mt_plan_best_value(&plan, c.question.objective) ==
                    mt_choice_value(&front.points[end ? front.count - 1 : 0].choice,
                                    c.question.objective));
        mt_plan_clear(&plan);
    }
    mt_front_clear(&front);
    plan_case_clear(&c);
}

static void assert_refused(const struct plan_case *c, int status, const char *reason)
{
    struct mt_front front = {0};
    struct mt_error err = {0};
    assert_int_equal(find_front(&front, c, &c->question, &err), status);
    assert_contains(err.text, reason);
    assert_null(front.points);
}

static void refuses_what_it_cannot_answer(void **state)
{
    (void)state;
    struct plan_case c;
    make_by_hand(&c);
    c.question.deadline = 5;
    assert_refused(&c, MT_EINFEASIBLE, "deadline of 5 s: the fastest takes 6 s");
    c.question.objective = MT_LEAST_ENERGY;
    for (int g = 0; g < 2; g++)
        c.cluster.groups[g].price = c.cluster.groups[g].watts = 0;
    assert_refused(&c, MT_EINVAL, "no group of cluster 'random' has watts");
    c.question.objective = MT_FASTEST;
    assert_refused(&c, MT_EINVAL, "give the groups 'price: 0.40' or 'watts: 350'");
    c.question.objective = MT_CHEAPEST;
    assert_refused(&c, MT_EINVAL, "no group of cluster 'random' has a price");
    plan_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_exhaustive),
        cmocka_unit_test(equals_exhaustive_for_strange_models_and_threads),
        cmocka_unit_test(knows_an_answer),
        cmocka_unit_test(large_clusters_have_their_ends),
        cmocka_unit_test(refuses_what_it_cannot_answer),
    };
    return cmocka_run_group_tests_name("plan_front", tests, NULL, NULL);
}
