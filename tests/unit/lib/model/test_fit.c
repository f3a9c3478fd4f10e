/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' models, and the behaviour that all kinds share. */
#include "fit_cases.h"
#include "hpl_cases.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"

static void nt_recovers_coefficients(void **state)
{
    (void)state;
    struct runs runs = {0};
    for (int s = 0; s < NSIZES; s++) {
        const double n = sizes[s];
        add_run(&runs, XEON, 3, 2, n, 2e-10 * n * n * n + 3e-8 * n * n + 1e-6 * n + 1);
    }
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_NT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 1);
    const struct mt_model *model = &models.models[0];
    assert_string_equal(model->configuration, "xeon:3x2");
    assert_string_equal(model->terms_text, "N^3, N^2, N, 1");
    assert_close(model->coefficients[0], 2e-10, 1e-9);
    assert_close(model->coefficients[1], 3e-8, 1e-9);
    assert_close(model->coefficients[2], 1e-6, 1e-6);
    assert_close(model->coefficients[3], 1, 1e-9);
    assert_true(model->residual < 1e-10);
    assert_true(model->cross_validated < 1e-8);
    assert_int_equal(model->runs, NSIZES);
    assert_int_equal(model->ranks_low, 6);
    assert_true(model->size_low == 400 && model->size_high == 6400);
    mt_models_clear(&models);
}

static void nt_takes_mixed_configurations(void **state)
{
    (void)state;
    struct runs runs = {0};
    for (int s = 0; s < NSIZES; s++) {
        add_run(&runs, XEON, 3, 2, sizes[s], sizes[s]);
        runs.all[s].configuration.use[CELERON] =
            (struct mt_use){.nodes = 8, .layout.processes = 1};
    }
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_NT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_string_equal(models.models[0].configuration, "xeon:3x2+celeron:8x1");
    assert_null(models.models[0].group);
    mt_models_clear(&models);
}

/* Ordinary least squares agrees with the normal equations, here in long double. */
static void nt_solves_the_normal_equations(void **state)
{
    (void)state;
    struct runs runs = {0};
    unsigned random = 7;
    long double a[4][5] = {{0}};
    for (int s = 0; s < NSIZES; s++) {
        const double n = sizes[s];
        const double seconds = (1e-10 * n * n * n + 1) * (1 + 0.1 * normal(&random));
        const long double x = n / 6400.0L;
        const long double row[] = {x * x * x, x * x, x, 1, seconds};
        add_run(&runs, XEON, 2, 1, n, seconds);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 5; j++)
                a[i][j] += row[i] * row[j];
        }
    }
    for (int pivot = 0; pivot < 4; pivot++) {
        for (int i = 0; i < 4; i++) {
            const long double factor = i == pivot ? 0 : a[i][pivot] / a[pivot][pivot];
            for (int j = pivot; j < 5; j++)
                a[i][j] -= factor * a[pivot][j];
        }
    }
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_NT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    for (int i = 0; i < 4; i++)
        assert_close(models.models[0].coefficients[i],
                     (double)(a[i][4] / a[i][i]) / pow(6400, 3 - i), 1e-8);
    mt_models_clear(&models);
}

static void npt_recovers_coefficients_without_single_nodes(void **state)
{
    (void)state;
    struct runs runs = {0};
    add_hpl_runs(&runs, XEON, 8, 1, 1);
    for (int s = 0; s < NSIZES; s++)
        runs.all[s].seconds *= 5; /* one node: must not count */
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 1);
    const struct mt_model *model = &models.models[0];
    for (int i = 0; i < 10; i++)
        assert_close(model->coefficients[i], truth[i], 1e-4);
    assert_int_equal(model->runs, 7 * NSIZES);
    assert_int_equal(model->ranks_low, 2);
    assert_close(mt_model_seconds(model, 9600, 24), hpl_seconds(9600, 24), 1e-8);
    mt_models_clear(&models);
}

