/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

enum { MOST_RUNS = 4 };

/* A random cluster, and runs whose times are those of its models times a factor. */
struct fixture {
    struct plan_case c;
    struct mt_plan plan;
    struct mt_predictor predictor;
    struct mt_sample runs[MOST_RUNS];
};

static void set_up(struct fixture *f, uint64_t number)
{
    *f = (struct fixture){.plan = {.count = 0}};
    plan_case_auto(&f->c, number);
    f->c.question = (struct mt_question){.size = f->c.question.size, .top = 3};
    f->c.program.name = f->c.cluster.name;
    f->predictor.problem = plan_case_problem(&f->c);
    f->predictor.samples.samples = f->runs;
    assert_int_equal(mt_plan_candidates(&f->plan, &f->predictor, &f->c.question, NULL),
                     MT_OK);
}

static void tear_down(struct fixture *f)
{
    mt_plan_clear(&f->plan);
    mt_measured_clear(&f->predictor.measured);
    f->c.program.name = NULL;
    plan_case_clear(&f->c);
}

/* A configuration ran at the size to plan for, in the predicted time times a factor. */
static void add_run(struct fixture *f, const struct mt_choice *choice, double factor)
{
    struct mt_samples *samples = &f->predictor.samples;
    f->runs[samples->count++] =
        (struct mt_sample){.configuration = choice->configuration,
                           .size = f->c.question.size,
                           .seconds = choice->prediction.seconds * factor};
    mt_measured_clear(&f->predictor.measured);
    assert_int_equal(mt_measured_find(&f->predictor.measured, samples, NULL, 0, NULL),
                     MT_OK);
}

static int plan_again(struct fixture *f, struct mt_error *err)
{
    mt_plan_clear(&f->plan);
    return mt_plan_make(&f->plan, &f->predictor, &f->c.question, true, err);
}

/* A case in which several P are possible. */
enum { CASE = 5 };

static void candidates_are_all_that_may_run(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_plan all = {0};
    set_up(&f, CASE);
    assert_int_equal(mt_plan_make(&all, &f.predictor, &f.c.question, true, NULL),
                     MT_OK);
    assert_true(all.count > 10);
    assert_int_equal(f.plan.count, all.count);
    for (int i = 0; i < all.count; i++)
        assert_true(f.plan.choices[i].prediction.seconds ==
                    all.choices[i].prediction.seconds);
    mt_plan_clear(&all);
    tear_down(&f);
}

static void a_run_moves_the_favourite(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, CASE);
    const struct mt_choice favourite = f.plan.choices[0];
    add_run(&f, &favourite, 5);
    add_run(&f, &f.plan.choices[1], 1);
    assert_int_equal(plan_again(&f, NULL), MT_OK);
    assert_true(f.plan.exact);
    assert_false(mt_configuration_equal(&f.plan.choices[0].configuration,
                                        &favourite.configuration));
    for (int i = 0; i < f.plan.count; i++) {
        const struct mt_choice *choice = &f.plan.choices[i];
        if (mt_configuration_equal(&choice->configuration, &favourite.configuration))
            assert_close(choice->prediction.seconds, 5 * favourite.prediction.seconds,
                         1e-12);
        if (i > 0 && choice[-1].behind == choice->behind)
            assert_true(choice[-1].prediction.seconds <= choice->prediction.seconds);
    }
    tear_down(&f);
}

/* A guess that is as fast ranks behind a configuration that ran. */
static void what_was_run_goes_first(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, CASE);
    int second = 1;
    while (f.plan.choices[second].ranks == f.plan.choices[0].ranks)
        second++;
    const struct mt_choice choice = f.plan.choices[second];
    const double first = f.plan.choices[0].prediction.seconds;
    add_run(&f, &choice, first / choice.prediction.seconds);
    assert_int_equal(plan_again(&f, NULL), MT_OK);
    assert_true(mt_configuration_equal(&f.plan.choices[0].configuration,
                                       &choice.configuration));
    assert_true(f.plan.choices[0].prediction.seconds == first);
    tear_down(&f);
}

