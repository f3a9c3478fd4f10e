/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/partition.h"
#include "strassen_cases.h"

#include "tests/unit/test.h"

/* Stand in for the BLAS's error handler and for the memory. */
static int wrong_argument;
static size_t most_bytes = SIZE_MAX;

void xerbla_(const char *name, const int *argument, int length);
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void xerbla_(const char *name, const int *argument, int length)
{
    (void)name;
    (void)length;
    wrong_argument = *argument;
}

void *__wrap_malloc(size_t bytes)
{
    return bytes <= most_bytes ? __real_malloc(bytes) : NULL;
}

static double *doubles(size_t count)
{
    return calloc(count, sizeof(double));
}

static struct strassen_case square(int n, double beta)
{
    return (struct strassen_case){
        CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, beta, 0};
}

static void wrong_arguments_are_told_by_the_blas(void **unused)
{
    (void)unused;
    const CBLAS_TRANSPOSE none = (CBLAS_TRANSPOSE)0;
    const CBLAS_TRANSPOSE no = CblasNoTrans, yes = CblasTrans;
    const struct {
        CBLAS_LAYOUT layout;
        CBLAS_TRANSPOSE transpose_a, transpose_b;
        int m, n, k, lda, ldb, ldc;
    } wrong[] = {
        {(CBLAS_LAYOUT)0, no, no, 4, 5, 6, 6, 6, 6},
        {CblasColMajor, none, no, 4, 5, 6, 6, 6, 6},
        {CblasColMajor, no, none, 4, 5, 6, 6, 6, 6},
        {CblasColMajor, no, no, -1, 5, 6, 6, 6, 6},
        {CblasColMajor, no, no, 4, -1, 6, 6, 6, 6},
        {CblasColMajor, no, no, 4, 5, -1, 6, 6, 6},
        {CblasColMajor, no, no, 4, 5, 6, 3, 6, 6},
        {CblasColMajor, no, no, 4, 5, 6, 6, 5, 6},
        {CblasColMajor, no, no, 4, 5, 6, 6, 6, 3},
        {CblasColMajor, yes, yes, 4, 5, 6, 5, 5, 4},
        {CblasColMajor, yes, yes, 4, 5, 6, 6, 4, 4},
        {CblasRowMajor, no, no, 4, 5, 6, 5, 5, 5},
        {CblasRowMajor, no, no, 4, 5, 6, 6, 4, 5},
        {CblasRowMajor, no, no, 4, 5, 6, 6, 5, 4},
        {CblasRowMajor, yes, no, 4, 5, 6, 3, 5, 5},
        {CblasRowMajor, no, yes, -1, 5, 6, 6, 6, 6},
    };
    const int levels = 1;
    const struct mt_strassen_how how = {.levels = &levels};
    double matrix[36] = {0}, c[36], zero[36] = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memset(c, 0, sizeof c);
        wrong_argument = -1;
        cblas_dgemm(wrong[i].layout, wrong[i].transpose_a, wrong[i].transpose_b,
                    wrong[i].m, wrong[i].n, wrong[i].k, 1, matrix, wrong[i].lda, matrix,
                    wrong[i].ldb, 0, c, wrong[i].ldc);
        const int told = wrong_argument;
        if (told == -1)
            fail_msg("the BLAS finds nothing wrong with case %zu", i);
        wrong_argument = -1;
        assert_int_equal(
            mt_strassen_dgemm_with(&how, wrong[i].layout, wrong[i].transpose_a,
                                   wrong[i].transpose_b, wrong[i].m, wrong[i].n,
                                   wrong[i].k, 1, matrix, wrong[i].lda, matrix,
                                   wrong[i].ldb, 0, c, wrong[i].ldc),
            MT_STRASSEN_WRONG);
        assert_int_equal(wrong_argument, told);
        assert_memory_equal(c, zero, sizeof c);
    }
}

static void what_the_query_says_suffices(void **unused)
{
    (void)unused;
    enum { GUARD = 8 };
    for (int levels = 1; levels <= 4; levels++) {
        struct strassen_case x = square(66 + levels, levels % 2);
        x.transpose_a = levels < 3 ? CblasTrans : CblasNoTrans;
        struct mt_strassen_how how = {.levels = &levels};
        how.room = mt_strassen_workspace(&how, x.m, x.n, x.k, x.beta);
        double *memory = doubles(how.room + 2 * GUARD);
        how.workspace = memory + GUARD;
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        double *c = strassen_copy(o.c, o.size_c);

        how.room--;
        assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_NO_ROOM);
        assert_memory_equal(c, o.c, o.size_c * sizeof *c);
        how.room++;
        assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_OK);
        strassen_call_naive(&x, &o, o.c);
        assert_memory_equal(c, o.c, o.size_c * sizeof *c);
        for (int i = 0; i < GUARD; i++) {
            assert_true(memory[i] == 0);
            assert_true(how.workspace[how.room + (size_t)i] == 0);
        }
        free(c);
        free(memory);
        strassen_operands_clear(&o);
    }
}