static void pt_scales_its_reference(void **state)
{
    (void)state;
    struct runs runs = {0};
    for (int p = 1; p <= 5; p++) {
        for (int s = 0; s < NSIZES; s++) {
            const double n = sizes[s], g = 1e-9 * n * n * n + 1e-6 * n * n + 0.1;
            add_run(&runs, XEON, p, 1, n, g * (3.0 / p + 0.05 * p));
        }
    }
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_PT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    const struct mt_model *model = &models.models[0];
    const double reference = 3.0 / 2 + 0.05 * 2; /* the smallest P on two nodes */
    assert_close(model->coefficients[0], 3 / reference, 1e-6);
    assert_close(model->coefficients[1], 0.05 / reference, 1e-6);
    assert_close(mt_model_seconds(model, 9600, 16),
                 (1e-9 * pow(9600, 3) + 1e-6 * pow(9600, 2) + 0.1) *
                     (3.0 / 16 + 0.05 * 16),
                 1e-6);
    mt_models_clear(&models);
}

static void pt_needs_three_nt_models(void **state)
{
    (void)state;
    struct runs runs = {0};
    add_hpl_runs(&runs, XEON, 3, 1, 1);
    struct mt_models models = {0};
    struct mt_error err;
    const struct mt_fit_options options = {.kind = MT_MODEL_PT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err), MT_ERANK);
    assert_contains(err.text, "'xeon x1': 2 N-T models");
    assert_int_equal(models.nrefused, 1);
    assert_int_equal(models.count, 0);
    mt_models_clear(&models);
}

static void too_few_runs_are_refused(void **state)
{
    (void)state;
    struct runs runs = {0};
    add_run(&runs, XEON, 2, 1, 1000, 1);
    const char *const reasons[MT_NMODEL_KINDS] = {
        [MT_MODEL_NT] = "1 runs are too few for 4 terms",
        [MT_MODEL_PT] = "1 runs are too few for 4 terms", /* of N-T */
        [MT_MODEL_NPT] = "1 runs are too few for 10 terms",
    };
    for (int kind = MT_MODEL_NT; kind < MT_NMODEL_KINDS; kind++) {
        struct mt_models models = {0};
        struct mt_error err;
        const struct mt_fit_options options = {.kind = (enum mt_model_kind)kind};
        assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err), MT_ERANK);
        assert_contains(models.refused[0].reason, reasons[kind]);
        assert_contains(err.text, reasons[kind]);
        mt_models_clear(&models);
    }
}

static struct mt_prediction predict_auto(const struct mt_models *models, int nodes,
                                         double size)
{
    const struct mt_problem problem = {&case_cluster, &plain, models};
    const struct mt_configuration configuration = {
        .use[XEON] = {.nodes = nodes, .layout.processes = 1}};
    struct mt_prediction prediction;
    assert_int_equal(
        mt_models_predict(&problem, &configuration, size, &prediction, NULL), MT_OK);
    return prediction;
}

/* It tells little of other configurations. */
static void one_run_is_enough_for_auto(void **state)
{
    (void)state;
    struct runs runs = {0};
    struct mt_models models = {0};
    add_run(&runs, XEON, 2, 1, 1000, 1);
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    const struct mt_prediction there = predict_auto(&models, 2, 1000);
    const struct mt_prediction far = predict_auto(&models, 8, 1000);
    assert_close(there.seconds, 1, 0.05);
    assert_true(there.low < 1 && 1 < there.high);
    assert_true(far.high / far.low > 1.2 * there.high / there.low);
    mt_models_clear(&models);
}

/* But by auto, which knows that it knows little of others. */
static void one_size_is_refused(void **state)
{
    (void)state;
    struct runs runs = {0};
    for (int p = 1; p <= 8; p++) {
        add_run(&runs, XEON, p, 1, 1000, 10.0 / p);
        add_run(&runs, XEON, p, 1, 1000, 10.1 / p);
    }
    struct mt_models models = {0};
    struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    for (int p = 1; p <= 8; p++)
        assert_close(predict_auto(&models, p, 1000).seconds, 10.05 / p, 0.03);
    const struct mt_prediction other = predict_auto(&models, 4, 2000);
    assert_true(other.unseen && other.high > 4 * other.low);
    mt_models_clear(&models);
    options.kind = MT_MODEL_NPT;
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_ERANK);
    assert_contains(models.refused[0].reason, "only 3 of the 10 terms");
    mt_models_clear(&models);
}

