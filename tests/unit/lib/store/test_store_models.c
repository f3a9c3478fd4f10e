/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/model/internal.h"
#include "motley/store.h"
#include "test_store.h"
#include "tests/unit/test.h"

#include <sqlite3.h>

static struct mt_terms *parse_terms(const char *text)
{
    struct mt_terms *terms = NULL;
    assert_int_equal(mt_terms_parse(&terms, text, NULL), MT_OK);
    return terms;
}

static double *copy_numbers(const double *numbers, int count)
{
    double *copy = calloc((size_t)count, sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

/* A set that has one of everything: numbers that need all digits, NaN. */
static struct mt_models example_models(enum mt_model_kind kind)
{
    static const double coefficients[] = {1.0 / 3, -2e-300, 1.7e308, 0};
    static const double reference[] = {0.1, 7};
    struct mt_models models = {.kind = kind, .newest_run = 42};
    models.models = calloc(2, sizeof *models.models);
    models.refused = calloc(1, sizeof *models.refused);
    models.dropped = calloc(1, sizeof *models.dropped);
    assert_true(models.models && models.refused && models.dropped);
    models.count = 2;
    models.models[0] =
        (struct mt_model){.group = test_copy("xeon"),
                          .layout = {2, 8, MT_BIND_NUMA, 3},
                          .split = -1,
                          .terms = parse_terms("N^3/P, N^2, log2(P), 1"),
                          .terms_text = test_copy("N^3/P, N^2, log2(P), 1"),
                          .coefficients = copy_numbers(coefficients, 4),
                          .runs = 441,
                          .size_low = 400,
                          .size_high = 6400.5,
                          .ranks_low = 1,
                          .ranks_high = 16,
                          .residual = 0.01,
                          .cross_validated = NAN};
    models.models[1] =
        (struct mt_model){.configuration = test_copy("xeon:8x1+celeron:2x1"),
                          .split = 1,
                          .terms = parse_terms("T/P, 1"),
                          .terms_text = test_copy("T/P, 1"),
                          .coefficients = copy_numbers(coefficients, 2),
                          .reference_terms = parse_terms("N^3, 1"),
                          .reference_terms_text = test_copy("N^3, 1"),
                          .reference_coefficients = copy_numbers(reference, 2),
                          .cross_validated = 0.02};
    static const double sizes[] = {400, 1000.0 / 3};
    models.options = (struct mt_fit_options){.kind = kind,
                                             .terms = test_copy("N^3/P"),
                                             .no_split = true,
                                             .sizes = copy_numbers(sizes, 2),
                                             .nsizes = 2,
                                             .glitch_k = 0.8,
                                             .glitch_tolerance = 1,
                                             .refuse_negative = true};
    models.refused[0] = (struct mt_refusal){test_copy("xeon:x4"), test_copy("too few")};
    models.nrefused = 1;
    models.dropped[0] =
        (struct mt_dropped){test_copy("xeon:1x1"), 800, 1.5, test_copy("a glitch")};
    models.ndropped = 1;
    return models;
}

static struct mt_store *open_store(const char *path)
{
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    return store;
}

static void assert_first_model(const struct mt_model *model)
{
    assert_null(model->configuration);
    assert_string_equal(model->group, "xeon");
    assert_int_equal(model->layout.processes, 2);
    assert_int_equal(model->layout.threads, 8);
    assert_int_equal(model->layout.bind, MT_BIND_NUMA);
    assert_int_equal(model->layout.gpus, 3);
    assert_int_equal(model->split, -1);
    assert_string_equal(model->terms_text, "N^3/P, N^2, log2(P), 1");
    assert_int_equal(mt_terms_count(model->terms), 4);
    assert_string_equal(mt_terms_text(model->terms, 2), "log2(P)");
    assert_true(model->coefficients[0] == 1.0 / 3);
    assert_true(model->coefficients[1] == -2e-300);
    assert_true(model->coefficients[2] == 1.7e308 && model->coefficients[3] == 0);
    assert_null(model->reference_terms);
    assert_null(model->reference_coefficients);
    assert_int_equal(model->runs, 441);
    assert_true(model->size_low == 400 && model->size_high == 6400.5);
    assert_int_equal(model->ranks_low, 1);
    assert_int_equal(model->ranks_high, 16);
    assert_true(model->residual == 0.01 && isnan(model->cross_validated));
}

static void assert_options(const struct mt_fit_options *options)
{
    assert_int_equal(options->kind, MT_MODEL_PT);
    assert_string_equal(options->terms, "N^3/P");
    assert_true(options->no_split && options->refuse_negative);
    assert_int_equal(options->nsizes, 2);
    assert_true(options->sizes[0] == 1000.0 / 3 && options->sizes[1] == 400);
    assert_true(options->glitch_k == 0.8);
    assert_int_equal(options->glitch_tolerance, 1);
}

static void gives_back_what_was_put(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models put = example_models(MT_MODEL_PT), got = {0};
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);
    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_PT, &got, NULL),
                     MT_OK);
    assert_int_equal(got.kind, MT_MODEL_PT);
    assert_int_equal(got.newest_run, 42);
    assert_int_equal(got.count, 2);
    assert_options(&got.options);
    assert_first_model(&got.models[0]);
    const struct mt_model *second = &got.models[1];
    assert_string_equal(second->configuration, "xeon:8x1+celeron:2x1");
    assert_null(second->group);
    assert_int_equal(second->split, 1);
    assert_int_equal(mt_terms_count(second->reference_terms), 2);
    assert_true(second->reference_coefficients[0] == 0.1);
    assert_int_equal(got.nrefused, 1);
    assert_string_equal(got.refused[0].subject, "xeon:x4");
    assert_string_equal(got.refused[0].reason, "too few");
    assert_int_equal(got.ndropped, 1);
    assert_string_equal(got.dropped[0].configuration, "xeon:1x1");
    assert_string_equal(got.dropped[0].reason, "a glitch");
    assert_true(got.dropped[0].size == 800 && got.dropped[0].seconds == 1.5);
    mt_models_clear(&got);
    mt_store_close(store);
}

