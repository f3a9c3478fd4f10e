/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a fit: terms, sizes, split, and the list of what was left out. */
#include "fit_cases.h"
#include "lib/model/internal.h"
#include "tests/unit/test.h"

#include <stdlib.h>

static const double sizes[] = {400, 600, 800, 1200, 1600, 2400};
enum { NSIZES = sizeof sizes / sizeof *sizes };

static double seconds(double n, int p)
{
    return 1e-9 * n * n * n / p + 1e-8 * n * n;
}

/* Runs of one group on 1 .. nodes nodes. */
static void add_runs(struct runs *runs, int group, int nodes)
{
    for (int p = 1; p <= nodes; p++)
        for (int s = 0; s < NSIZES; s++)
            add_run(runs, group, p, 1, sizes[s], seconds(sizes[s], p));
}

static const struct mt_program plain = {.name = program_name};

static void terms_replace_the_programs(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name,
                                 .terms_nt = parse_terms("N^3, N^2"),
                                 .terms_npt = parse_terms("N, 1")};
    struct runs runs = {0};
    add_runs(&runs, XEON, 5);
    struct mt_models models = {0};
    char terms[] = "N^3/P, N^2";
    struct mt_fit_options options = {.kind = MT_MODEL_NPT, .terms = terms};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_string_equal(models.models[0].terms_text, "N^3/P, N^2");
    assert_close(models.models[0].coefficients[0], 1e-9, 1e-9);
    assert_close(models.models[0].coefficients[1], 1e-8, 1e-9);
    assert_string_equal(models.options.terms, terms); /* a copy */
    assert_true(models.options.terms != terms);
    mt_models_clear(&models);
    char joined[] = "T/P, T";
    options = (struct mt_fit_options){.kind = MT_MODEL_PT, .terms = joined};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_string_equal(models.models[0].terms_text, "T/P, T");
    assert_string_equal(models.models[0].reference_terms_text, "N^3, N^2");
    mt_models_clear(&models);
    mt_terms_free(program.terms_nt);
    mt_terms_free(program.terms_npt);
}

static void terms_that_do_not_suit_the_kind_are_errors(void **state)
{
    (void)state;
    static const struct {
        enum mt_model_kind kind;
        const char *terms, *expected;
    } cases[] = {
        {MT_MODEL_NT, "N^3, N*P", "term 'N*P' of n-t models cannot depend on P"},
        {MT_MODEL_PT, "T/P, N", "term 'N' of p-t models cannot depend on N"},
        {MT_MODEL_NPT, "T", "term 'T' of np-t models cannot depend on T"},
        {MT_MODEL_NPT, "N*M", "cannot depend on M"},
        {MT_MODEL_NPT, "N^", "column"},
        {MT_MODEL_AUTO, "N", "auto models take no terms: 'N'"},
    };
    struct runs runs = {0};
    add_runs(&runs, XEON, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_models models = {0};
        struct mt_error err;
        char terms[16];
        snprintf(terms, sizeof terms, "%s", cases[i].terms);
        const struct mt_fit_options options = {.kind = cases[i].kind, .terms = terms};
        assert_true(fit_runs(&models, &plain, &runs, &options, &err) != MT_OK);
        assert_contains(err.text, cases[i].expected);
        assert_int_equal(models.nrefused, 0);
    }
}

static void runs_at_other_sizes_do_not_count(void **state)
{
    (void)state;
    double wanted[] = {400, 600, 800, 1200};
    const struct mt_fit_options options = {
        .kind = MT_MODEL_NT, .sizes = wanted, .nsizes = 4};
    struct runs runs = {0};
    add_runs(&runs, XEON, 1);
    runs.all[NSIZES - 1].seconds = 1e6;
    struct mt_models models = {0};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.models[0].runs, 4);
    assert_true(models.models[0].size_high == 1200);
    assert_close(mt_model_seconds(&models.models[0], 2400, 1), seconds(2400, 1), 1e-6);
    assert_true(models.options.nsizes == 4 && models.options.sizes[3] == 1200);
    mt_models_clear(&models);
    struct mt_error err;
    double others[] = {500};
    const struct mt_fit_options none = {.sizes = others, .nsizes = 1};
    assert_int_equal(fit_runs(&models, &plain, &runs, &none, &err), MT_ENOTFOUND);
    assert_contains(err.text, "no runs at the training sizes");
}

static void without_split_one_model_answers_for_every_p(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name,
                                 .split = parse_expr("P % 3 == 0"),
                                 .terms_npt = parse_terms("N^3/P, N^2")};
    struct runs runs = {0};
    add_runs(&runs, XEON, 7);
    struct mt_models models = {0};
    struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 2);
    mt_models_clear(&models);
    options.no_split = true;
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 1);
    for (int p = 3; p <= 4; p++)
        assert_true(mt_models_find(&models, &program, "xeon",
                                   (struct mt_layout){.processes = 1},
                                   p) == models.models);
    mt_models_clear(&models);
    mt_expr_free(program.split);
    mt_terms_free(program.terms_npt);
}

static void pt_joins_as_many_models_as_it_has_terms(void **state)
{
    (void)state;
    char terms[] = "T/P, 1";
    struct runs runs = {0};
    add_runs(&runs, XEON, 3); /* two of them on two nodes or more */
    struct mt_models models = {0};
    struct mt_fit_options options = {.kind = MT_MODEL_PT};
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_ERANK);
    assert_string_equal(models.refused[0].subject, "xeon x1");
    assert_contains(models.refused[0].reason, "2 N-T models");
    assert_contains(models.refused[0].reason, "3 are needed");
    mt_models_clear(&models);
    options.terms = terms;
    assert_int_equal(fit_runs(&models, &plain, &runs, &options, NULL), MT_OK);
    mt_models_clear(&models);
}