static void auto_says_what_it_is_made_of(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name, .work = parse_expr("2/3*N^3")};
    struct runs runs = {0};
    struct mt_models models = {0};
    struct mt_explanation explanation = {0};
    double sum = 0;
    unsigned random = 5;
    struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    add_hpl_runs(&runs, XEON, 8, 1, 1);
    for (int i = 0; i < runs.count; i++)
        runs.all[i].seconds *= exp(0.05 * normal(&random));
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(mt_models_explain(&explanation, &models, NULL), MT_OK);
    assert_true(explanation.count > 1);
    for (int i = 0; i < explanation.count; i++) {
        sum += explanation.hypotheses[i].weight;
        assert_true(i == 0 || explanation.hypotheses[i].weight <=
                                  explanation.hypotheses[i - 1].weight);
        assert_contains(explanation.hypotheses[i].text, "work/P + 1");
    }
    assert_close(sum, 1, 1e-9);
    assert_close(explanation.compute + explanation.serial + explanation.messages, 1,
                 1e-9);
    assert_int_equal(explanation.ranks, 8);
    assert_true(explanation.size == 6400 && explanation.noise > 0 &&
                explanation.discrepancy > 0);
    mt_explanation_clear(&explanation);
    mt_models_clear(&models);

    options.kind = MT_MODEL_NPT;
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(mt_models_explain(&explanation, &models, NULL), MT_ENOTFOUND);
    mt_models_clear(&models);
    mt_expr_free(program.work);
}

static void quantiles_are_those_of_the_interval(void **state)
{
    (void)state;
    struct runs runs = {0};
    struct mt_models models = {0};
    struct mt_prediction prediction;
    struct mt_error err = {0};
    const struct mt_problem problem = {&case_cluster, &plain, &models};
    const struct mt_configuration configuration = {
        .use[XEON] = {.nodes = 8, .layout.processes = 1}};
    struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    double values[] = {0.05, 0.5, 0.95}, wrong = 1;
    add_hpl_runs(&runs, XEON, 4, 1, 1);
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(
        mt_models_predict(&problem, &configuration, 9600, &prediction, NULL), MT_OK);
    assert_int_equal(
        mt_models_quantiles(&problem, &configuration, 9600, values, 3, NULL), MT_OK);
    assert_true(values[0] == prediction.low && values[2] == prediction.high);
    assert_true(values[0] < values[1] && values[1] < values[2]);
    assert_int_equal(
        mt_models_quantiles(&problem, &configuration, 9600, &wrong, 1, &err),
        MT_EINVAL);
    assert_contains(err.text, "between 0 and 1, not 1");
    mt_models_clear(&models);
    options.kind = MT_MODEL_NPT;
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(
        mt_models_quantiles(&problem, &configuration, 9600, values, 3, &err),
        MT_EINVAL);
    assert_contains(err.text, "np-t models have no quantiles");
    mt_models_clear(&models);
}

/* More than auto can keep: those of one configuration, and a few of others. */
static void auto_keeps_every_configuration(void **state)
{
    (void)state;
    enum { MANY = 1500, FEW = 3 };
    struct runs runs = {0};
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    for (int i = 0; i < MANY; i++)
        add_run(&runs, CELERON, 1, 1, 1000 + i, 1e-3 * (1000 + i));
    for (int i = 0; i < FEW; i++) {
        add_run(&runs, XEON, 2 + i, 1, 1500, 1);
        add_run(&runs, XEON, 2, 2, 1500 + i, 1);
    }
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 3);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(models.models[i].group, "xeon");
        assert_int_equal(models.models[i].runs, FEW);
    }
    assert_true(models.models[2].runs > 480);
    assert_true(models.models[2].size_low == 1000 &&
                models.models[2].size_high == 1000 + MANY - 1);
    mt_models_clear(&models);
}

