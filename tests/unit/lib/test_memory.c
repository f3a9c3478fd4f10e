/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whenever an allocation fails, the call that needed it says so and nothing is lost:
 * every case below is run once for each allocation that it makes, which then fails.
 * The linker sends the library's allocations to the functions here (ld --wrap).
 */
#include "lib/learn/internal.h"
#include "lib/model/internal.h"
#include "lib/partition/internal.h"
#include "lib/plan/evaluation.h"
#include "lib/plan/internal.h"
#include "lib/store/internal.h"
#include "lib/surface/internal.h"
#include "tests/unit/lib/model/fit_cases.h"
#include "tests/unit/surface_cases.h"

#include "lib/base/hostlist.h"

#include <unistd.h>

/* How many allocations succeed before one fails; negative: all do. */
static long successes_left = -1;
static bool has_failed;

static bool fails(void)
{
    if (successes_left < 0 || successes_left-- > 0)
        return false;
    has_failed = true;
    return true;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
FILE *__wrap_open_memstream(char **text, size_t *size);
int __wrap_asprintf(char **text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
    return fails() ? NULL : __real_strndup(text, length);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return fails() ? NULL : __real_open_memstream(text, size);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    if (fails())
        return -1;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Do something and undo it. */
typedef int try_it(struct mt_error *err);

/* Fail each of the first hundred allocations, then ever fewer: later ones repeat
   themselves. */
static void assert_survives(try_it *try)
{
    for (long allocation = 0;; allocation += 1 + allocation / 100) {
        struct mt_error err = {0};
        has_failed = false;
        successes_left = allocation;
        const int status = try(&err);
        successes_left = -1;
        if (!has_failed) {
            assert_int_equal(status, MT_OK);
            assert_true(allocation > 0);
            return;
        }
        if (status != MT_ENOMEM)
            fail_msg("allocation %ld fails: status %d, '%s'", allocation, status,
                     err.text);
        assert_contains(err.text, "no memory");
    }
}

static struct runs runs;
static struct mt_program program;
static struct mt_models models;
static struct mt_fit_options options = {.glitch_k = 0.8, .glitch_tolerance = 1};

/* Runs with a glitch, of a program with terms and a split of its own. */
static int set_up(void **state)
{
    (void)state;
    program = (struct mt_program){.name = strdup(program_name),
                                  .work = parse_expr("N^3"),
                                  .split = parse_expr("P % 7 == 0"),
                                  .terms_npt = parse_terms("N^3/P, P*N, 1")};
    for (int group = XEON; group <= CELERON; group++)
        for (int nodes = 1; nodes <= 6; nodes++)
            for (int size = 1; size <= 6; size++)
                add_run(&runs, group, nodes, 1, 1000 * size,
                        1e-9 * pow(1000 * size, 3) / nodes + 1e-6 * nodes * size + 1 +
                            (size == 5 && nodes == 3 ? 1000 : 0));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mt_program_clear(&program);
    return 0;
}

static int try_cluster(struct mt_error *err)
{
    char path[512];
    struct mt_cluster cluster = {0};
    snprintf(path, sizeof path, "%s/clusters/toyohashi-2.yaml",
             getenv("MOTLEY_SOURCE"));
    const int status = mt_cluster_load(&cluster, path, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int try_machine(struct mt_error *err)
{
    char path[512];
    struct mt_machine machine = {0};
    snprintf(path, sizeof path, "%s/machines/cenju-3.yaml", getenv("MOTLEY_SOURCE"));
    const int status = mt_machine_load(&machine, path, err);
    mt_machine_clear(&machine);
    return status;
}

static struct surface_case ap1000;

static int try_surface(struct mt_error *err)
{
    struct mt_surface *surface = NULL;
    struct mt_cliffs of_sizes = {0}, of_nodes = {0};
    struct mt_crossings crossings = {0};
    const struct mt_span sizes = {2, 3000}, nodes = {1, 20};
    double two[] = {4, 16}, half = 0.5;
    const struct mt_axis axis = {two, 2};
    const struct mt_survey_request request = {
        .nodes = &axis, .sizes = &axis, .base = 16, .levels = &half, .nlevels = 1};
    struct mt_survey survey = {0};
    struct mt_comparison comparison = {.surfaces = {ap1000.surface, ap1000.surface}};
    int status = mt_surface_make(&surface, &ap1000.machine, &ap1000.algorithm, err);
    if (status == MT_OK)
        status = mt_cliffs_of_sizes(&of_sizes, surface, 2, sizes, err);
    if (status == MT_OK)
        status = mt_cliffs_of_nodes(&of_nodes, surface, 64, nodes, err);
    if (status == MT_OK)
        status = mt_crossings_find(&crossings, surface, ap1000.surface, 64, nodes, err);
    if (status == MT_OK)
        status = mt_survey_make(&survey, surface, &request, err);
    if (status == MT_OK)
        status = mt_comparison_make(&comparison, &axis, &axis, err);
    mt_comparison_clear(&comparison);
    mt_survey_clear(&survey);
    mt_crossings_clear(&crossings);
    mt_cliffs_clear(&of_nodes);
    mt_cliffs_clear(&of_sizes);
    mt_surface_free(surface);
    return status;
}

/* On one node: a few hundred allocations, not tens of thousands. */
static int try_learn(struct mt_error *err)
{
    struct mt_learn_run from[5];
    struct mt_learned learned = {0};
    for (int i = 0; i < 5; i++) {
        const double size = 64 << i;
        from[i] = (struct mt_learn_run){size, 1,
                                        mt_surface_at(ap1000.surface, size, 1).seconds};
    }
    const int status = mt_learn(&learned, &ap1000.algorithm.shape, from, 5, NULL, err);
    mt_learned_clear(&learned);
    return status;
}

static int try_program(struct mt_error *err)
{
    char path[512];
    struct mt_program loaded = {0};
    snprintf(path, sizeof path, "%s/programs/lu.yaml", getenv("MOTLEY_SOURCE"));
    const int status = mt_program_load(&loaded, path, err);
    mt_program_clear(&loaded);
    return status;
}

static int try_hosts(struct mt_error *err)
{
    struct mt_hostlist list = {0};
    int status = mt_hostlist_parse(&list, "x[01-09],y1,z[1-3,7]", err);
    if (status == MT_OK) {
        char *text = mt_hostlist_format(list.hosts, list.count);
        if (!text)
            status = mt_fail(err, MT_ENOMEM, "no memory");
        free(text);
    }
    mt_hostlist_clear(&list);
    return status;
}

static int try_fit(struct mt_error *err)
{
    struct mt_models made = {0};
    const int status = fit_runs(&made, &program, &runs, &options, err);
    mt_models_clear(&made);
    return status;
}

static int try_plan(struct mt_error *err)
{
    struct mt_plan plan = {0};
    const struct mt_question question = {.size = 9600, .top = 5};
    const struct mt_problem problem = {&case_cluster, &program, &models};
    const int status = mt_plan_search(&plan, &problem, &question, err);
    mt_plan_clear(&plan);
    return status;
}

static int try_exhaustive_plan(struct mt_error *err)
{
    struct mt_plan plan = {0};
    const struct mt_question question = {.size = 9600};
    const struct mt_predictor bare = {.problem = {&case_cluster, &program, &models}};
    const int status = mt_plan_exhaustive(&plan, &bare, &question, true, err);
    mt_plan_clear(&plan);
    return status;
}

/* A missing plan is explained, but only after the search. */
static int try_impossible_plan(struct mt_error *err)
{
    struct mt_plan plan = {0};
    const struct mt_question question = {
        .size = 9600, .deadline = 1e-6, .max_nodes = 3};
    const struct mt_problem problem = {&case_cluster, &program, &models};
    const int status = mt_plan_search(&plan, &problem, &question, err);
    return status == MT_EINFEASIBLE ? MT_OK : status;
}

static int use_store(struct mt_store *store, struct mt_error *err)
{
    struct mt_models stored = {0};
    struct mt_fitted_list list = {0};
    struct mt_runs found = {0};
    int status = mt_store_put_models(store, "c", "p", &models, err);
    if (status == MT_OK)
        status = mt_store_get_models(store, "c", "p", models.kind, &stored, err);
    if (status == MT_OK)
        status = mt_store_fitted(store, &list, NULL, NULL, err);
    if (status == MT_OK)
        status = mt_store_runs(store, &found, &(struct mt_run_filter){0}, err);
    mt_models_clear(&stored);
    mt_fitted_clear(&list);
    mt_runs_clear(&found);
    return status;
}

static int try_store(struct mt_error *err)
{
    char path[] = "/tmp/motley-memory-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, path, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = use_store(store, err);
    mt_store_close(store);
    unlink(path);
    return status;
}

/* A store with runs of a few nodes, one of them of both groups. */
static struct mt_store *measured;
static struct mt_cluster named;

static void store_runs(const char *path)
{
    assert_int_equal(mt_store_open(&measured, path, MT_STORE_WRITE, NULL), MT_OK);
    for (int i = 0; i < 13; i++) {
        char text[32];
        struct mt_run run = {.cluster = named.name,
                             .program = program.name,
                             .configuration = text,
                             .size = 1000 * (1 + i % 3),
                             .repetition = 1,
                             .seconds = 1 + i,
                             .launcher = named.name};
        snprintf(text, sizeof text, "%s:%dx1", i < 6 ? "xeon" : "celeron",
                 1 + i / 3 % 2);
        if (i == 12)
            snprintf(text, sizeof text, "xeon:2x1+celeron:2x1");
        assert_int_equal(mt_store_add_run(measured, &run, NULL), MT_OK);
    }
}

static int use_predictor(const struct mt_predictor *predictor, struct mt_error *err)
{
    const double sizes[] = {2000, 8000};
    const struct mt_question question = {.size = 4000, .top = 3};
    struct mt_plan plan = {0};
    struct mt_plan_map map = {0};
    int status = mt_plan_make(&plan, predictor, &question, false, err);
    if (status == MT_OK)
        status = mt_plan_map_find(&map, predictor, &question, sizes, 2, err);
    mt_plan_map_clear(&map);
    mt_plan_clear(&plan);
    return status;
}

static int try_predictor(struct mt_error *err)
{
    struct mt_predictor predictor = {0};
    int status =
        mt_predictor_load(&predictor, measured, &named, &program, MT_MODEL_AUTO, err);
    if (status == MT_OK)
        status = use_predictor(&predictor, err);
    mt_predictor_clear(&predictor);
    return status;
}

static int try_evaluation(struct mt_error *err)
{
    const struct mt_fit_options none = {.kind = MT_MODEL_AUTO};
    const double sizes[] = {1000, 3000};
    struct mt_samples samples = {0};
    struct mt_measured_list list = {0};
    struct mt_evaluation evaluation = {0};
    const struct mt_truth truth = {&named, &program, &samples, &list, false};
    int status = mt_store_samples(measured, &samples, &named, program.name, err);
    if (status == MT_OK)
        status = mt_measured_find(&list, &samples, sizes, 2, err);
    if (status == MT_OK)
        status = mt_evaluate(&evaluation, &truth, &none, err);
    mt_evaluation_clear(&evaluation);
    mt_measured_clear(&list);
    mt_samples_clear(&samples);
    return status;
}

static int copy_partition(const struct mt_partition *partition, struct mt_error *err)
{
    struct mt_partition again = {0};
    FILE *stream = tmpfile();
    assert_non_null(stream);
    mt_partition_write(partition, stream);
    rewind(stream);
    const int status = mt_partition_read(&again, stream, "copy", err);
    fclose(stream);
    mt_partition_clear(&again);
    return status;
}

/* Fit speeds, partition in all ways, predict, write and read. */
static int try_partitions(struct mt_error *err)
{
    enum { RANKS = 3 };
    static const struct mt_strassen_sample samples[] = {
        {1000, 1, 0}, {2000, 7, 0}, {2000, 6, 1}};
    static const struct mt_partition_product product = {900, 800, 700};
    struct mt_strassen_speed speeds[RANKS];
    int status = mt_strassen_speed_fit(&speeds[0], samples, 3, err);
    speeds[1] = speeds[2] = speeds[0];
    speeds[1].flops *= 2;
    const struct mt_partition_cluster cluster = {RANKS, speeds, {1e-4, 1e8, 2, 1, 0}};
    for (int kind = 0; kind < MT_PARTITION_KINDS && !status; kind++) {
        struct mt_partition partition = {0};
        struct mt_partition_forecast forecast = {0};
        status = mt_partition_choose(&partition, (enum mt_partition_kind)kind, &product,
                                     &cluster, 2, err);
        if (!status)
            status =
                mt_partition_predict(&forecast, &partition, &product, &cluster, err);
        if (!status)
            status = copy_partition(&partition, err);
        mt_partition_forecast_clear(&forecast);
        mt_partition_clear(&partition);
    }
    return status;
}

static int try_scaling(struct mt_error *err)
{
    static char name[] = "xeon";
    const struct mt_scaling_question question = {.efficiency = 0.6, .confidence = 0.8};
    struct mt_scaling_run scaling_runs[3];
    struct mt_scaling scaling = {0};
    for (int i = 0; i < 3; i++)
        scaling_runs[i] = (struct mt_scaling_run){.group = name,
                                                  .layout = {.processes = 1 + i / 2},
                                                  .nodes = 1 << i % 2,
                                                  .size = 100,
                                                  .seconds = 10 - 4 * (i % 2)};
    const int status = mt_scaling_find(&scaling, scaling_runs, 3, &question, err);
    mt_scaling_clear(&scaling);
    return status;
}

static void scalings(void **state)
{
    (void)state;
    assert_survives(try_scaling);
}

static void partitions(void **state)
{
    (void)state;
    assert_survives(try_partitions);
}

static void files(void **state)
{
    (void)state;
    assert_survives(try_cluster);
    assert_survives(try_machine);
    assert_survives(try_program);
    assert_survives(try_hosts);
}

static void surfaces(void **state)
{
    (void)state;
    surface_case_ap1000(&ap1000);
    assert_survives(try_surface);
    assert_survives(try_learn);
    surface_case_clear(&ap1000);
}

static void fit_and_plan(void **state)
{
    (void)state;
    for (int kind = 0; kind < MT_NMODEL_KINDS; kind++) {
        options.kind = (enum mt_model_kind)kind;
        assert_survives(try_fit);
        assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
        assert_survives(try_plan);
        assert_survives(try_exhaustive_plan);
        assert_survives(try_impossible_plan);
        mt_models_clear(&models);
    }
}

static void store(void **state)
{
    (void)state;
    options.kind = MT_MODEL_PT;
    assert_int_equal(fit_runs(&models, &program, &runs, &options, NULL), MT_OK);
    assert_survives(try_store);
    mt_models_clear(&models);
}

static void plan_from_a_store(void **state)
{
    (void)state;
    char path[] = "/tmp/motley-memory-XXXXXX", name[] = "c";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    named = case_cluster;
    named.name = name;
    store_runs(path);
    double sizes[] = {1000, 2000, 3000};
    program.measure_sizes = sizes;
    program.nmeasure_sizes = 3;
    assert_survives(try_predictor);
    assert_survives(try_evaluation);
    program.measure_sizes = NULL;
    program.nmeasure_sizes = 0;
    mt_store_close(measured);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions), cmocka_unit_test(files),
        cmocka_unit_test(surfaces),   cmocka_unit_test(fit_and_plan),
        cmocka_unit_test(store),      cmocka_unit_test(plan_from_a_store),
        cmocka_unit_test(scalings),
    };
    return cmocka_run_group_tests_name("memory", tests, set_up, tear_down);
}
