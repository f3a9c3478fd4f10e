/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/strassen/sums.h"
#include "strassen_cases.h"

#include "tests/unit/test.h"

#include <float.h>
#include <sys/mman.h>

/* The memory that a product must leave alone, and its expected result, bit for bit. */
static void check_exact(const struct strassen_case *x, int levels)
{
    const struct mt_strassen_how how = {.levels = &levels};
    struct strassen_operands o = strassen_operands_make(x, strassen_integer);
    double *a = strassen_copy(o.a, o.size_a), *b = strassen_copy(o.b, o.size_b);
    double *c = strassen_copy(o.c, o.size_c);
    assert_int_equal(strassen_call(x, &how, &o, c), MT_STRASSEN_OK);
    strassen_call_naive(x, &o, o.c);
    for (size_t i = 0; i < o.size_c; i++)
        if (c[i] != o.c[i])
            fail_msg("%d x %d x %d, layout %d, transposes %d and %d, alpha %g, beta "
                     "%g, %d levels: element %zu is %g, not %g",
                     x->m, x->n, x->k, x->layout, x->transpose_a, x->transpose_b,
                     x->alpha, x->beta, levels, i, c[i], o.c[i]);
    assert_memory_equal(a, o.a, o.size_a * sizeof *a);
    assert_memory_equal(b, o.b, o.size_b * sizeof *b);
    free(a);
    free(b);
    free(c);
    strassen_operands_clear(&o);
}

/* The combination number `i` of all that may be said besides the sizes. */
enum { COMBINATIONS = 2 * 3 * 3 * 4 * 4 };

static struct strassen_case combination(int i, int m, int n, int k)
{
    static const CBLAS_TRANSPOSE transposes[] = {CblasNoTrans, CblasTrans,
                                                 CblasConjTrans};
    static const double factors[] = {0, 1, -1, 2};
    struct strassen_case x = {.m = m, .n = n, .k = k, .pad = i % 4};
    x.layout = i % 2 ? CblasRowMajor : CblasColMajor;
    x.transpose_a = transposes[i / 2 % 3];
    x.transpose_b = transposes[i / 6 % 3];
    x.alpha = factors[i / 18 % 4];
    x.beta = factors[i / 72 % 4];
    return x;
}

static void sizes_that_cannot_be_halved_are_exact(void **unused)
{
    (void)unused;
    int next = 0;
    for (int m = 1; m <= 9; m++)
        for (int n = 1; n <= 9; n++)
            for (int k = 1; k <= 9; k++)
                for (int levels = 0; levels <= 3; levels++) {
                    next += 7; /* has no factor in common with their number */
                    struct strassen_case x = combination(next % COMBINATIONS, m, n, k);
                    check_exact(&x, levels);
                }
}

static void every_combination_is_exact(void **unused)
{
    (void)unused;
    for (int i = 0; i < COMBINATIONS; i++) {
        struct strassen_case x = combination(i, 14, 13, 15);
        check_exact(&x, 1);
        check_exact(&x, 2);
    }
}

static void four_levels_are_exact(void **unused)
{
    (void)unused;
    static const int sizes[][3] = {
        {16, 16, 16}, {17, 31, 18}, {33, 16, 47}, {65, 66, 67}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 12; j++) {
            struct strassen_case x = combination((i * 12 + j) * 41 % COMBINATIONS,
                                                 sizes[i][0], sizes[i][1], sizes[i][2]);
            check_exact(&x, 4);
        }
}

/* Temporaries of more than a page a column, and of exactly one. */
static void large_temporaries_are_exact(void **unused)
{
    (void)unused;
    struct strassen_case x = combination(18 + 72, 1024, 6, 1030);
    check_exact(&x, 1);
    x = combination(18 + 2 + 6, 6, 1024, 1026);
    check_exact(&x, 1);
}

/* A column begins more than 2^31 elements after the first. The memory is there as far
   as it is written to. */
static void columns_may_be_far_apart(void **unused)
{
    (void)unused;
    const size_t size = 6, apart = (size_t)1 << 29,
                 bytes = sizeof(double) * size * apart;
    double *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) {
        test_skipped("there is no room for addresses");
        return;
    }
    struct strassen_case x = combination(18, (int)size, (int)size, (int)size);
    x.pad = 0;
    struct strassen_operands near = strassen_operands_make(&x, strassen_integer);
    const struct strassen_operands far = {.lda = (int)apart,
                                          .ldb = (int)apart,
                                          .ldc = (int)apart,
                                          .a = all,
                                          .b = all + size,
                                          .c = all + 2 * size};
    for (size_t j = 0; j < size; j++) {
        memcpy(far.a + j * apart, near.a + j * size, size * sizeof(double));
        memcpy(far.b + j * apart, near.b + j * size, size * sizeof(double));
    }
    const int levels = 1;
    const struct mt_strassen_how how = {.levels = &levels};
    assert_int_equal(strassen_call(&x, &how, &far, far.c), MT_STRASSEN_OK);
    strassen_call_naive(&x, &near, near.c);
    for (size_t j = 0; j < size; j++)
        assert_memory_equal(far.c + j * apart, near.c + j * size,
                            size * sizeof(double));
    strassen_operands_clear(&near);
    munmap(all, bytes);
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