/* A size whose work is not a number cannot be fitted or predicted. */
static void impossible_work_is_an_error(void **state)
{
    (void)state;
    struct runs runs = {0};
    struct mt_models models = {0};
    struct mt_error err = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_program program = plain;
    const struct mt_problem problem = {&case_cluster, &program, &models};
    const struct mt_configuration one_node = {
        .use[XEON] = {.nodes = 1, .layout.processes = 1}};
    struct mt_prediction prediction;
    add_run(&runs, XEON, 1, 1, 400, 1);
    add_run(&runs, XEON, 1, 1, 800, 2);
    program.work = parse_expr("N-100");
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(mt_models_predict(&problem, &one_node, 100, &prediction, &err),
                     MT_ENOTFOUND);
    assert_contains(err.text, "not positive and finite at N = 100");
    mt_models_clear(&models);
    mt_expr_free(program.work);
    program.work = parse_expr("N-400");
    assert_int_equal(fit_runs(&models, &program, &runs, &options, &err), MT_EINVAL);
    assert_contains(err.text, "not positive: '0' at N = 400, P = 1");
    mt_expr_free(program.work);
}

/* Where the work is not known its powers overflow. */
static void endless_times_are_not_predicted(void **state)
{
    (void)state;
    struct runs runs = {0};
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    const struct mt_problem problem = {&case_cluster, &plain, &models};
    const struct mt_configuration one_node = {
        .use[XEON] = {.nodes = 1, .layout.processes = 1}};
    struct mt_prediction prediction;
    add_run(&runs, XEON, 1, 1, 400, 1);
    add_run(&runs, XEON, 1, 1, 800, 3);
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    for (double size = 1e110; size < 1e300; size *= 1e20)
        assert_int_equal(
            mt_models_predict(&problem, &one_node, size, &prediction, NULL),
            MT_ENOTFOUND);
    mt_models_clear(&models);
}

static void impossible_times_are_errors(void **state)
{
    (void)state;
    const double wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        for (int kind = 0; kind < MT_NMODEL_KINDS; kind++) {
            struct runs runs = {0};
            struct mt_models models = {0};
            struct mt_error err;
            add_hpl_runs(&runs, XEON, 4, 1, 1);
            const struct mt_fit_options options = {.kind = (enum mt_model_kind)kind};
            runs.all[9].seconds = wrong[i];
            assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err),
                             MT_EINVAL);
            assert_contains(err.text, "time of a run is not positive");
            runs.all[9].size = wrong[i];
            assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err),
                             MT_EINVAL);
            assert_contains(err.text, "size of a run is not positive");
            runs.count = 0;
            assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err),
                             MT_ENOTFOUND);
            assert_contains(err.text, "no runs");
        }
    }
}

static void terms_without_a_value_are_refused(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name,
                                 .terms_npt = parse_terms("N/(P-3), 1")};
    struct runs runs = {0};
    struct mt_models models = {0};
    add_hpl_runs(&runs, XEON, 4, 1, 1);
    const struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    struct mt_error err;
    assert_int_not_equal(fit_runs(&models, &program, &runs, &options, &err), MT_OK);
    assert_contains(err.text, "N/(P-3)");
    assert_contains(err.text, "has no value at N = 400, P = 3");
    mt_models_clear(&models);
    mt_terms_free(program.terms_npt);
}

/* Only the models that need the value. */
static void terms_without_a_value_spare_the_others(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name,
                                 .terms_npt = parse_terms("N^3/P, log(P-3), 1")};
    struct runs runs = {0};
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    add_hpl_runs(&runs, XEON, 4, 1, 1);
    add_hpl_runs(&runs, XEON, 4, 2, 1);
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 1);
    assert_int_equal(models.models[0].layout.processes, 2);
    assert_int_equal(models.nrefused, 1);
    assert_string_equal(models.refused[0].subject, "xeon x1");
    assert_contains(models.refused[0].reason, "term 'log(P-3)' has no value at N");
    mt_models_clear(&models);
    mt_terms_free(program.terms_npt);
}

