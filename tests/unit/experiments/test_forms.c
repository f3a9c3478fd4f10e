/* SPDX-License-Identifier: BSD-3-Clause */
/* The rival of forms N^i log2(N)^j (experiments/blind). */
#include "experiments/blind/forms.h"
#include "tests/unit/test.h"

enum { MOST = 64 };

static struct mt_group groups[2];
static struct mt_layout one_process[] = {{.processes = 1}};
static struct mt_cluster cluster = {.groups = groups, .ngroups = 2};
static struct mt_program program;
static struct mt_sample runs[MOST];

static void add_runs(struct mt_samples *samples, int group, const int *nodes,
                     int nnodes, double (*seconds)(double size, int ranks))
{
    const double sizes[] = {100, 200, 400, 800, 1600};
    samples->samples = runs;
    for (int s = 0; s < 5; s++)
        for (int n = 0; n < nnodes; n++) {
            struct mt_sample *run = &runs[samples->count++];
            *run = (struct mt_sample){.size = sizes[s],
                                      .seconds = seconds(sizes[s], nodes[n])};
            run->configuration.use[group] =
                (struct mt_use){.nodes = nodes[n], .layout.processes = 1};
        }
}

static double cubic(double size, int ranks)
{
    return 0.5 + 1e-9 * size * size * size / ranks;
}

static double with_logarithms(double size, int ranks)
{
    return 0.01 + 2e-6 * pow(size, 1.5) * log2(size) + 0.003 * log2(ranks);
}

static double of_one_size(double size, int ranks)
{
    return 1 + 0.01 * size * ranks;
}

static int set_up(void **state)
{
    (void)state;
    for (int g = 0; g < 2; g++)
        groups[g] = (struct mt_group){.name = strdup(g ? "b" : "a"),
                                      .nodes = 8,
                                      .layouts = one_process,
                                      .nlayouts = 1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(groups[0].name);
    free(groups[1].name);
    return 0;
}

static void check(double (*seconds)(double size, int ranks), double size, int ranks)
{
    const int nodes[] = {1, 2, 4, 8};
    struct mt_samples samples = {0};
    struct mt_models models = {0};
    struct mt_error err;
    add_runs(&samples, 1, nodes, 4, seconds);
    assert_int_equal(forms_fit(&models, &cluster, &program, &samples, &err), MT_OK);
    assert_int_equal(models.count, 1);
    assert_string_equal(models.models[0].group, "b");
    assert_close(mt_model_seconds(&models.models[0], size, ranks), seconds(size, ranks),
                 1e-3);
    mt_models_clear(&models);
}

/* Far beyond what was seen, as the very form is found. */
static void finds_the_form_of_a_product(void **state)
{
    (void)state;
    check(cubic, 6400, 8);
    check(cubic, 6400, 16);
    check(of_one_size, 6400, 16);
}

static void finds_the_form_of_a_sum(void **state)
{
    (void)state;
    check(with_logarithms, 6400, 16);
}

static void needs_three_sizes(void **state)
{
    (void)state;
    const int nodes[] = {1, 2, 4, 8};
    struct mt_samples samples = {0};
    struct mt_models models = {0};
    struct mt_error err;
    add_runs(&samples, 0, nodes, 4, cubic);
    samples.count = 8; /* two sizes */
    assert_int_equal(forms_fit(&models, &cluster, &program, &samples, &err), MT_OK);
    assert_int_equal(models.count, 0);
    mt_models_clear(&models);
}

/* Of what was run on one P nothing is said about any other. */
static void keeps_to_a_single_p(void **state)
{
    (void)state;
    const int nodes[] = {4};
    struct mt_samples samples = {0};
    struct mt_models models = {0};
    struct mt_error err;
    add_runs(&samples, 0, nodes, 1, cubic);
    assert_int_equal(forms_fit(&models, &cluster, &program, &samples, &err), MT_OK);
    assert_int_equal(models.count, 1);
    assert_close(mt_model_seconds(&models.models[0], 3200, 4), cubic(3200, 4), 1e-3);
    assert_true(isnan(mt_model_seconds(&models.models[0], 3200, 8)));
    mt_models_clear(&models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_form_of_a_product),
        cmocka_unit_test(finds_the_form_of_a_sum),
        cmocka_unit_test(needs_three_sizes),
        cmocka_unit_test(keeps_to_a_single_p),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