/* How far the product of fractions is from the BLAS's, beta times C included. */
static double difference(struct strassen_case *x, const struct strassen_operands *o,
                         int levels)
{
    const struct mt_strassen_how how = {.levels = &levels};
    double *ours = strassen_copy(o->c, o->size_c),
           *blas = strassen_copy(o->c, o->size_c);
    assert_int_equal(strassen_call(x, &how, o, ours), MT_STRASSEN_OK);
    strassen_call_blas(x, o, blas);
    for (size_t i = 0; i < o->size_c; i++)
        ours[i] -= blas[i];
    double most = largest(ours, o->size_c);
    free(ours);
    free(blas);
    return most;
}

/* Higham's, for Winograd's variant (Accuracy and Stability, 2nd ed., chapter 23). */
static double bound(int n, int levels)
{
    double leaf = ldexp(n, -levels);
    return (pow(18, levels) * (leaf * leaf + 6 * leaf) - 6 * n) * DBL_EPSILON / 2;
}

static void errors_are_bounded(void **unused)
{
    (void)unused;
    enum { SIZE = 160 };
    for (int beta = 0; beta <= 1; beta++) {
        struct strassen_case x = combination(18 + 72 * beta, SIZE, SIZE, SIZE);
        struct strassen_operands o = strassen_operands_make(&x, strassen_fraction);
        assert_true(difference(&x, &o, 0) == 0);
        for (int levels = 1; levels <= 5; levels++) {
            double gate = 0.5 * SIZE * pow(5, levels) * DBL_EPSILON / 2;
            double error = difference(&x, &o, levels);
            assert_true(error > 0);
            assert_true(error < gate);
            assert_true(error < bound(SIZE, levels) * largest(o.a, o.size_a) *
                                    largest(o.b, o.size_b));
        }
        strassen_operands_clear(&o);
    }
}

/* Wherever the BLAS has something that is not finite, so have we. */
static void check_spread(const struct strassen_case *x, struct strassen_operands *o,
                         double *culprit, double value)
{
    const int levels = 2;
    const struct mt_strassen_how how = {.levels = &levels};
    const double before = *culprit;
    *culprit = value;
    double *ours = strassen_copy(o->c, o->size_c),
           *blas = strassen_copy(o->c, o->size_c);
    assert_int_equal(strassen_call(x, &how, o, ours), MT_STRASSEN_OK);
    strassen_call_blas(x, o, blas);
    for (size_t i = 0; i < o->size_c; i++)
        if (!isfinite(blas[i]))
            assert_false(isfinite(ours[i]));
    *culprit = before;
    free(ours);
    free(blas);
}

/* Whether values that are not finite are the same in our result as in the BLAS's. */
static void check_look(const struct strassen_case *x, struct strassen_operands *o,
                       double *culprit, double value)
{
    static const struct mt_strassen_tuning tuning = {.finite = true};
    const int levels = 2;
    struct mt_strassen_how how = {.tuning = &tuning, .levels = &levels};
    const double before = *culprit;
    *culprit = value;
    double *ours = strassen_copy(o->c, o->size_c),
           *blas = strassen_copy(o->c, o->size_c);
    how.room = mt_strassen_workspace(&how, x->m, x->n, x->k, x->beta);
    how.workspace = calloc(how.room + 1, sizeof(double));
    assert_int_equal(strassen_call(x, &how, o, ours), MT_STRASSEN_OK);
    strassen_call_blas(x, o, blas);
    for (size_t i = 0; i < o->size_c; i++)
        assert_int_equal(fpclassify(blas[i]), fpclassify(ours[i]));
    *culprit = before;
    free(how.workspace);
    free(ours);
    free(blas);
}

