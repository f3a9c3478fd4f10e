/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/tuning/tuning.h"
#include "tests/unit/test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct tuning_machine machine = {
    .processor = "Some CPU @ 2.0 GHz", .blas = "OtherBLAS 1.2", .threads = 3};
static const struct mt_strassen_tuning some = {.overwrite = {100, 200, 300},
                                               .accumulate = {400, 500, 600}};
static char folder[] = "/tmp/test-tuned-XXXXXX";
static char path[PATH_MAX];

/* A cache folder that has not been made yet. */
static int make_folder(void **state)
{
    (void)state;
    char cache[64];
    if (!mkdtemp(folder))
        return -1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    unsetenv(TUNING_VARIABLE);
    return setenv("XDG_CACHE_HOME", cache, 1) != 0 ||
           tuning_file_path(path, &machine, NULL) != MT_OK;
}

static int remove_folder(void **state)
{
    (void)state;
    char place[128];
    snprintf(place, sizeof place, "%s/cache/motley", folder);
    unlink(path);
    rmdir(place);
    snprintf(place, sizeof place, "%s/cache", folder);
    rmdir(place);
    return rmdir(folder);
}

static void assert_same(const struct mt_strassen_cutoff *a,
                        const struct mt_strassen_cutoff *b)
{
    assert_true(a->rows == b->rows && a->columns == b->columns && a->depth == b->depth);
}

static void test_path_is_of_the_kind_of_machine(void **state)
{
    (void)state;
    assert_contains(path,
                    "/cache/motley/strassen-Some-CPU-2.0-GHz-OtherBLAS-1.2-3.txt");
}

static void test_path_without_a_cache_variable(void **state)
{
    (void)state;
    char other[PATH_MAX], *cache = strdup(getenv("XDG_CACHE_HOME"));
    struct mt_error err;
    setenv("HOME", "/home/me", 1);
    unsetenv("XDG_CACHE_HOME");
    assert_int_equal(tuning_file_path(other, &machine, NULL), MT_OK);
    assert_contains(other, "/home/me/.cache/motley/strassen-");
    setenv("XDG_CACHE_HOME", "relative", 1); /* the XDG specification: to be ignored */
    assert_int_equal(tuning_file_path(other, &machine, NULL), MT_OK);
    assert_contains(other, "/home/me/.cache/motley/strassen-");
    unsetenv("HOME");
    assert_int_equal(tuning_file_path(other, &machine, &err), MT_ENOTFOUND);
    assert_contains(err.text, "HOME");
    setenv("XDG_CACHE_HOME", cache, 1);
    free(cache);
}

static void test_file_round_trip(void **state)
{
    (void)state;
    struct mt_strassen_tuning before = some, after;
    before.accumulate.depth = INFINITY;
    assert_int_equal(tuning_file_prepare(path, NULL), MT_OK);
    assert_int_equal(tuning_file_write(&before, path, &machine, NULL), MT_OK);
    assert_int_equal(tuning_file_read(&after, path, &machine, NULL), MT_OK);
    assert_same(&after.overwrite, &before.overwrite);
    assert_same(&after.accumulate, &before.accumulate);
}

static void test_folder_that_cannot_be_written(void **state)
{
    (void)state;
    struct mt_error err;
    assert_int_equal(tuning_file_prepare("/proc/motley/x.txt", &err), MT_EIO);
    assert_contains(err.text, "/proc/motley/x.txt");
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#define MACHINE "processor: Some CPU @ 2.0 GHz\nblas: OtherBLAS 1.2\nthreads: 3\n"
#define OVERWRITE "overwrite rows: 1\noverwrite columns: 2\noverwrite depth: 3\n"
#define ACCUMULATE "accumulate rows: 4\naccumulate columns: 5\naccumulate depth: 6\n"

static void test_broken_files_are_ignored(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "\xff\xfe\x01",
        MACHINE OVERWRITE,
        MACHINE OVERWRITE ACCUMULATE "more: 7\n",
        MACHINE OVERWRITE "accumulate rows: 4\naccumulate columns: 5\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows: 0\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows: -1\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows: 1.5\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows: nan\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows: 99999999999999999999\n",
        MACHINE OVERWRITE ACCUMULATE "overwrite rows:\n",
        "processor: Another CPU\n" OVERWRITE ACCUMULATE,
        "blas: OtherBLAS 1.3\n" OVERWRITE ACCUMULATE,
        "threads: 2\n" OVERWRITE ACCUMULATE,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mt_strassen_tuning tuning = some;
        struct mt_error err = {0};
        write_text(texts[i]);
        assert_int_equal(tuning_file_read(&tuning, path, &machine, &err), MT_EPARSE);
        assert_contains(err.text, path);
        assert_same(&tuning.overwrite, &some.overwrite);
        assert_int_equal(tuning_choose(&tuning, &machine, &err), TUNING_GUESSED);
    }
}