static void the_workspace_is_bounded(void **unused)
{
    (void)unused;
    static const int sizes[] = {1, 2, 3, 17, 100, 129, 512, 1000, 4096, 30000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int i = 0; i < SIZES * SIZES * SIZES; i++)
        for (int levels = 0; levels <= MT_STRASSEN_MAX_LEVELS; levels++) {
            const struct mt_strassen_how how = {.levels = &levels};
            double m = sizes[i % SIZES], n = sizes[i / SIZES % SIZES];
            double k = sizes[i / SIZES / SIZES];
            size_t room = mt_strassen_workspace(&how, (int)m, (int)n, (int)k, 1);
            assert_true((double)room < 0.7 * (m * n + m * k + k * n));
            if (levels == 0)
                assert_int_equal(room, 0);
        }
}

static int products; /* of the lowest level, so far */

void __real_cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                        CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                        const double *a, int lda, const double *b, int ldb, double beta,
                        double *c, int ldc);
void __wrap_cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                        CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                        const double *a, int lda, const double *b, int ldb, double beta,
                        double *c, int ldc);
void __wrap_cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                        CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                        const double *a, int lda, const double *b, int ldb, double beta,
                        double *c, int ldc)
{
    products++;
    __real_cblas_dgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb,
                       beta, c, ldc);
}

static int leaves(const struct strassen_case *x, int levels)
{
    const struct mt_strassen_how how = {.levels = &levels};
    struct strassen_operands o = strassen_operands_make(x, strassen_integer);
    products = 0;
    assert_int_equal(strassen_call(x, &how, &o, o.c), MT_STRASSEN_OK);
    strassen_operands_clear(&o);
    return products;
}

static void short_memory_takes_fewer_levels(void **unused)
{
    (void)unused;
    const struct strassen_case x = square(64, 0);
    const int one = 1, two = 2;
    const struct mt_strassen_how how = {.levels = &one}, deeper = {.levels = &two};
    size_t needed = mt_strassen_workspace(&how, 64, 64, 64, 0);
    assert_true(needed < mt_strassen_workspace(&deeper, 64, 64, 64, 0));
    assert_int_equal(leaves(&x, 2), 49);
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    for (int levels = 1; levels >= 0; levels--) {
        double *c = strassen_copy(o.c, o.size_c);
        products = 0;
        most_bytes = levels ? needed * sizeof(double) : 0;
        int status = strassen_call(&x, &deeper, &o, c);
        most_bytes = SIZE_MAX;
        assert_int_equal(status, MT_STRASSEN_OK);
        assert_int_equal(products, levels ? 7 : 1);
        double *expected = strassen_copy(o.c, o.size_c);
        strassen_call_naive(&x, &o, expected);
        assert_memory_equal(c, expected, o.size_c * sizeof *c);
        free(expected);
        free(c);
    }
    strassen_operands_clear(&o);
}