static void what_is_not_finite_stays_in_its_row(void **unused)
{
    (void)unused;
    /* beta 0 or not; alpha is not, as OpenBLAS reads A then on some processors */
    static const int combinations[] = {18, 18 + 72};
    for (int i = 0; i < 2; i++) {
        struct strassen_case x = combination(combinations[i], 9, 10, 11);
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        for (size_t at = 0; at < o.size_a; at++)
            check_look(&x, &o, &o.a[at], NAN);
        for (size_t at = 0; at < o.size_b; at++)
            check_look(&x, &o, &o.b[at], -INFINITY);
        for (size_t at = 0; at < o.size_c; at++)
            check_look(&x, &o, &o.c[at], INFINITY);
        check_look(&x, &o, &x.alpha, INFINITY);
        check_look(&x, &o, &x.alpha, NAN);
        check_look(&x, &o, &x.beta, -INFINITY);
        strassen_operands_clear(&o);
    }
}

static void what_is_finite_is_known(void **unused)
{
    (void)unused;
    const double finite[] = {0, -0.0, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, 1, -1};
    const double other[] = {NAN, -NAN, INFINITY, -INFINITY};
    double matrix[15];
    for (size_t i = 0; i < 15; i++)
        matrix[i] = i % 5 < 4 ? finite[i % 8] : NAN; /* between the columns */
    assert_true(mt_strassen_finite(4, 3, matrix, 5));
    assert_false(mt_strassen_finite(5, 3, matrix, 5));
    for (size_t i = 0; i < 15; i++)
        for (int j = 0; i % 5 < 4 && j < 4; j++) {
            const double before = matrix[i];
            matrix[i] = other[j];
            assert_false(mt_strassen_finite(4, 3, matrix, 5));
            matrix[i] = before;
        }
    assert_true(mt_strassen_finite(0, 3, matrix, 5));
}

static void fewer_levels_than_none_are_none(void **unused)
{
    (void)unused;
    const int levels = -3;
    const struct mt_strassen_how how = {.levels = &levels};
    struct strassen_case x = combination(0, 9, 10, 11);
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    double *ours = strassen_copy(o.c, o.size_c);
    assert_int_equal(mt_strassen_workspace(&how, x.m, x.n, x.k, x.beta), 0);
    assert_int_equal(strassen_call(&x, &how, &o, ours), MT_STRASSEN_OK);
    strassen_call_naive(&x, &o, o.c);
    assert_memory_equal(ours, o.c, o.size_c * sizeof *ours);
    free(ours);
    strassen_operands_clear(&o);
}

static void what_is_not_finite_spreads(void **unused)
{
    (void)unused;
    struct strassen_case x = combination(18 + 72, 9, 10, 11);
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    static const double culprits[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        for (size_t at = 0; at < o.size_a; at++)
            check_spread(&x, &o, &o.a[at], culprits[i]);
        for (size_t at = 0; at < o.size_b; at++)
            check_spread(&x, &o, &o.b[at], culprits[i]);
        for (size_t at = 0; at < o.size_c; at++)
            check_spread(&x, &o, &o.c[at], culprits[i]);
    }
    strassen_operands_clear(&o);
}

static double not_a_number(void)
{
    return NAN;
}

static void operands_that_do_not_count_are_not_read(void **unused)
{
    (void)unused;
    const int levels = 2;
    const struct mt_strassen_how how = {.levels = &levels};
    struct strassen_case x = combination(18, 13, 14, 15); /* beta is 0 */
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    double *c = strassen_copy(o.c, o.size_c);
    for (size_t i = 0; i < o.size_c; i++)
        c[i] = NAN;
    assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_OK);
    strassen_call_naive(&x, &o, o.c);
    for (size_t i = 0; i < o.size_c; i++)
        if (i % (size_t)o.ldc < (size_t)x.m)
            assert_true(c[i] == o.c[i]);
    free(c);
    strassen_operands_clear(&o);

    x.alpha = 0; /* so A and B do not count */
    o = strassen_operands_make(&x, not_a_number);
    assert_int_equal(strassen_call(&x, &how, &o, o.c), MT_STRASSEN_OK);
    assert_true(o.c[0] == 0);
    strassen_operands_clear(&o);
}

static void sizes_may_be_zero(void **unused)
{
    (void)unused;
    for (int i = 0; i < COMBINATIONS; i++)
        for (int zero = 1; zero < 8; zero++) {
            struct strassen_case x =
                combination(i, zero & 1 ? 0 : 5, zero & 2 ? 0 : 6, zero & 4 ? 0 : 7);
            x.pad++; /* a leading dimension is at least 1 */
            check_exact(&x, 2);
        }
}

/* Through the library's door, with just the workspace that it asks for, and large
   enough for each thread to be worth its start. */