static void replaces_the_models_of_one_kind(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models put = example_models(MT_MODEL_AUTO), got = {0};
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    put.kind = MT_MODEL_NPT;
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_model_clear(&put.models[--put.count]);
    put.newest_run = 43;
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);

    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_NPT, &got, NULL),
                     MT_OK);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.newest_run, 43);
    mt_models_clear(&got);
    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_AUTO, &got, NULL),
                     MT_OK);
    assert_int_equal(got.count, 2);
    mt_models_clear(&got);
    mt_store_close(store);
}

/* They are fitted again from the runs. */
static void keeps_only_the_runs_and_errors_of_auto(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models put = example_models(MT_MODEL_AUTO), got = {0};
    for (int i = 0; i < put.count; i++) {
        mt_model_clear(&put.models[i]);
        put.models[i] = (struct mt_model){.group = test_copy("xeon"),
                                          .layout = {1 + i, 0, MT_BIND_DEFAULT, 0},
                                          .split = -1,
                                          .runs = 7,
                                          .size_low = 400,
                                          .size_high = 800,
                                          .ranks_low = 1,
                                          .ranks_high = 4,
                                          .residual = 0.01,
                                          .cross_validated = 0.02};
    }
    put.modes.values = calloc(3, sizeof *put.modes.values);
    assert_non_null(put.modes.values);
    put.modes.count = 3;
    put.modes.values[2] = 0.1;
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);
    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_AUTO, &got, NULL),
                     MT_OK);
    assert_int_equal(got.count, 2);
    assert_null(got.posterior);
    assert_int_equal(got.modes.count, 3);
    assert_true(got.modes.values[2] == 0.1);
    const struct mt_model *model = &got.models[1];
    assert_string_equal(model->group, "xeon");
    assert_true(!model->terms && !model->terms_text && !model->coefficients);
    assert_int_equal(model->layout.processes, 2);
    assert_int_equal(model->runs, 7);
    assert_int_equal(model->ranks_high, 4);
    assert_true(model->size_high == 800 && model->residual == 0.01 &&
                model->cross_validated == 0.02);
    mt_models_clear(&got);
    mt_store_close(store);
}

static void keeps_a_set_of_refusals_only(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models put = example_models(MT_MODEL_AUTO), got = {0};
    while (put.count > 0)
        mt_model_clear(&put.models[--put.count]);
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);
    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_AUTO, &got, NULL),
                     MT_OK);
    assert_int_equal(got.count, 0);
    assert_int_equal(got.nrefused, 1);
    mt_models_clear(&got);
    mt_store_close(store);
}

static void says_when_there_are_none(void **state)
{
    struct mt_error err = {0};
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models got = {0};
    assert_int_equal(mt_store_get_models(store, "lab", "lu", MT_MODEL_NT, &got, &err),
                     MT_ENOTFOUND);
    assert_contains(err.text, "no n-t models of 'lu' on 'lab'");
    assert_int_equal(got.count, 0);
    mt_store_close(store);
}

static void lists_what_was_fitted(void **state)
{
    struct mt_store *store = open_store(store_path(*state));
    struct mt_models put = example_models(MT_MODEL_NT);
    struct mt_fitted_list list = {0};
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    put.kind = MT_MODEL_AUTO;
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    assert_int_equal(mt_store_put_models(store, "hall", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);

    assert_int_equal(mt_store_fitted(store, &list, NULL, NULL, NULL), MT_OK);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.fitted[0].cluster, "lab");
    assert_string_equal(list.fitted[0].program, "lu");
    assert_int_equal(list.fitted[0].kind, MT_MODEL_NT);
    mt_fitted_clear(&list);
    assert_int_equal(mt_store_fitted(store, &list, "hall", "lu", NULL), MT_OK);
    assert_int_equal(list.count, 1);
    mt_fitted_clear(&list);
    assert_int_equal(mt_store_fitted(store, &list, "lab", "jacobi", NULL), MT_OK);
    assert_int_equal(list.count, 0);
    mt_store_close(store);
}

