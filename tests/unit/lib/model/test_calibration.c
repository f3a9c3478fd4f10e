/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_cases.h"
#include "lib/model/internal.h"
#include "tests/unit/test.h"

#include <math.h>

/* Two models that say N / P seconds, for xeon x1 and celeron x1, off by 10 % or so. */
struct fixture {
    struct mt_terms *terms;
    double coefficients[1];
    struct mt_model list[2];
    struct mt_models models;
    struct mt_program program;
};

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.coefficients = {1}, .program = {.name = program_name}};
    f->terms = parse_terms("N/P");
    for (int g = 0; g < 2; g++)
        f->list[g] = (struct mt_model){.group = case_groups[g].name,
                                       .layout.processes = 1,
                                       .split = -1,
                                       .terms = f->terms,
                                       .coefficients = f->coefficients,
                                       .size_low = 1,
                                       .size_high = 1000,
                                       .ranks_low = 1,
                                       .ranks_high = 16,
                                       .runs = 10,
                                       .residual = 0.1,
                                       .cross_validated = 0.1};
    f->models = (struct mt_models){.models = f->list, .count = 2};
}

static struct mt_configuration nodes(int xeons, int celerons)
{
    struct mt_configuration configuration = {0};
    if (xeons)
        configuration.use[XEON] =
            (struct mt_use){.nodes = xeons, .layout.processes = 1};
    if (celerons)
        configuration.use[CELERON] =
            (struct mt_use){.nodes = celerons, .layout.processes = 1};
    return configuration;
}

static void init(struct mt_calibration *calibration, const struct fixture *f,
                 const struct mt_sample *samples, int count)
{
    const struct mt_problem problem = {&case_cluster, &f->program, &f->models};
    assert_int_equal(mt_calibration_init(calibration, &problem, samples, count, NULL),
                     MT_OK);
}

static struct mt_prediction predict(const struct mt_calibration *calibration,
                                    struct mt_configuration configuration, double size)
{
    struct mt_prediction prediction;
    assert_int_equal(mt_calibration_predict(calibration, &configuration, size,
                                            &prediction, NULL, NULL),
                     MT_OK);
    return prediction;
}

static double width(struct mt_prediction prediction)
{
    return log(prediction.high / prediction.low);
}

