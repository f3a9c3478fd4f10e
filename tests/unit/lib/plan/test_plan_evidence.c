/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans and fronts of all that is known, against trying every configuration by the
   times that are printed. */
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "lib/plan/internal.h"
#include "lib/plan/rank.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

enum { MOST_RUNS = 8, CASES = 1000 };

/* A random cluster, runs that its models are wrong about, and all that may run there.
 */
struct fixture {
    struct plan_case c;
    struct mt_predictor predictor;
    struct mt_sample runs[MOST_RUNS];
    struct mt_choice *all; /* owned; that may run */
    int count;
};

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

static const struct mt_choice *pick(const struct fixture *f, unsigned *random)
{
    return &f->all[(int)(uniform(random) * f->count)];
}

/* Configurations that ran at the size asked for take the median of their runs. */
static double median_run(const struct fixture *f,
                         const struct mt_configuration *configuration)
{
    double seconds[MOST_RUNS];
    int count = 0;
    for (int i = 0; i < f->predictor.samples.count; i++)
        if (f->runs[i].size == f->c.question.size &&
            mt_configuration_equal(&f->runs[i].configuration, configuration))
            seconds[count++] = f->runs[i].seconds;
    for (int i = 1; i < count; i++) /* in order */
        for (int k = i; k > 0 && seconds[k] < seconds[k - 1]; k--) {
            const double larger = seconds[k - 1];
            seconds[k - 1] = seconds[k];
            seconds[k] = larger;
        }
    return count > 0 ? (seconds[(count - 1) / 2] + seconds[count / 2]) / 2 : 0;
}

/* `motley plan --all` prints the predictions of `motley predict`, and the costs at
   these times. */
static void print_all(struct fixture *f)
{
    struct mt_plan all = {0};
    assert_int_equal(mt_plan_make(&all, &f->predictor, &f->c.question, true, NULL),
                     MT_OK);
    assert_int_equal(all.count, f->count);
    free(f->all);
    f->all = all.choices;
    for (int i = 0; i < f->count; i++) {
        const struct mt_choice *choice = &f->all[i];
        const double median = median_run(f, &choice->configuration);
        struct mt_prediction prediction;
        double price = 0, watts = 0;
        assert_int_equal(mt_predictor_predict(&f->predictor, &choice->configuration,
                                              f->c.question.size, &prediction, NULL),
                         MT_OK);
        assert_true(choice->prediction.seconds == prediction.seconds);
        for (int g = 0; g < f->c.cluster.ngroups; g++) {
            const int nodes = choice->configuration.use[g].nodes;
            price += nodes * f->c.cluster.groups[g].price;
            watts += nodes * f->c.cluster.groups[g].watts;
        }
        assert_close(choice->cost, prediction.seconds / 3600 * price, 1e-12);
        assert_close(choice->joules, prediction.seconds * watts, 1e-12);
        if (median > 0)
            assert_true(prediction.seconds == median && !prediction.unseen);
        assert_true(prediction.low <= prediction.seconds &&
                    prediction.seconds <= prediction.high);
    }
}

/* Runs at the size that is asked for, some of them again, and at another one. */
static bool set_up(struct fixture *f, uint64_t number)
{
    unsigned random = (unsigned)number;
    struct mt_plan all = {0};
    *f = (struct fixture){.count = 0};
    plan_case_auto(&f->c, number);
    f->c.program.name = f->c.cluster.name;
    for (int g = 0; g < f->c.cluster.ngroups; g++) { /* so that all can be asked */
        f->c.cluster.groups[g].price += 0.1;
        f->c.cluster.groups[g].watts += 10;
    }
    f->c.question = (struct mt_question){.size = f->c.question.size};
    f->predictor.problem = plan_case_problem(&f->c);
    if (mt_plan_make(&all, &f->predictor, &f->c.question, true, NULL) != MT_OK)
        return false;
    f->all = all.choices;
    f->count = all.count;
    for (int i = 0; i < MOST_RUNS; i++) {
        const struct mt_choice *choice = pick(f, &random);
        f->runs[i] = (struct mt_sample){.configuration = choice->configuration,
                                        .size = f->c.question.size * (i % 3 ? 1 : 0.8),
                                        .seconds = choice->prediction.seconds *
                                                   exp(uniform(&random) - 0.3)};
        if (i > 1 && uniform(&random) < 0.3)
            f->runs[i].configuration = f->runs[i - 1].configuration;
    }
    f->predictor.samples = (struct mt_samples){.samples = f->runs, .count = MOST_RUNS};
    assert_int_equal(
        mt_measured_find(&f->predictor.measured, &f->predictor.samples, NULL, 0, NULL),
        MT_OK);
    print_all(f);
    return true;
}