/* Every model holds finite numbers, whatever the magnitudes, or is refused. */
static void coefficients_are_finite(void **state)
{
    (void)state;
    static const double magnitudes[] = {1e-300, 1e-9, 1, 0x1p40, 1e300};
    enum { MAGNITUDES = sizeof magnitudes / sizeof *magnitudes };
    struct mt_program program = {.name = program_name,
                                 .terms_nt = parse_terms("N, 1"),
                                 .terms_npt = parse_terms("N/P, N, 1")};
    int fitted = 0;
    for (int i = 0; i < MAGNITUDES * MAGNITUDES * MT_NMODEL_KINDS; i++) {
        const double size = magnitudes[i % MAGNITUDES];
        const double seconds = magnitudes[i / MAGNITUDES % MAGNITUDES];
        const struct mt_fit_options options = {
            .kind = (enum mt_model_kind)(i / MAGNITUDES / MAGNITUDES)};
        struct runs runs = {0};
        struct mt_models models = {0};
        for (int p = 1; p <= 6; p++) {
            for (int s = 1; s <= 5; s++)
                add_run(&runs, XEON, p, 1, s * size, (s + 1.0 / p) * seconds);
        }
        const int status = fit_runs(&models, &program, &runs, &options, NULL);
        assert_true(status == MT_OK || status == MT_ERANK);
        fitted += status == MT_OK;
        for (int m = 0; m < models.count; m++) {
            const struct mt_model *model = &models.models[m];
            assert_true(isfinite(model->residual));
            for (int t = 0; model->terms && t < mt_terms_count(model->terms); t++)
                assert_true(isfinite(model->coefficients[t]));
        }
        mt_models_clear(&models);
    }
    assert_true(fitted >= 9 * MT_NMODEL_KINDS); /* all but the extremes */
    mt_terms_free(program.terms_nt);
    mt_terms_free(program.terms_npt);
}

static void glitches_are_left_out(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name, .work = parse_expr("2/3*N^3")};
    struct runs runs = {0};
    add_hpl_runs(&runs, XEON, 5, 1, 1);
    runs.all[4 * NSIZES + 6].seconds *= 2; /* 5 nodes, N = 3200 */
    struct mt_models models = {0};
    struct mt_error err;
    struct mt_fit_options options = {.kind = MT_MODEL_NPT, .glitch_k = 0.8};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, &err), MT_EINVAL);
    assert_contains(err.text, "without the program's work: 'lu'");
    for (int kind = 0; kind < MT_NMODEL_KINDS; kind++) {
        options.kind = (enum mt_model_kind)kind;
        assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
        assert_int_equal(models.ndropped, 1);
        assert_string_equal(models.dropped[0].configuration, "xeon:5x1");
        assert_true(models.dropped[0].size == 3200);
        assert_contains(models.dropped[0].reason, "0.52 of the best");
        /* N-T tolerates none unless told, and P-T is made of N-T models. */
        assert_int_equal(models.nrefused, kind == MT_MODEL_NT || kind == MT_MODEL_PT);
        if (kind == MT_MODEL_NPT)
            assert_close(mt_model_seconds(&models.models[0], 3200, 5),
                         hpl_seconds(3200, 5), 1e-6);
        if (kind == MT_MODEL_PT)
            assert_int_equal(models.models[0].ranks_high, 4);
        mt_models_clear(&models);
    }
    options = (struct mt_fit_options){
        .kind = MT_MODEL_NT, .glitch_k = 0.8, .glitch_tolerance = 1};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.nrefused, 0);
    mt_models_clear(&models);
    mt_expr_free(program.work);
}

static void negative_models_are_refused_when_asked(void **state)
{
    (void)state;
    struct runs runs = {0};
    for (int s = 0; s < NSIZES; s++)
        add_run(&runs, XEON, 1, 1, sizes[s],
                1 + 1e-6 * sizes[s] * sizes[s] - 1e-11 * pow(sizes[s], 3));
    struct mt_models models = {0};
    struct mt_fit_options options = {.kind = MT_MODEL_NT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    mt_models_clear(&models);
    options.refuse_negative = true;
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_ERANK);
    assert_contains(models.refused[0].reason, "coefficient of 'N^3' is negative");
    mt_models_clear(&models);
}

