/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans whose times are corrected by runs, against predicting every configuration. */
#include "motley/plan.h"

#include "plan_cases.h"
#include "tests/unit/test.h"

enum { MOST_RUNS = 8, CASES = 300 };

/* A random cluster, runs that its models are wrong about, and all that may run there.
 */
struct fixture {
    struct plan_case c;
    struct mt_predictor predictor;
    struct mt_sample runs[MOST_RUNS];
    struct mt_plan all; /* corrected, without constraints */
};

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

static const struct mt_choice *pick(const struct mt_plan *plan, unsigned *random)
{
    return &plan->choices[(int)(uniform(random) * plan->count)];
}

static bool set_up(struct fixture *f, uint64_t number)
{
    unsigned random = (unsigned)number;
    *f = (struct fixture){.predictor = {.corrections = MOST_RUNS}};
    plan_case_mixed(&f->c, number);
    f->c.program.name = f->c.cluster.name;
    for (int g = 0; g < f->c.cluster.ngroups; g++) { /* so that all can be asked */
        f->c.cluster.groups[g].price += 0.1;
        f->c.cluster.groups[g].watts += 10;
    }
    f->c.question = (struct mt_question){.size = f->c.question.size};
    const struct mt_problem problem = plan_case_problem(&f->c);
    if (mt_plan_exhaustive(&f->all, &problem, &f->c.question, true, NULL) != MT_OK)
        return false;
    for (int i = 0; i < MOST_RUNS; i++) {
        const struct mt_choice *choice = pick(&f->all, &random);
        f->runs[i] = (struct mt_sample){.configuration = choice->configuration,
                                        .size = f->c.question.size * (i % 3 ? 1 : 0.8),
                                        .seconds = choice->prediction.seconds *
                                                   exp(uniform(&random) - 0.3)};
    }
    f->predictor.problem = problem;
    f->predictor.samples = (struct mt_samples){.samples = f->runs, .count = MOST_RUNS};
    assert_int_equal(mt_calibration_init(&f->predictor.calibration, &problem, f->runs,
                                         MOST_RUNS, NULL),
                     MT_OK);
    for (int i = 0; i < f->all.count; i++) {
        struct mt_choice *choice = &f->all.choices[i];
        assert_int_equal(mt_calibration_predict(&f->predictor.calibration,
                                                &choice->configuration,
                                                f->c.question.size, &choice->prediction,
                                                &choice->deviation, NULL),
                         MT_OK);
        double price = 0, watts = 0;
        for (int g = 0; g < f->c.cluster.ngroups; g++) {
            const int nodes = choice->configuration.use[g].nodes;
            price += nodes * f->c.cluster.groups[g].price;
            watts += nodes * f->c.cluster.groups[g].watts;
        }
        choice->cost = choice->prediction.seconds / 3600 * price;
        choice->joules = choice->prediction.seconds * watts;
    }
    return true;
}

static void tear_down(struct fixture *f)
{
    mt_plan_clear(&f->all);
    mt_calibration_clear(&f->predictor.calibration);
    f->c.program.name = NULL;
    plan_case_clear(&f->c);
}

/* What a plan is ranked by: the value, and half its deviation. */
static double value_of(const struct mt_choice *choice, enum mt_objective objective)
{
    return mt_choice_value(choice, objective) * exp(choice->deviation / 2);
}

static double least_value(const struct fixture *f, const struct mt_question *question)
{
    double least = INFINITY;
    for (int i = 0; i < f->all.count; i++) {
        const struct mt_choice *choice = &f->all.choices[i];
        if ((question->deadline == 0 ||
             choice->prediction.seconds <= question->deadline) &&
            (question->budget == 0 || choice->cost <= question->budget) &&
            (question->max_nodes == 0 || choice->nodes <= question->max_nodes))
            least = fmin(least, value_of(choice, question->objective));
    }
    return least;
}

/* Ask for each objective with each constraint, and each pair of them. */
static void ask_all(const struct fixture *f, unsigned random, int *infeasible)
{
    for (int constraints = 0; constraints < 7; constraints++) {
        for (int objective = MT_FASTEST; objective <= MT_LEAST_ENERGY; objective++) {
            struct mt_question question = f->c.question;
            question.objective = (enum mt_objective)objective;
            if (constraints & 1) /* a bit above, or a bit below what some take */
                question.deadline = pick(&f->all, &random)->prediction.seconds *
                                    (0.9 + 0.3 * uniform(&random));
            if (constraints & 2)
                question.budget =
                    pick(&f->all, &random)->cost * (0.7 + 0.5 * uniform(&random));
            if (constraints & 4)
                question.max_nodes = pick(&f->all, &random)->nodes;
            struct mt_plan plan = {0};
            const double least = least_value(f, &question);
            const int status =
                mt_plan_make(&plan, &f->predictor, &question, false, NULL);
            assert_int_equal(status, least < INFINITY ? MT_OK : MT_EINFEASIBLE);
            if (status == MT_OK)
                assert_close(value_of(&plan.choices[0], question.objective), least,
                             1e-12);
            *infeasible += status != MT_OK;
            mt_plan_clear(&plan);
        }
    }
}