static void test_files_of_products_of_our_own_are_to_be_made_again(void **state)
{
    (void)state;
    static const char *const texts[] = {MACHINE "kernel: yes\n" OVERWRITE ACCUMULATE,
                                        MACHINE "kernel: no\n" OVERWRITE ACCUMULATE};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mt_strassen_tuning tuning;
        struct mt_error err = {0};
        write_text(texts[i]);
        assert_int_equal(tuning_choose(&tuning, &machine, &err), TUNING_GUESSED);
        assert_contains(err.text, ":4: found by an older motley, with products of its "
                                  "own: run 'motley tune' again");
    }
}

static void test_file_by_hand(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    write_text("# a remark\n" ACCUMULATE MACHINE OVERWRITE);
    assert_int_equal(tuning_choose(&tuning, &machine, NULL), TUNING_MEASURED);
    assert_same(&tuning.accumulate, &(struct mt_strassen_cutoff){4, 5, 6});
}

static void test_guess_grows_with_threads(void **state)
{
    (void)state;
    struct tuning_machine one = machine;
    struct mt_strassen_tuning tuning;
    struct mt_error err = {0};
    one.threads = 1;
    assert_int_equal(tuning_choose(&tuning, &one, &err), TUNING_GUESSED);
    assert_contains(err.text, "No such file");
    assert_close(tuning.overwrite.rows, 2500 / 3.0, 1e-12);
    one.threads = 4;
    tuning_choose(&tuning, &one, NULL);
    assert_close(tuning.accumulate.depth, 10000 / 3.0, 1e-12);
}