static void tear_down(struct fixture *f)
{
    free(f->all);
    mt_measured_clear(&f->predictor.measured);
    f->c.program.name = NULL;
    plan_case_clear(&f->c);
}

/* Choices that rank behind because others ran at this size: guesses, or those that did
   not run. */
static bool is_behind(const struct fixture *f, const struct mt_choice *choice,
                      const struct mt_question *question)
{
    return question->ran_first ? median_run(f, &choice->configuration) == 0
                               : choice->prediction.unseen;
}

static double least_value(const struct fixture *f, const struct mt_question *question)
{
    double least[2] = {INFINITY, INFINITY};
    for (int i = 0; i < f->count; i++) {
        const struct mt_choice *choice = &f->all[i];
        const bool behind = is_behind(f, choice, question);
        if ((question->deadline == 0 ||
             choice->prediction.seconds <= question->deadline) &&
            (question->budget == 0 || choice->cost <= question->budget) &&
            (question->max_nodes == 0 || choice->nodes <= question->max_nodes))
            least[behind] =
                fmin(least[behind], mt_choice_value(choice, question->objective));
    }
    return least[0] < INFINITY ? least[0] : least[1];
}

/* Ask for the least by some objective with some constraints. */
static void ask(const struct fixture *f, unsigned *random, int *infeasible)
{
    struct mt_question question = f->c.question;
    struct mt_plan plan = {0};
    const int constraints = (int)(8 * uniform(random));
    question.objective = (enum mt_objective)(MT_NOBJECTIVES * uniform(random));
    question.ran_first = uniform(random) < 0.2;
    if (constraints & 1) /* a bit above, or a bit below what some take */
        question.deadline =
            pick(f, random)->prediction.seconds * (0.9 + 0.3 * uniform(random));
    if (constraints & 2)
        question.budget = pick(f, random)->cost * (0.7 + 0.5 * uniform(random));
    if (constraints & 4)
        question.max_nodes = pick(f, random)->nodes;
    const double least = least_value(f, &question);
    const int status = mt_plan_make(&plan, &f->predictor, &question, false, NULL);
    assert_int_equal(status, least < INFINITY ? MT_OK : MT_EINFEASIBLE);
    *infeasible += status != MT_OK;
    if (status == MT_OK) {
        assert_true(plan.exact);
        assert_true(mt_choice_value(&plan.choices[0], question.objective) == least);
        assert_true(plan.bound == least);
    }
    mt_plan_clear(&plan);
}

static int compare_seconds(const void *left, const void *right)
{
    const struct mt_choice *a = left, *b = right;
    return (a->prediction.seconds > b->prediction.seconds) -
           (a->prediction.seconds < b->prediction.seconds);
}

/* A front has exactly the pairs of time and value that nothing printed dominates, where
   others ran without guesses. */