static void pt_tells_which_nt_models_it_lacks(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name, .work = parse_expr("N^3")};
    struct runs runs = {0};
    add_runs(&runs, XEON, 5);
    runs.all[2 * NSIZES + 4].seconds *= 3; /* three nodes */
    struct mt_models models = {0};
    const struct mt_fit_options options = {.kind = MT_MODEL_PT, .glitch_k = 0.8};
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_int_equal(models.count, 1);
    assert_int_equal(models.nrefused, 1);
    assert_string_equal(models.refused[0].subject, "N-T of xeon:3x1");
    assert_string_equal(models.refused[0].reason, "1 glitch, more than 0");
    mt_models_clear(&models);
    mt_expr_free(program.work);
}

static void glitches_of_unused_runs_are_not_listed(void **state)
{
    (void)state;
    struct mt_program program = {.name = program_name, .work = parse_expr("N^3")};
    struct runs runs = {0};
    add_runs(&runs, XEON, 6);
    runs.all[4].seconds *= 3;          /* one node: no run of P-T or NP-T */
    for (int s = 0; s < NSIZES; s++) { /* mixed: likewise */
        add_run(&runs, XEON, 2, 1, sizes[s], seconds(sizes[s], 4) * (1 + 2 * (s == 4)));
        runs.all[runs.count - 1].configuration.use[CELERON] =
            (struct mt_use){.nodes = 2, .layout.processes = 1};
    }
    const int expected[MT_NMODEL_KINDS] = {
        [MT_MODEL_NT] = 2, [MT_MODEL_PT] = 0, [MT_MODEL_NPT] = 0};
    for (int kind = MT_MODEL_NT; kind < MT_NMODEL_KINDS; kind++) {
        struct mt_models models = {0};
        const struct mt_fit_options options = {.kind = (enum mt_model_kind)kind,
                                               .glitch_k = 0.8};
        assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
        assert_int_equal(models.ndropped, expected[kind]);
        mt_models_clear(&models);
    }
    mt_expr_free(program.work);
}

static struct mt_sample run(int nodes, double size, double seconds)
{
    return (struct mt_sample){
        .configuration = {.use[0] = {.nodes = nodes, .layout.processes = 1}},
        .size = size,
        .seconds = seconds};
}

static void measured_is_the_median_of_each_place(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(2, 100, 40), run(1, 100, 7), run(2, 100, 25),
                               run(2, 50, 3),   run(2, 50, 9),  run(2, 100, 26)};
    const struct mt_samples samples = {.samples = runs, .count = 6};
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &samples, NULL, 0, NULL), MT_OK);
    assert_int_equal(list.count, 3);
    assert_true(list.all[0].size == 50 && list.all[2].size == 100);

    const struct mt_measured *of_three =
        mt_measured_at(&list, &runs[0].configuration, 100);
    assert_int_equal(of_three->runs, 3);
    assert_true(of_three->seconds == 26);
    const struct mt_measured *of_two =
        mt_measured_at(&list, &runs[0].configuration, 50);
    assert_true(of_two->runs == 2 && of_two->seconds == 6);
    assert_null(mt_measured_at(&list, &runs[1].configuration, 50));
    mt_measured_clear(&list);
}

static void sizes_that_are_not_asked_for_are_left_out(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(1, 100, 7), run(1, 50, 3)};
    const struct mt_samples samples = {.samples = runs, .count = 2};
    const double measured[] = {50, 200};
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &samples, measured, 2, NULL), MT_OK);
    assert_int_equal(list.count, 1);
    assert_true(list.all[0].size == 50);
    mt_measured_clear(&list);
}

static void nothing_was_measured(void **state)
{
    (void)state;
    const struct mt_samples none = {.count = 0};
    const struct mt_sample any = run(1, 50, 3);
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &none, NULL, 0, NULL), MT_OK);
    assert_null(mt_measured_at(&list, &any.configuration, 50));
    mt_measured_clear(&list);
}

static void failed_is_what_never_succeeded_there(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(1, 50, 3)};
    struct mt_sample failed[] = {run(1, 50, 0), run(2, 50, 0)};
    const struct mt_samples samples = {
        .samples = runs, .count = 1, .failed = failed, .nfailed = 2};
    assert_false(mt_samples_failed(&samples, &failed[0].configuration, 50));
    assert_true(mt_samples_failed(&samples, &failed[1].configuration, 50));
    assert_false(mt_samples_failed(&samples, &failed[1].configuration, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_replace_the_programs),
        cmocka_unit_test(terms_that_do_not_suit_the_kind_are_errors),
        cmocka_unit_test(runs_at_other_sizes_do_not_count),
        cmocka_unit_test(without_split_one_model_answers_for_every_p),
        cmocka_unit_test(pt_joins_as_many_models_as_it_has_terms),
        cmocka_unit_test(pt_tells_which_nt_models_it_lacks),
        cmocka_unit_test(glitches_of_unused_runs_are_not_listed),
        cmocka_unit_test(measured_is_the_median_of_each_place),
        cmocka_unit_test(sizes_that_are_not_asked_for_are_left_out),
        cmocka_unit_test(nothing_was_measured),
        cmocka_unit_test(failed_is_what_never_succeeded_there),
    };
    return cmocka_run_group_tests_name("fit_options", tests, NULL, NULL);
}