static void the_question_holds_for_measured_times(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, CASE);
    const struct mt_choice favourite = f.plan.choices[0];
    add_run(&f, &favourite, 1.5);
    f.c.question.deadline = 1.2 * favourite.prediction.seconds;
    assert_int_equal(plan_again(&f, NULL), MT_OK);
    assert_true(f.plan.count > 0);
    for (int i = 0; i < f.plan.count; i++) {
        const struct mt_choice *choice = &f.plan.choices[i];
        assert_true(choice->prediction.seconds <= f.c.question.deadline);
        assert_false(
            mt_configuration_equal(&choice->configuration, &favourite.configuration));
    }
    tear_down(&f);
}

static void nothing_is_left(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_error err = {0};
    set_up(&f, CASE);
    add_run(&f, &f.plan.choices[0], 1);
    f.c.question.deadline = 1e-9;
    assert_int_equal(plan_again(&f, &err), MT_EINFEASIBLE);
    assert_contains(err.text, "deadline");
    tear_down(&f);
}

/* A limit that leaves nothing is to blame, whatever failed; without one, that is. */
static void failures_are_blamed_last(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_error err = {0};
    set_up(&f, CASE);
    const int count = f.plan.count;
    struct mt_sample *failed = calloc((size_t)count, sizeof *failed);
    assert_non_null(failed);
    for (int i = 0; i < count; i++)
        failed[i] =
            (struct mt_sample){f.plan.choices[i].configuration, f.c.question.size, 0};
    f.predictor.samples.failed = failed;
    f.predictor.samples.nfailed = 1;
    f.c.question.deadline = 1e-9;
    assert_int_equal(plan_again(&f, &err), MT_EINFEASIBLE);
    assert_contains(err.text, "deadline");
    f.predictor.samples.nfailed = count;
    assert_int_equal(plan_again(&f, &err), MT_EINFEASIBLE);
    assert_contains(err.text, "was run at N = ");
    free(failed);
    tear_down(&f);
}

/* With too many configurations to rank each, the candidates are the best of each P, and
   those that ran. */
static void in_large_clusters_runs_are_candidates(void **state)
{
    (void)state;
    struct fixture f = {.plan = {.count = 0}};
    plan_case_large_auto(&f.c, 1, 1000, 3, 4);
    f.c.program.name = f.c.cluster.name;
    f.predictor.problem = plan_case_problem(&f.c);
    f.predictor.samples.samples = f.runs;
    struct mt_choice one = {.prediction = {.seconds = 1}};
    one.configuration.use[0] = (struct mt_use){.nodes = 1, .layout.processes = 1};
    add_run(&f, &one, 1);
    assert_int_equal(mt_plan_candidates(&f.plan, &f.predictor, &f.c.question, NULL),
                     MT_OK);
    bool found = false;
    for (int i = 0; i < f.plan.count; i++)
        found |= mt_configuration_equal(&f.plan.choices[i].configuration,
                                        &one.configuration);
    assert_true(found);
    tear_down(&f);
}

enum { CASES = 60 };

static void set_up_gain(struct mt_predictor *predictor, struct plan_case *c,
                        uint64_t number)
{
    plan_case_threads(c, number);
    c->program.name = c->cluster.name;
    *predictor = (struct mt_predictor){.problem = plan_case_problem(c)};
}

static void tear_down_gain(struct plan_case *c)
{
    c->program.name = NULL;
    plan_case_clear(c);
}

/* Predicted seconds of all nodes of a group in one of its layouts; infinite: none. */
static double seconds_alone(const struct mt_predictor *predictor, int g, int i,
                            double size)
{
    const struct mt_group *group = &predictor->problem.cluster->groups[g];
    struct mt_configuration configuration = {0};
    struct mt_prediction prediction;
    configuration.use[g] = mt_use_nodes(group->nodes, group->layouts[i]);
    return mt_plan_fits(predictor->problem.cluster, predictor->problem.program,
                        &configuration, size) &&
                   mt_predictor_predict(predictor, &configuration, size, &prediction,
                                        NULL) == MT_OK
               ? prediction.seconds
               : INFINITY;
}