static void without_runs_the_models_decide(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    init(&calibration, &f, NULL, 0);
    const struct mt_configuration all = nodes(8, 8);
    struct mt_prediction by_models;
    const struct mt_problem problem = {&case_cluster, &f.program, &f.models};
    assert_int_equal(mt_models_predict(&problem, &all, 160, &by_models, NULL), MT_OK);
    const struct mt_prediction prediction = predict(&calibration, all, 160);
    assert_close(prediction.seconds, 10, 1e-12);
    assert_close(prediction.low, by_models.low, 1e-12);
    assert_close(prediction.high, by_models.high, 1e-12);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

static void a_run_corrects_itself_most_and_its_like(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    const struct mt_sample run = {
        .configuration = nodes(4, 4), .size = 80, .seconds = 12};
    init(&calibration, &f, &run, 1);
    const struct mt_prediction itself = predict(&calibration, nodes(4, 4), 80);
    const struct mt_prediction same_ranks = predict(&calibration, nodes(2, 6), 80);
    const struct mt_prediction other = predict(&calibration, nodes(1, 1), 80);
    const struct mt_prediction alone = predict(&calibration, nodes(8, 0), 80);
    const struct mt_prediction other_size = predict(&calibration, nodes(4, 4), 800);
    assert_true(fabs(itself.seconds / 12 - 1) < 0.02);
    assert_true(same_ranks.seconds > 10.5 && same_ranks.seconds < itself.seconds);
    assert_true(other.seconds > 40 && other.seconds / 40 < same_ranks.seconds / 10);
    assert_close(alone.seconds, 10, 1e-12); /* its models were fitted to such runs */
    assert_true(other_size.seconds > 100 &&
                other_size.seconds / 100 < same_ranks.seconds / 10);
    assert_true(width(itself) < width(same_ranks));
    assert_true(width(same_ranks) < width(predict(&calibration, nodes(2, 6), 800)));
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

/* A configuration that is 40 % slower than predicted says nearly that of its neighbour,
   although it has one process less. */
static void a_neighbour_inherits_nearly_all(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    struct mt_sample run = {.configuration = nodes(8, 8), .size = 80};
    const struct mt_configuration neighbour = nodes(8, 7), other = nodes(2, 2);
    init(&calibration, &f, NULL, 0);
    const double before = predict(&calibration, neighbour, 80).seconds,
                 other_before = predict(&calibration, other, 80).seconds;
    run.seconds = 1.4 * predict(&calibration, run.configuration, 80).seconds;
    assert_int_equal(mt_calibration_add(&calibration, &run, NULL), MT_OK);
    const double inherited =
        log(predict(&calibration, neighbour, 80).seconds / before) / log(1.4);
    assert_true(inherited > 0.7);
    assert_true(log(predict(&calibration, other, 80).seconds / other_before) /
                    log(1.4) <
                inherited - 0.1);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

static void repetitions_narrow_and_tell_the_noise(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    unsigned seed = 1;
    struct mt_sample run = {.configuration = nodes(4, 4), .size = 80};
    init(&calibration, &f, NULL, 0);
    for (int i = 0; i < 60; i++) {
        run.seconds = 12 * exp(0.08 * normal(&seed));
        assert_int_equal(mt_calibration_add(&calibration, &run, NULL), MT_OK);
    }
    /* The true median is known well; a single run still scatters by 8 %. */
    struct mt_prediction prediction;
    double deviation;
    assert_int_equal(mt_calibration_predict(&calibration, &run.configuration, 80,
                                            &prediction, &deviation, NULL),
                     MT_OK);
    assert_true(fabs(log(prediction.seconds / 12)) < 0.03 && deviation < 0.02);
    const double spread = width(prediction) / (2 * 1.645);
    assert_true(spread > 0.06 && spread < 0.1);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

static void a_wild_run_is_bounded(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    const struct mt_sample run = {
        .configuration = nodes(4, 4), .size = 80, .seconds = 10000};
    init(&calibration, &f, &run, 1);
    assert_true(predict(&calibration, nodes(2, 6), 80).seconds < 20);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

/* Far off the models, too; but not after a single run that is too fast to be true. */
static void a_configuration_is_predicted_as_it_ran(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    const struct mt_sample slow = {
        .configuration = nodes(4, 4), .size = 80, .seconds = 100};
    const struct mt_sample fast = {
        .configuration = nodes(8, 0), .size = 80, .seconds = 0.1};
    init(&calibration, &f, &slow, 1);
    assert_close(predict(&calibration, nodes(4, 4), 80).seconds, 100, 0.05);
    assert_int_equal(mt_calibration_add(&calibration, &fast, NULL), MT_OK);
    assert_true(predict(&calibration, nodes(8, 0), 80).seconds > 5);
    assert_int_equal(mt_calibration_add(&calibration, &fast, NULL), MT_OK);
    assert_close(predict(&calibration, nodes(8, 0), 80).seconds, 0.1, 0.1);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

/* Disturbed runs are slower; what is not repeated was no run of the program. */
static void of_two_runs_that_disagree_the_slower_counts(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    const struct mt_sample runs[] = {
        {.configuration = nodes(4, 4), .size = 80, .seconds = 5},
        {.configuration = nodes(4, 4), .size = 80, .seconds = 10}};
    init(&calibration, &f, runs, 2);
    assert_close(predict(&calibration, nodes(4, 4), 80).seconds, 10, 0.05);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

static void what_has_no_model_is_passed_over_or_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_calibration calibration = {0};
    set_up(&f);
    struct mt_configuration twice = nodes(4, 0);
    twice.use[XEON].layout.processes = 2;
    const struct mt_sample run = {.configuration = twice, .size = 80, .seconds = 10};
    init(&calibration, &f, &run, 1);
    struct mt_prediction prediction;
    struct mt_error err;
    assert_int_equal(
        mt_calibration_predict(&calibration, &twice, 80, &prediction, NULL, &err),
        MT_ENOTFOUND);
    assert_contains(err.text, "'xeon x2'");
    assert_close(predict(&calibration, nodes(4, 0), 80).seconds, 20, 1e-12);
    mt_calibration_clear(&calibration);
    mt_terms_free(f.terms);
}

/* Whose logarithm has a deviation of one: Student's own 95 % for ten degrees. */
static const struct mt_prediction plain = {.seconds = 1, .high = 0};

static struct mt_prediction with_deviation(double deviation)
{
    struct mt_prediction prediction = plain;
    prediction.seconds = 20;
    prediction.high = 20 * exp(1.812461 * deviation);
    prediction.low = 20 / exp(1.812461 * deviation);
    return prediction;
}

/* From a table of the distribution. */
static void has_students_quantiles(void **state)
{
    (void)state;
    static const struct {
        double chance, deviations;
    } cases[] = {{0.5, 0},         {0.75, 0.699812}, {0.9, 1.372184},
                 {0.95, 1.812461}, {0.99, 2.763769}, {0.999, 4.143700}};
    const struct mt_prediction prediction = with_deviation(0.1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double seconds = 20 * exp(0.1 * cases[i].deviations);
        assert_close(mt_prediction_seconds_at(&prediction, cases[i].chance), seconds,
                     1e-6);
        assert_close(mt_prediction_chance(&prediction, seconds), cases[i].chance, 1e-5);
    }
    assert_close(mt_prediction_chance(&prediction, 20 * exp(-0.1372184)), 0.1, 1e-5);
    assert_close(mt_prediction_seconds_at(&prediction, 0), 20, 0);
}

static void without_an_interval_nothing_is_known(void **state)
{
    (void)state;
    const struct mt_prediction prediction = {.seconds = 20, .low = 0, .high = INFINITY};
    assert_close(mt_prediction_seconds_at(&prediction, 0.9), 20, 0);
    assert_true(isnan(mt_prediction_chance(&prediction, 30)));
}

static void an_interval_of_no_width_is_certain(void **state)
{
    (void)state;
    const struct mt_prediction prediction = with_deviation(0);
    assert_close(mt_prediction_seconds_at(&prediction, 0.99), 20, 0);
    assert_true(mt_prediction_chance(&prediction, 20) == 1);
    assert_true(mt_prediction_chance(&prediction, 19.9) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_runs_the_models_decide),
        cmocka_unit_test(a_run_corrects_itself_most_and_its_like),
        cmocka_unit_test(a_neighbour_inherits_nearly_all),
        cmocka_unit_test(repetitions_narrow_and_tell_the_noise),
        cmocka_unit_test(a_wild_run_is_bounded),
        cmocka_unit_test(a_configuration_is_predicted_as_it_ran),
        cmocka_unit_test(of_two_runs_that_disagree_the_slower_counts),
        cmocka_unit_test(what_has_no_model_is_passed_over_or_refused),
        cmocka_unit_test(has_students_quantiles),
        cmocka_unit_test(without_an_interval_nothing_is_known),
        cmocka_unit_test(an_interval_of_no_width_is_certain),
    };
    return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