/* The function's output on stderr. */
static void catch_stderr(char *said, size_t size, struct mt_strassen_tuning *tuning,
                         enum tuning_source *source)
{
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    *source = tuning_choose(tuning, &machine, NULL);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    said[fread(said, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void test_variable_forces(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    setenv(TUNING_VARIABLE, "12", 1);
    assert_int_equal(tuning_choose(&tuning, &machine, NULL), TUNING_FORCED);
    assert_same(&tuning.overwrite, &(struct mt_strassen_cutoff){4, 4, 4});
    assert_same(&tuning.accumulate, &(struct mt_strassen_cutoff){4, 4, 4});
    unsetenv(TUNING_VARIABLE);
}

static void test_wrong_variable_is_said_and_ignored(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "0", "-3", "x", "1e3", " 5", "5 "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mt_strassen_tuning tuning;
        enum tuning_source source;
        char said[256];
        setenv(TUNING_VARIABLE, texts[i], 1);
        catch_stderr(said, sizeof said, &tuning, &source);
        assert_int_not_equal(source, TUNING_FORCED);
        assert_contains(said, TUNING_VARIABLE "=");
        assert_contains(said, "ignored");
    }
    unsetenv(TUNING_VARIABLE);
}

static void test_only_finite_matrices_may_be_asked_for(void **state)
{
    (void)state;
    struct mt_strassen_tuning tuning;
    enum tuning_source source;
    char said[256];
    tuning_choose(&tuning, &machine, NULL);
    assert_false(tuning.finite);
    setenv(TUNING_FINITE_VARIABLE, "yes", 1);
    tuning_choose(&tuning, &machine, NULL);
    assert_true(tuning.finite);
    setenv(TUNING_VARIABLE, "12", 1);
    assert_int_equal(tuning_choose(&tuning, &machine, NULL), TUNING_FORCED);
    assert_true(tuning.finite);
    unsetenv(TUNING_VARIABLE);
    setenv(TUNING_FINITE_VARIABLE, "no", 1);
    catch_stderr(said, sizeof said, &tuning, &source);
    assert_false(tuning.finite);
    assert_string_equal(said, "");
    setenv(TUNING_FINITE_VARIABLE, "1", 1);
    catch_stderr(said, sizeof said, &tuning, &source);
    assert_false(tuning.finite);
    assert_string_equal(said, "motley-strassen: MOTLEY_STRASSEN_FINITE=1: neither yes "
                              "nor no; it is ignored\n");
    unsetenv(TUNING_FINITE_VARIABLE);
}

/* A program may begin with one thread and go on with more. */
static void test_tuning_follows_the_threads(void **state)
{
    (void)state;
    struct tuning_machine own;
    char own_path[PATH_MAX];
    tuning_machine_find(&own);
    tuning_machine_set_threads(&own, 2);
    if (own.threads != 2) {
        test_skipped("there are not two cores");
        return;
    }
    assert_int_equal(tuning_file_path(own_path, &own, NULL), MT_OK);
    assert_int_equal(tuning_file_write(&some, own_path, &own, NULL), MT_OK);
    tuning_machine_set_threads(&own, 1);
    const struct mt_strassen_tuning *first = mt_strassen_tuned();
    assert_close(first->overwrite.rows, 2500 / 3.0, 1e-12);
    tuning_machine_set_threads(&own, 2);
    assert_int_equal(tuning_machine_threads(), 2);
    const struct mt_strassen_tuning *second = mt_strassen_tuned();
    assert_same(&second->overwrite, &some.overwrite);
    tuning_machine_set_threads(&own, 1);
    assert_ptr_equal(mt_strassen_tuned(), first);
    unlink(own_path);
}

static void test_this_machine_has_names(void **state)
{
    (void)state;
    struct tuning_machine own;
    tuning_machine_find(&own);
    assert_true(own.processor[0] != '\0' && own.blas[0] != '\0');
    tuning_machine_set_threads(&own, 1);
    assert_int_equal(own.threads, 1);
    assert_ptr_equal(mt_strassen_tuned(), mt_strassen_tuned());
    assert_true(mt_strassen_tuned()->overwrite.rows > 0);
}

/* One file for each of its kernels, which are several times as fast as each other. */
static void test_openblas_is_named_with_its_kernels(void **state)
{
    (void)state;
    struct tuning_machine own;
    tuning_machine_find(&own);
    const char *(*get_corename)(void);
    *(void **)&get_corename = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    if (!get_corename)
        skip();
    const char *last = strrchr(own.blas, ' ');
    assert_non_null(last);
    assert_string_equal(last + 1, get_corename());
}

static void test_better_kernels_are_named(void **state)
{
    (void)state;
    assert_string_equal(tuning_better_core("OpenBLAS 0.3.21 Prescott", true, false),
                        "Haswell");
    assert_string_equal(tuning_better_core("OpenBLAS 0.3.21 Nehalem", true, true),
                        "SkylakeX");
    assert_null(tuning_better_core("OpenBLAS 0.3.21 Nehalem", false, false));
    assert_null(tuning_better_core("OpenBLAS 0.3.21 Zen", true, false));
    assert_null(tuning_better_core("OpenBLAS 0.3.21", true, true));
    assert_null(tuning_better_core("BLIS 0.9.0", true, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_is_of_the_kind_of_machine),
        cmocka_unit_test(test_path_without_a_cache_variable),
        cmocka_unit_test(test_openblas_is_named_with_its_kernels),
        cmocka_unit_test(test_better_kernels_are_named),
        cmocka_unit_test(test_file_round_trip),
        cmocka_unit_test(test_folder_that_cannot_be_written),
        cmocka_unit_test(test_broken_files_are_ignored),
        cmocka_unit_test(test_files_of_products_of_our_own_are_to_be_made_again),
        cmocka_unit_test(test_file_by_hand),
        cmocka_unit_test(test_guess_grows_with_threads),
        cmocka_unit_test(test_variable_forces),
        cmocka_unit_test(test_wrong_variable_is_said_and_ignored),
        cmocka_unit_test(test_only_finite_matrices_may_be_asked_for),
        cmocka_unit_test(test_tuning_follows_the_threads),
        cmocka_unit_test(test_this_machine_has_names),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