static void rivals_use_all_nodes_in_the_fastest_layouts(void **state)
{
    (void)state;
    int groups = 0, all = 0;
    for (uint64_t number = 1; number <= CASES; number++) {
        struct plan_case c;
        struct mt_predictor predictor;
        struct mt_rivals rivals;
        double least = INFINITY;
        set_up_gain(&predictor, &c, number);
        const double size = c.question.size;
        mt_rivals_find(&rivals, &predictor, size);
        for (int g = 0; g < c.cluster.ngroups; g++)
            for (int i = 0; i < c.cluster.groups[g].nlayouts; i++)
                if (c.cluster.groups[g].nodes > 0)
                    least = fmin(least, seconds_alone(&predictor, g, i, size));
        assert_int_equal(rivals.group.nodes > 0, isfinite(least));
        if (rivals.group.nodes > 0) {
            const struct mt_group *group = &c.cluster.groups[rivals.only_group];
            assert_true(rivals.group.prediction.seconds == least);
            assert_int_equal(rivals.group.nodes, group->nodes);
            groups++;
        }
        for (int g = 0; g < c.cluster.ngroups && rivals.all.nodes > 0; g++)
            assert_int_equal(rivals.all.configuration.use[g].nodes,
                             c.cluster.groups[g].nodes);
        assert_true(rivals.all.nodes == 0 || c.cluster.ngroups > 1);
        all += rivals.all.nodes > 0;
        assert_int_equal(rivals.last.nodes, 0);
        tear_down_gain(&c);
    }
    assert_true(groups > CASES / 4 && all > 0);
}

/* Where the group that is the fastest alone always failed, nothing is compared with it.
 */
static void what_failed_is_no_rival(void **state)
{
    (void)state;
    int failed = 0;
    for (uint64_t number = 1; number <= CASES; number++) {
        struct plan_case c;
        struct mt_predictor predictor;
        struct mt_rivals rivals;
        set_up_gain(&predictor, &c, number);
        const double size = c.question.size;
        mt_rivals_find(&rivals, &predictor, size);
        const struct mt_configuration fastest = rivals.group.configuration;
        struct mt_sample run = {.configuration = fastest, .size = size};
        predictor.samples = (struct mt_samples){.failed = &run, .nfailed = 1};
        if (rivals.group.nodes > 0) {
            mt_rivals_find(&rivals, &predictor, size);
            assert_false(mt_configuration_equal(&rivals.group.configuration, &fastest));
            failed++;
        }
        tear_down_gain(&c);
    }
    assert_true(failed > 0);
}

static void what_ran_last_is_of_the_size_and_as_measured(void **state)
{
    (void)state;
    struct plan_case c;
    struct mt_predictor predictor;
    struct mt_rivals rivals;
    set_up_gain(&predictor, &c, 1);
    const double size = c.question.size;
    const struct mt_use one = mt_use_nodes(1, c.cluster.groups[0].layouts[0]);
    struct mt_sample runs[] = {{.size = size, .seconds = 7},
                               {.size = 2 * size, .seconds = 3}};
    struct mt_measured measured = {.size = size, .seconds = 7, .runs = 1};
    runs[0].configuration.use[0] = runs[1].configuration.use[0] = one;
    measured.configuration.use[0] = one;
    predictor.samples = (struct mt_samples){.samples = runs, .count = 2};
    predictor.measured = (struct mt_measured_list){.all = &measured, .count = 1};
    mt_rivals_find(&rivals, &predictor, size);
    assert_int_equal(rivals.last.nodes, 1);
    assert_true(rivals.last.prediction.seconds == 7);
    mt_rivals_find(&rivals, &predictor, 3 * size);
    assert_int_equal(rivals.last.nodes, 0);
    tear_down_gain(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_all_that_may_run),
        cmocka_unit_test(a_run_moves_the_favourite),
        cmocka_unit_test(what_was_run_goes_first),
        cmocka_unit_test(the_question_holds_for_measured_times),
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(failures_are_blamed_last),
        cmocka_unit_test(in_large_clusters_runs_are_candidates),
        cmocka_unit_test(rivals_use_all_nodes_in_the_fastest_layouts),
        cmocka_unit_test(what_failed_is_no_rival),
        cmocka_unit_test(what_ran_last_is_of_the_size_and_as_measured),
    };
    return cmocka_run_group_tests_name("planner", tests, NULL, NULL);
}