static void levels_are_taken_where_they_pay(void **unused)
{
    (void)unused;
    const struct mt_strassen_tuning tuning = {.overwrite = {100, 100, 100},
                                              .accumulate = {100, 200, 300}};
    assert_int_equal(mt_strassen_levels(&tuning, 299, 299, 299, 0), 0);
    assert_int_equal(mt_strassen_levels(&tuning, 300, 300, 300, 0), 1);
    assert_int_equal(mt_strassen_levels(&tuning, 599, 599, 599, 0), 1);
    assert_int_equal(mt_strassen_levels(&tuning, 600, 600, 600, 0), 2);
    assert_int_equal(mt_strassen_levels(&tuning, 100, 30000, 30000, 0), 0);
    assert_int_equal(mt_strassen_levels(&tuning, 599, 599, 599, 1), 0);
    assert_int_equal(mt_strassen_levels(&tuning, 600, 600, 600, -1), 1);
    assert_int_equal(mt_strassen_levels(&tuning, 300, 600, 900, 1), 1);
    assert_int_equal(mt_strassen_levels(&tuning, 900, 600, 300, 1), 0);
    assert_int_equal(mt_strassen_levels(&tuning, 0, 0, 0, 0), 0);
    const struct mt_strassen_tuning never = {.overwrite = {1e300, 0, 0},
                                             .accumulate = {1e300, 0, 0}};
    assert_int_equal(mt_strassen_levels(&never, 1 << 30, 1 << 30, 1 << 30, 0), 0);
    const struct mt_strassen_tuning always = {0};
    assert_int_equal(mt_strassen_levels(&always, 3, 1 << 20, 1 << 20, 0), 1);
    assert_int_equal(mt_strassen_levels(&always, 1 << 20, 1 << 20, 1 << 20, 0),
                     MT_STRASSEN_MAX_LEVELS);
    const struct mt_strassen_how how = {.tuning = &tuning};
    assert_int_equal(mt_strassen_workspace(&how, 299, 299, 299, 0), 0);
    assert_int_not_equal(mt_strassen_workspace(&how, 300, 300, 300, 0), 0);
}

/* The bytes that the levels move, product by product. */
static double bytes_moved(double m, double n, double k, int levels, bool accumulate)
{
    if (levels == 0)
        return 0;
    m /= 2;
    n /= 2;
    k /= 2;
    double sums_a = 4 * 3 * m * k, sums_b = 4 * 3 * k * n, join = 7 * m * n;
    double doubles_moved = sums_a + sums_b + join + (accumulate ? join : 0);
    double bytes = doubles_moved * 8;
    for (int product = 0; product < 7; product++)
        bytes += bytes_moved(m, n, k, levels - 1, accumulate || product >= 4);
    return bytes;
}

static void the_cost_is_that_of_the_recursion(void **unused)
{
    (void)unused;
    for (int levels = 0; levels <= 4; levels++)
        for (int accumulate = 0; accumulate <= 1; accumulate++) {
            struct mt_strassen_cost cost =
                mt_strassen_cost(48, 32, 64, levels, accumulate);
            struct strassen_case x = square(48, accumulate);
            x.n = 32;
            x.k = 64;
            assert_true(cost.products == leaves(&x, levels));
            assert_close(cost.flops, cost.products * 2 * 48 * 32 * 64 / pow(8, levels),
                         1e-14);
            assert_close(cost.bytes, bytes_moved(48, 32, 64, levels, accumulate),
                         1e-14);
            assert_close(cost.leaf, ldexp(3 / (1. / 48 + 1. / 32 + 1. / 64), -levels),
                         1e-14);
        }
    /* a depth beyond a block of the BLAS does not count */
    assert_close(mt_strassen_cost(4000, 2000, 512, 0, true).leaf,
                 2 / (1. / 4000 + 1. / 2000), 1e-14);
    assert_close(mt_strassen_cost(4000, 2000, 128, 0, true).leaf,
                 3 / (1.5 * (1. / 4000 + 1. / 2000) + 1. / 128 - 1. / 256), 1e-14);
    assert_close(mt_strassen_cost(1000, 1000, 1000, 0, true).leaf, 1000, 1e-14);
    assert_true(mt_strassen_cost(0, 5, 5, 2, false).flops == 0);
    assert_true(mt_strassen_cost(0, 5, 5, 2, false).leaf == 0);
}

static void the_plain_call_is_as_tuned(void **unused)
{
    (void)unused;
    const struct strassen_case x = square(40, 1);
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    double *c = strassen_copy(o.c, o.size_c);
    assert_int_equal(mt_strassen_dgemm(x.layout, x.transpose_a, x.transpose_b, x.m, x.n,
                                       x.k, x.alpha, o.a, o.lda, o.b, o.ldb, x.beta, c,
                                       o.ldc),
                     MT_STRASSEN_OK);
    strassen_call_naive(&x, &o, o.c);
    assert_memory_equal(c, o.c, o.size_c * sizeof *c);
    free(c);
    strassen_operands_clear(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_told_by_the_blas),
        cmocka_unit_test(what_the_query_says_suffices),
        cmocka_unit_test(the_workspace_is_bounded),
        cmocka_unit_test(short_memory_takes_fewer_levels),
        cmocka_unit_test(levels_are_taken_where_they_pay),
        cmocka_unit_test(the_cost_is_that_of_the_recursion),
        cmocka_unit_test(the_plain_call_is_as_tuned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