/* Changes that another program, or a damaged disk, can make to the tables. */
static void assert_spoiled_by(const char *path, const char *sql, const char *words)
{
    struct mt_error err = {0};
    struct mt_store *store = open_store(path);
    struct mt_models put = example_models(MT_MODEL_NPT), got = {0};
    assert_int_equal(mt_store_put_models(store, "lab", "lu", &put, NULL), MT_OK);
    mt_models_clear(&put);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_true(mt_store_get_models(store, "lab", "lu", MT_MODEL_NPT, &got, &err) !=
                MT_OK);
    assert_contains(err.text, words);
    assert_int_equal(got.count, 0);
    mt_store_close(store);
}

static void refuses_spoiled_models(void **state)
{
    const char *path = store_path(*state);
    assert_spoiled_by(path, "DELETE FROM coefficient WHERE term = 1", "coefficients");
    assert_spoiled_by(path, "UPDATE model SET terms = 'N^3, N^'", "column");
    assert_spoiled_by(path, "UPDATE model SET group_name = NULL",
                      "a model of no group or configuration");
    assert_spoiled_by(path, "UPDATE coefficient SET value = 9e999",
                      "'value' of a row is not a number");
    assert_spoiled_by(path, "UPDATE model SET terms = NULL", "'terms'");
}

/* A store with one run, whose tables let everything in, changed by `sql`. */
static struct mt_store *tampered(const char *path, const char *sql)
{
    static const char *const tables[] = {"run", "fit", "absent", "link"};
    struct mt_run run = example_run(1);
    struct mt_store *store = NULL;
    sqlite3 *db = NULL;
    add_run(path, &run);
    mt_run_clear(&run);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < 4; i++) {
        char *loosen = sqlite3_mprintf("CREATE TABLE loose AS SELECT * FROM %s;"
                                       "DROP TABLE %s; ALTER TABLE loose RENAME TO %s",
                                       tables[i], tables[i], tables[i]);
        assert_int_equal(sqlite3_exec(db, loosen, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(loosen);
    }
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_READ, NULL), MT_OK);
    return store;
}

static void runs_have_their_names(void **state)
{
    static const char *const names[] = {"cluster", "program", "configuration"};
    for (int i = 0; i < 3; i++) {
        const struct mt_run_filter all = {0};
        struct mt_runs runs = {0};
        struct mt_error err = {0};
        char sql[64];
        snprintf(sql, sizeof sql, "UPDATE run SET %s = NULL", names[i]);
        unlink(store_path(*state));
        struct mt_store *store = tampered(store_path(*state), sql);
        assert_int_equal(mt_store_runs(store, &runs, &all, &err), MT_EINVAL);
        assert_contains(err.text, "damaged store");
        assert_contains(err.text, names[i]);
        assert_int_equal(runs.count, 0);
        mt_store_close(store);
    }
}

static void runs_have_times(void **state)
{
    static const char *const changes[] = {"seconds = 9e999", "seconds = -1",
                                          "size = 0"};
    char lab[] = "lab";
    const struct mt_cluster cluster = {.name = lab};
    for (int i = 0; i < 3; i++) {
        struct mt_samples samples = {0};
        struct mt_error err = {0};
        char sql[64];
        snprintf(sql, sizeof sql, "UPDATE run SET %s", changes[i]);
        unlink(store_path(*state));
        struct mt_store *store = tampered(store_path(*state), sql);
        assert_int_equal(mt_store_samples(store, &samples, &cluster, "lu", &err),
                         MT_EINVAL);
        assert_contains(err.text, "damaged store: run 1 has a size of");
        mt_samples_clear(&samples);
        mt_store_close(store);
    }
}

static void lists_have_their_names(void **state)
{
    struct mt_down_nodes down = {0};
    struct mt_link_figures links = {0};
    struct mt_fitted_list fitted = {0};
    struct mt_error err = {0};
    struct mt_store *store =
        tampered(store_path(*state), "INSERT INTO absent (cluster) VALUES ('lab');"
                                     "INSERT INTO link (cluster) VALUES ('lab');"
                                     "INSERT INTO fit (kind) VALUES ('auto')");
    assert_int_equal(mt_store_down_nodes(store, &down, "lab", &err), MT_EINVAL);
    assert_contains(err.text, "'host'");
    assert_int_equal(mt_store_links(store, &links, NULL, &err), MT_EINVAL);
    assert_contains(err.text, "'from_group'");
    assert_int_equal(mt_store_fitted(store, &fitted, NULL, NULL, &err), MT_EINVAL);
    assert_contains(err.text, "'cluster'");
    mt_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(gives_back_what_was_put),
        in_folder(replaces_the_models_of_one_kind),
        in_folder(keeps_only_the_runs_and_errors_of_auto),
        in_folder(keeps_a_set_of_refusals_only),
        in_folder(says_when_there_are_none),
        in_folder(lists_what_was_fitted),
        in_folder(refuses_spoiled_models),
        in_folder(runs_have_their_names),
        in_folder(runs_have_times),
        in_folder(lists_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