static void sums_by_two_threads_are_exact(void **unused)
{
    (void)unused;
    static const struct mt_strassen_tuning by_two = {.threads = 2};
    const int levels = 1;
    for (int i = 0; i < 8; i++) {
        struct strassen_case x =
            combination(18 + i * 31 % 54, 1121 + i, 1130, 1127 - i / 4);
        x.beta = i % 2 ? -2 : 0;
        struct mt_strassen_how how = {.tuning = &by_two, .levels = &levels};
        how.room = mt_strassen_workspace(&how, x.m, x.n, x.k, x.beta);
        how.workspace = malloc((how.room + 1) * sizeof *how.workspace);
        assert_non_null(how.workspace);
        how.workspace[how.room] = 42;
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        double *c = strassen_copy(o.c, o.size_c);
        assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_OK);
        strassen_call_blas(&x, &o, o.c);
        for (size_t j = 0; j < o.size_c; j++)
            assert_true(c[j] == o.c[j]);
        assert_true(how.workspace[how.room] == 42);
        free(c);
        free(how.workspace);
        strassen_operands_clear(&o);
    }
    assert_false(mt_strassen_has_cores(100000));
}

/* Of A or B alone; the threads' parts are unequal. */
static void two_sums_of_a_pass_are_exact(void **unused)
{
    (void)unused;
    enum { ROWS = 1027, LD = 1032, COLUMNS = 1021 };
    const size_t size = (size_t)LD * COLUMNS;
    double *all = calloc(6 * size, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < 4 * size; i++)
        all[i] = strassen_integer();
    for (int sign = -1; sign <= 1; sign += 2) {
        const struct quarter_sums sums = {.rows = ROWS,
                                          .columns = COLUMNS,
                                          .corner = {all, LD},
                                          .side = {all + size, LD},
                                          .opposite = {all + 2 * size, LD},
                                          .last = {all + 3 * size, LD},
                                          .sign = sign,
                                          .x = all + 4 * size,
                                          .y = all + 5 * size,
                                          .ld = LD};
        const struct quarter_sums none = {.rows = 0};
        mt_strassen_first_sums(2, &sums, &none);
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t i = j * LD; i < j * LD + ROWS; i++) {
                assert_true(sums.y[i] == all[i] - all[size + i]);
                assert_true(sums.x[i] == all[size + i] + sign * all[2 * size + i]);
            }
        mt_strassen_second_sums(2, &none, &sums);
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t i = j * LD; i < j * LD + ROWS; i++) {
                const double x = all[size + i] + sign * all[2 * size + i],
                             y = sign * (x - all[i]);
                assert_true(sums.y[i] == y);
                assert_true(sums.x[i] == all[3 * size + i] - y);
            }
    }
    free(all);
}

static void count_part(const void *data, size_t part, size_t parts)
{
    char *done = *(char *const *)data;
    for (size_t i = 1000 * part / parts; i < 1000 * (part + 1) / parts; i++)
        done[i]++;
}

static void every_part_is_done_once(void **unused)
{
    (void)unused;
    static const size_t elements[] = {0, 1, 1 << 18, 1 << 24};
    for (int threads = 1; threads <= 9; threads += 2)
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
            char done[1000] = {0}, *const place = done;
            mt_strassen_share(threads, elements[i], count_part, &place);
            for (size_t j = 0; j < 1000; j++)
                assert_int_equal(done[j], 1);
        }
}

/* Memory that a call keeps is reused by the next, of any size. */
static void memory_of_the_last_call_serves_the_next(void **unused)
{
    (void)unused;
    static const int sizes[] = {700, 900, 640, 900};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int levels = 1;
        const struct mt_strassen_how how = {.levels = &levels};
        const struct strassen_case x = combination(18, sizes[i], sizes[i], sizes[i]);
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        double *c = strassen_copy(o.c, o.size_c);
        assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_OK);
        strassen_call_blas(&x, &o, o.c);
        for (size_t j = 0; j < o.size_c; j++)
            assert_true(c[j] == o.c[j]);
        free(c);
        strassen_operands_clear(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_cannot_be_halved_are_exact),
        cmocka_unit_test(every_combination_is_exact),
        cmocka_unit_test(four_levels_are_exact),
        cmocka_unit_test(large_temporaries_are_exact),
        cmocka_unit_test(columns_may_be_far_apart),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(what_is_not_finite_spreads),
        cmocka_unit_test(what_is_not_finite_stays_in_its_row),
        cmocka_unit_test(what_is_finite_is_known),
        cmocka_unit_test(fewer_levels_than_none_are_none),
        cmocka_unit_test(operands_that_do_not_count_are_not_read),
        cmocka_unit_test(sizes_may_be_zero),
        cmocka_unit_test(sums_by_two_threads_are_exact),
        cmocka_unit_test(two_sums_of_a_pass_are_exact),
        cmocka_unit_test(every_part_is_done_once),
        cmocka_unit_test(memory_of_the_last_call_serves_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