static void split_gives_models_of_their_own(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name,
                                 .split = parse_expr("P % 3 == 0")};
    struct runs runs = {0};
    for (int i = 0; i < 2; i++)
        add_hpl_runs(&runs, XEON, 8, 1 + i, 1);
    for (int i = 0; i < runs.count; i++) {
        if (mt_configuration_ranks(&runs.all[i].configuration) % 3 == 0)
            runs.all[i].seconds *= 10;
    }
    struct mt_models models = {0};
    struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    const struct mt_model *other = mt_models_find(
        &models, &program, "xeon", (struct mt_layout){.processes = 1}, 4);
    assert_non_null(other);
    assert_int_equal(other->split, 0);
    assert_close(mt_model_seconds(other, 3200, 4), hpl_seconds(3200, 4), 1e-3);
    /* Two values of P do not give ten terms. */
    assert_null(mt_models_find(&models, &program, "xeon",
                               (struct mt_layout){.processes = 1}, 6));
    assert_contains(models.refused[0].subject, "xeon x1 where P % 3 == 0");
    mt_models_clear(&models);
    options.kind = MT_MODEL_AUTO;
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.models[0].split, -1);
    assert_ptr_equal(mt_models_find(&models, &program, "xeon",
                                    (struct mt_layout){.processes = 1}, 6),
                     mt_models_find(&models, &program, "xeon",
                                    (struct mt_layout){.processes = 1}, 4));
    mt_models_clear(&models);
    mt_expr_free(program.split);
}

static void order_of_runs_does_not_matter(void **state)
{
    (void)state;
    struct runs forward = {0}, backward = {0};
    unsigned random = 3;
    add_hpl_runs(&forward, XEON, 8, 1, 1);
    add_hpl_runs(&forward, CELERON, 8, 1, 2);
    for (int i = 0; i < forward.count; i++)
        forward.all[i].seconds *= 1 + 0.02 * normal(&random);
    backward.count = forward.count;
    for (int i = 0; i < forward.count; i++)
        backward.all[i] = forward.all[forward.count - 1 - i];
    for (int kind = 0; kind < MT_NMODEL_KINDS; kind++) {
        struct mt_models a = {0}, b = {0};
        const struct mt_fit_options options = {.kind = (enum mt_model_kind)kind};
        assert_int_equal(fit_runs(&a, &plain, &forward, &options, NULL), MT_OK);
        assert_int_equal(fit_runs(&b, &plain, &backward, &options, NULL), MT_OK);
        assert_int_equal(a.count, b.count);
        for (int m = 0; kind != MT_MODEL_AUTO && m < a.count; m++)
            assert_memory_equal(a.models[m].coefficients, b.models[m].coefficients,
                                (size_t)mt_terms_count(a.models[m].terms) *
                                    sizeof(double));
        for (int p = 1; kind == MT_MODEL_AUTO && p <= 8; p++)
            assert_true(predict_auto(&a, p, 9600).seconds ==
                        predict_auto(&b, p, 9600).seconds);
        mt_models_clear(&a);
        mt_models_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nt_recovers_coefficients),
        cmocka_unit_test(nt_takes_mixed_configurations),
        cmocka_unit_test(nt_solves_the_normal_equations),
        cmocka_unit_test(npt_recovers_coefficients_without_single_nodes),
        cmocka_unit_test(pt_scales_its_reference),
        cmocka_unit_test(pt_needs_three_nt_models),
        cmocka_unit_test(too_few_runs_are_refused),
        cmocka_unit_test(one_run_is_enough_for_auto),
        cmocka_unit_test(one_size_is_refused),
        cmocka_unit_test(auto_says_what_it_is_made_of),
        cmocka_unit_test(quantiles_are_those_of_the_interval),
        cmocka_unit_test(auto_keeps_every_configuration),
        cmocka_unit_test(impossible_work_is_an_error),
        cmocka_unit_test(endless_times_are_not_predicted),
        cmocka_unit_test(impossible_times_are_errors),
        cmocka_unit_test(terms_without_a_value_are_refused),
        cmocka_unit_test(terms_without_a_value_spare_the_others),
        cmocka_unit_test(coefficients_are_finite),
        cmocka_unit_test(glitches_are_left_out),
        cmocka_unit_test(negative_models_are_refused_when_asked),
        cmocka_unit_test(split_gives_models_of_their_own),
        cmocka_unit_test(order_of_runs_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
