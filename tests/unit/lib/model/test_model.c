/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_cases.h"
#include "lib/model/internal.h"

static char terms_text[] = "N^3/P, N^2, P*N, log2(P)*N^2, N/(P-20)";

/* A model that borrows all its memory; only its terms are to be freed. */
static struct mt_model make_model(double *coefficients)
{
    return (struct mt_model){.group = xeon_name,
                             .layout.processes = 1,
                             .split = -1,
                             .terms = parse_terms(terms_text),
                             .terms_text = terms_text,
                             .coefficients = coefficients,
                             .size_low = 400,
                             .size_high = 6400,
                             .ranks_low = 1,
                             .ranks_high = 8,
                             .runs = 10,
                             .residual = 0.02,
                             .cross_validated = 0.05};
}

static void kinds_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < MT_NMODEL_KINDS; i++) {
        enum mt_model_kind kind;
        const char *name = mt_model_kind_name((enum mt_model_kind)i);
        assert_int_equal(mt_model_kind_parse(&kind, name, NULL), MT_OK);
        assert_int_equal(kind, i);
    }
    struct mt_error err;
    enum mt_model_kind kind;
    assert_int_equal(mt_model_kind_parse(&kind, "npt", &err), MT_EINVAL);
    assert_contains(err.text, "'npt' (known: auto, n-t, p-t, np-t)");
}

static void seconds_are_the_sum_of_terms(void **state)
{
    (void)state;
    double c[] = {1e-9, 2e-8, 0, 3e-8, 0};
    struct mt_model model = make_model(c);
    assert_close(mt_model_seconds(&model, 1000, 4), 0.25 + 0.02 + 0.06, 1e-14);
    /* The left-out term has no value here; nothing else needs it. */
    assert_true(mt_model_seconds(&model, 1000, 20) > 0);
    c[4] = 1;
    assert_true(isnan(mt_model_seconds(&model, 1000, 20)));
    c[0] = -1e-9;
    c[4] = 0;
    assert_true(isnan(mt_model_seconds(&model, 1000, 4)));
    mt_terms_free(model.terms);
}

static void single_p_answers_only_there(void **state)
{
    (void)state;
    double c[] = {1e-9, 0, 0, 0, 0};
    struct mt_model model = make_model(c);
    model.ranks_low = model.ranks_high = 4;
    assert_true(mt_model_seconds(&model, 1000, 4) > 0);
    assert_true(isnan(mt_model_seconds(&model, 1000, 5)));
    mt_terms_free(model.terms);
}

/* A model has no value where its sum is not positive. */
static void sums_are_positive(void **state)
{
    (void)state;
    double c[] = {1e-9, 2e-8, 0, 3e-8, 0};
    struct mt_model model = make_model(c);
    assert_close(mt_model_seconds(&model, 1000, 4), 0.33, 1e-14);
    c[1] = -1e-6;
    assert_true(isnan(mt_model_seconds(&model, 1000, 4)));
    mt_terms_free(model.terms);
}

/* Two groups, of which the second is slower. */
struct pair {
    double c[2][5];
    struct mt_model all[2];
    struct mt_models models;
};

static void make_pair(struct pair *pair)
{
    *pair = (struct pair){.c = {{1e-9, 0, 0, 0, 0}, {3e-9, 0, 0, 0, 0}}};
    for (int i = 0; i < 2; i++)
        pair->all[i] = make_model(pair->c[i]);
    pair->all[1].group = celeron_name;
    pair->all[1].cross_validated = 0.1;
    pair->models =
        (struct mt_models){.kind = MT_MODEL_NPT, .models = pair->all, .count = 2};
}

static void free_pair(struct pair *pair)
{
    mt_terms_free(pair->all[0].terms);
    mt_terms_free(pair->all[1].terms);
}

static const struct mt_program plain = {.name = program_name};

static int predict(const struct pair *pair, const char *text, double size,
                   struct mt_prediction *prediction, struct mt_error *err)
{
    struct mt_configuration configuration;
    assert_int_equal(mt_configuration_parse(&configuration, &case_cluster, text, NULL),
                     MT_OK);
    const struct mt_problem problem = {&case_cluster, &plain, &pair->models};
    return mt_models_predict(&problem, &configuration, size, prediction, err);
}

static void slowest_group_decides(void **state)
{
    (void)state;
    struct pair pair;
    struct mt_prediction prediction;
    make_pair(&pair);
    assert_int_equal(predict(&pair, "xeon:4x1", 2000, &prediction, NULL), MT_OK);
    assert_close(prediction.seconds, 2, 1e-14);
    assert_int_equal(predict(&pair, "xeon:4x1+celeron:4x1", 2000, &prediction, NULL),
                     MT_OK);
    assert_close(prediction.seconds, 3, 1e-14);
    assert_false(prediction.extrapolated);
    /* celeron's error is 0.1 */
    assert_close(prediction.low, 3 * exp(-1.645 * 0.1), 1e-12);
    assert_close(prediction.high, 3 * exp(1.645 * 0.1), 1e-12);
    free_pair(&pair);
}