static void equals_predicting_all(void **state)
{
    (void)state;
    int infeasible = 0, asked = 0;
    for (int number = 1; number <= CASES; number++) {
        struct fixture f;
        if (set_up(&f, (uint64_t)number)) {
            ask_all(&f, (unsigned)number, &infeasible);
            asked++;
        }
        tear_down(&f);
    }
    assert_true(asked > CASES / 2 && infeasible > asked / 4);
}

/* Whether one of the points is no worse than the choice, in time and value, and none is
   worse in both. */
static bool is_covered(const struct mt_front *front, const struct mt_choice *choice)
{
    const double seconds = value_of(choice, MT_FASTEST) * (1 + 1e-12);
    const double value = value_of(choice, front->against) * (1 + 1e-12);
    bool covered = false;
    for (int i = 0; i < front->count; i++) {
        const struct mt_choice *point = &front->points[i].choice;
        const bool as_fast = value_of(point, MT_FASTEST) <= seconds;
        const bool as_cheap = value_of(point, front->against) <= value;
        if (!as_fast && !as_cheap)
            return false;
        covered |= as_fast && as_cheap;
    }
    return covered;
}

static void check_front(const struct fixture *f, enum mt_objective against)
{
    struct mt_front front = {0};
    struct mt_question question = f->c.question;
    question.objective = against;
    question.top = 0;
    assert_int_equal(mt_plan_front(&front, &f->predictor, &question, NULL), MT_OK);
    assert_true(front.corrected && front.exact && front.share == 0);
    for (int i = 0; i < f->all.count; i++)
        assert_true(is_covered(&front, &f->all.choices[i]));
    mt_front_clear(&front);
}

static void fronts_are_of_all_that_is_corrected(void **state)
{
    (void)state;
    int asked = 0;
    for (int number = 1; number <= CASES / 3; number++) {
        struct fixture f;
        if (set_up(&f, (uint64_t)number)) {
            check_front(&f, MT_CHEAPEST);
            check_front(&f, MT_LEAST_ENERGY);
            asked++;
        }
        tear_down(&f);
    }
    assert_true(asked > CASES / 6);
}

/* Too many configurations to try each: what is allowed is found where the models alone
   would keep the deadline only elsewhere, and where few nodes are allowed. */
static void large_clusters_keep_constraints(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 4; number++) {
        struct fixture f = {.predictor = {.corrections = 3}};
        plan_case_serial(&f.c, number, 1000, 4, 4);
        f.c.program.name = f.c.cluster.name;
        const struct mt_problem problem = plan_case_problem(&f.c);
        struct mt_prediction prediction;
        for (int i = 0; i < 3; i++) {
            struct mt_configuration *run = &f.runs[i].configuration;
            run->use[i] = (struct mt_use){.nodes = 10 * (i + 1), .layout.processes = 2};
            run->use[3] = (struct mt_use){.nodes = 20, .layout.processes = 1 + i};
            f.runs[i].size = f.c.question.size;
            assert_int_equal(
                mt_models_predict(&problem, run, f.runs[i].size, &prediction, NULL),
                MT_OK);
            f.runs[i].seconds = 1.3 * prediction.seconds;
        }
        f.predictor.problem = problem;
        f.predictor.samples = (struct mt_samples){.samples = f.runs, .count = 3};
        assert_int_equal(
            mt_calibration_init(&f.predictor.calibration, &problem, f.runs, 3, NULL),
            MT_OK);
        struct mt_question question = f.c.question;
        struct mt_plan fastest = {0}, cheap = {0}, few = {0};
        assert_int_equal(mt_plan_make(&fastest, &f.predictor, &question, false, NULL),
                         MT_OK);
        question.objective = MT_CHEAPEST;
        question.deadline = 1.1 * fastest.choices[0].prediction.seconds;
        assert_int_equal(mt_plan_make(&cheap, &f.predictor, &question, false, NULL),
                         MT_OK);
        assert_true(cheap.choices[0].prediction.seconds <= question.deadline);
        assert_true(cheap.choices[0].cost <= fastest.choices[0].cost);
        question = f.c.question;
        question.max_nodes = 7;
        assert_int_equal(mt_plan_make(&few, &f.predictor, &question, false, NULL),
                         MT_OK);
        assert_in_range(few.choices[0].nodes, 1, 7);
        struct mt_front front = {0};
        question = f.c.question;
        question.top = 10;
        assert_int_equal(mt_plan_front(&front, &f.predictor, &question, NULL), MT_OK);
        assert_true(front.corrected && !front.exact);
        assert_in_range(front.count, 3, 10);
        assert_true(front.points[0].choice.prediction.seconds ==
                    fastest.choices[0].prediction.seconds);
        mt_front_clear(&front);
        mt_plan_clear(&fastest);
        mt_plan_clear(&cheap);
        mt_plan_clear(&few);
        tear_down(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_predicting_all),
        cmocka_unit_test(fronts_are_of_all_that_is_corrected),
        cmocka_unit_test(large_clusters_keep_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