static void check_front(const struct fixture *f, enum mt_objective against)
{
    struct mt_front front = {0};
    struct mt_question question = f->c.question;
    double least = INFINITY;
    int points = 0;
    question.objective = against;
    assert_int_equal(mt_plan_front(&front, &f->predictor, &question, NULL), MT_OK);
    assert_true(front.exact && front.share == 0);
    for (int i = 0, end; i < f->count; i = end) {
        const double seconds = f->all[i].prediction.seconds;
        double value = INFINITY;
        for (end = i; end < f->count && f->all[end].prediction.seconds == seconds;
             end++)
            if (!is_behind(f, &f->all[end], &question))
                value = fmin(value, mt_choice_value(&f->all[end], against));
        if (value >= least)
            continue;
        least = value;
        assert_true(points < front.count);
        const struct mt_front_point *point = &front.points[points++];
        assert_true(point->choice.prediction.seconds == seconds);
        assert_true(mt_choice_value(&point->choice, against) == value);
        assert_true(point->exact && point->bound == seconds);
    }
    assert_int_equal(points, front.count);
    mt_front_clear(&front);
}

static void equals_trying_what_is_printed(void **state)
{
    (void)state;
    enum { QUESTIONS = 3 };
    int infeasible = 0, asked = 0;
    for (int number = 1; asked < CASES; number++) {
        struct fixture f;
        unsigned random = (unsigned)number;
        assert_true(number < 2 * CASES);
        if (set_up(&f, (uint64_t)number)) {
            for (int i = 0; i < QUESTIONS; i++)
                ask(&f, &random, &infeasible);
            qsort(f.all, (size_t)f.count, sizeof *f.all, compare_seconds);
            check_front(&f, number % 2 ? MT_CHEAPEST : MT_LEAST_ENERGY);
            asked++;
        }
        tear_down(&f);
    }
    assert_true(infeasible > CASES / 8);
}

/* Too many configurations to try each: allowed ones are found even where, by the models
   alone, only others would meet the deadline, and where few nodes are allowed. */
static void large_clusters_keep_constraints(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 4; number++) {
        struct fixture f = {.count = 0};
        plan_case_large_auto(&f.c, number, 1000, 4, 4);
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
        assert_int_equal(mt_measured_find(&f.predictor.measured, &f.predictor.samples,
                                          NULL, 0, NULL),
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

enum { FIRST = 7, CLUSTERS = 5 };

/* The outcomes of the questions. */
struct tally {
    int asked, found, proven, best, none, none_proven, missed;
};

/* A cluster of 17^4 configurations, of which some are predicted well and others badly.
 */
static void make(struct plan_case *c, uint64_t number)
{
    plan_case_large_auto(c, number, 30, 4, 2);
    for (int g = 0; g < c->cluster.ngroups; g++)
        c->cluster.groups[g].nodes = 8;
    struct mt_part *part = &c->models.posterior->parts[0];
    for (int i = 0; i < c->models.posterior->nspeeds; i++) {
        const double deviation =
            0.02 * (1 + (int)((number * 7 + (uint64_t)i * 5) % 11));
        part->covariance[i * (part->parameters + 1)] = deviation * deviation;
    }
}

/* The best that meets the limits, of all that may run; NULL: none does. */
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

static void ask_chance(const struct plan_case *c, const struct mt_plan *all,
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

/* Claims of a proof are true, and most of the possible proofs are found. */
static void what_is_said_of_chances_is_so(void **state)
{
    (void)state;
    static const double confidences[] = {0.6, 0.9, 0.99};
    struct tally tally = {0};
    for (uint64_t number = FIRST; number < FIRST + CLUSTERS; number++) {
        struct plan_case c;
        struct mt_plan all = {0};
        make(&c, number);
        const struct mt_predictor bare = {.problem = plan_case_problem(&c)};
        const struct mt_question free = {.size = c.question.size};
        assert_int_equal(mt_plan_exhaustive(&all, &bare, &free, true, NULL), MT_OK);
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
            ask_chance(&c, &all, &question, &tally);
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
        assert_float_equal(mt_plan_chance(NULL, &choice, &question), chance, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_trying_what_is_printed),
        cmocka_unit_test(large_clusters_keep_constraints),
        cmocka_unit_test(what_is_said_of_chances_is_so),
        cmocka_unit_test(a_budget_pays_for_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