static void interval_widens_beyond_the_runs(void **state)
{
    (void)state;
    struct pair pair;
    struct mt_prediction prediction;
    make_pair(&pair);
    assert_int_equal(predict(&pair, "celeron:8x1", 12800, &prediction, NULL), MT_OK);
    assert_true(prediction.extrapolated);
    assert_close(log(prediction.high / prediction.seconds), 1.5 * 0.1645, 1e-12);
    assert_int_equal(predict(&pair, "xeon:8x1+celeron:8x1", 200, &prediction, NULL),
                     MT_OK);
    assert_close(log(prediction.high / prediction.seconds), 1.645 * 0.2, 1e-12);
    pair.all[1].cross_validated = NAN;
    assert_int_equal(predict(&pair, "celeron:8x1", 6400, &prediction, NULL), MT_OK);
    assert_close(log(prediction.high / prediction.seconds), 0.1645, 1e-12);
    pair.all[1].residual = 0.5;
    assert_int_equal(predict(&pair, "celeron:8x1", 6400, &prediction, NULL), MT_OK);
    assert_close(log(prediction.high / prediction.seconds), 1.5 * 1.645, 1e-12);
    free_pair(&pair);
}

static void missing_models_are_named(void **state)
{
    (void)state;
    struct pair pair;
    struct mt_prediction prediction = {.seconds = 7};
    struct mt_error err;
    make_pair(&pair);
    assert_int_equal(predict(&pair, "xeon:4x2", 2000, &prediction, &err), MT_ENOTFOUND);
    assert_contains(err.text, "no np-t model of 'xeon x2'");
    pair.c[1][0] = -1;
    assert_int_equal(predict(&pair, "celeron:4x1", 2000, &prediction, &err),
                     MT_ENOTFOUND);
    assert_contains(err.text, "'celeron x1' has no value at N = 2000, P = 4");
    assert_true(prediction.seconds == 7);
    const struct mt_configuration none = {0};
    const struct mt_problem problem = {&case_cluster, &plain, &pair.models};
    assert_int_equal(mt_models_predict(&problem, &none, 1, &prediction, &err),
                     MT_EINVAL);
    free_pair(&pair);
}

static void nt_models_answer_for_their_configuration(void **state)
{
    (void)state;
    struct pair pair;
    struct mt_prediction prediction;
    struct mt_error err;
    char text[] = "xeon:4x1+celeron:4x1";
    make_pair(&pair);
    pair.models.kind = MT_MODEL_NT;
    pair.models.count = 1;
    pair.all[0].configuration = text;
    pair.all[0].ranks_low = pair.all[0].ranks_high = 8;
    assert_int_equal(predict(&pair, text, 2000, &prediction, NULL), MT_OK);
    assert_close(prediction.seconds, 1, 1e-14);
    assert_int_equal(predict(&pair, "xeon:8x1", 2000, &prediction, &err), MT_ENOTFOUND);
    assert_contains(err.text, "no n-t model of configuration 'xeon:8x1'");
    free_pair(&pair);
}

static void split_chooses_the_model(void **state)
{
    (void)state;
    struct pair pair;
    make_pair(&pair);
    struct mt_program program = {.split = parse_expr("P % 3 == 0 || P % 5 == 0")};
    pair.all[1].group = xeon_name;
    pair.all[0].split = 0;
    pair.all[1].split = 1;
    assert_ptr_equal(mt_models_find(&pair.models, &program, "xeon",
                                    (struct mt_layout){.processes = 1}, 4),
                     &pair.all[0]);
    assert_ptr_equal(mt_models_find(&pair.models, &program, "xeon",
                                    (struct mt_layout){.processes = 1}, 10),
                     &pair.all[1]);
    assert_null(mt_models_find(&pair.models, &program, "xeon",
                               (struct mt_layout){.processes = 2}, 10));
    assert_null(mt_models_find(&pair.models, &program, "celeron",
                               (struct mt_layout){.processes = 1}, 10));
    mt_expr_free(program.split);
    free_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(seconds_are_the_sum_of_terms),
        cmocka_unit_test(single_p_answers_only_there),
        cmocka_unit_test(sums_are_positive),
        cmocka_unit_test(slowest_group_decides),
        cmocka_unit_test(interval_widens_beyond_the_runs),
        cmocka_unit_test(missing_models_are_named),
        cmocka_unit_test(nt_models_answer_for_their_configuration),
        cmocka_unit_test(split_chooses_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
