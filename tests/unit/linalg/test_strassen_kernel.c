/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/kernel/kernel.h"
#include "linalg/strassen/columns.h"
#include "linalg/strassen/team.h"

#include "strassen_cases.h"
#include "tests/unit/test.h"

static bool lacks_kernel(void)
{
    if (!mt_kernel_available())
        test_skipped("the processor has no AVX-512");
    return !mt_kernel_available();
}

/* Of a case by columns. */
static struct product product_of(const struct strassen_case *x,
                                 const struct strassen_operands *o, double *c)
{
    return (struct product){
        .m = (size_t)x->m,
        .n = (size_t)x->n,
        .k = (size_t)x->k,
        .a = {o->a, (size_t)o->lda, x->transpose_a != CblasNoTrans},
        .b = {o->b, (size_t)o->ldb, x->transpose_b != CblasNoTrans},
        .c = c,
        .ldc = (size_t)o->ldc,
        .beta = x->beta,
    };
}

/* By a kernel alone, whether the sizes suit it or not; the workspace lies as badly as
   it may, and its end is guarded. */
static void multiply(const struct kernel_kind *kind, const struct strassen_case *x,
                     const struct strassen_operands *o, double *c)
{
    const size_t room = mt_kernel_room(kind, (size_t)x->m, (size_t)x->n, (size_t)x->k);
    double *memory = malloc((room + 2) * sizeof *memory);
    assert_non_null(memory);
    const size_t skipped = (size_t)memory % 64 == 0;
    memory[skipped + room] = 42;
    const struct product product = product_of(x, o, c);
    mt_kernel_multiply(kind, &product, x->alpha, memory + skipped);
    assert_true(memory[skipped + room] == 42);
    free(memory);
}

static void check_kind(const struct kernel_kind *kind, const struct strassen_case *x)
{
    struct strassen_operands o = strassen_operands_make(x, strassen_integer);
    if (x->beta == 0) /* is not read */
        for (int j = 0; j < x->n; j++)
            for (int i = 0; i < x->m; i++)
                o.c[i + j * o.ldc] = NAN;
    double *c = strassen_copy(o.c, o.size_c);
    multiply(kind, x, &o, c);
    strassen_call_naive(x, &o, o.c);
    for (size_t i = 0; i < o.size_c; i++)
        if (c[i] != o.c[i])
            fail_msg("%d x %d x %d, transposes %d and %d, alpha %g, beta %g: element "
                     "%zu is %g, not %g",
                     x->m, x->n, x->k, x->transpose_a, x->transpose_b, x->alpha,
                     x->beta, i, c[i], o.c[i]);
    free(c);
    strassen_operands_clear(&o);
}

/* By all kernels that the processor can run. */
static void check_exact(const struct strassen_case *x)
{
    for (int i = 0; mt_kernel_kind(i); i++)
        check_kind(mt_kernel_kind(i), x);
}

/* Case number `i` of all that may be said besides the sizes. */
static struct strassen_case combination(int i, int m, int n, int k)
{
    static const CBLAS_TRANSPOSE transposes[] = {CblasNoTrans, CblasTrans};
    static const double betas[] = {0, 1, -2};
    return (struct strassen_case){
        .layout = CblasColMajor,
        .transpose_a = transposes[i % 2],
        .transpose_b = transposes[i / 2 % 2],
        .m = m,
        .n = n,
        .k = k,
        .alpha = i % 5 == 0 ? -3 : 1,
        .beta = betas[i % 3],
        .pad = i % 7,
    };
}

static void parts_of_tiles_are_exact(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    static const int ms[] = {1, 7, 8, 9, 16, 23, 24, 25, 47, 49};
    static const int ns[] = {1, 2, 7, 8, 9, 17}, ks[] = {1, 2, 7, 8, 9, 33};
    int next = 0;
    for (int m = 0; m < 10; m++)
        for (int n = 0; n < 6; n++)
            for (int k = 0; k < 6; k++)
                for (int transposes = 0; transposes < 4; transposes++) {
                    next += 5;
                    const struct strassen_case x =
                        combination(next, ms[m], ns[n], ks[k]);
                    check_exact(&x);
                }
}

/* Each of the sizes larger than what is packed at a time. */
static void pieces_are_exact(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    static const int sizes[][3] = {
        {601, 9, 10}, {26, 4099, 11}, {25, 9, 1541}, {146, 2049, 515}, {144, 2048, 8}};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < (i == 3 ? 1 : 4); j++) {
            const struct strassen_case x =
                combination(i + j, sizes[i][0], sizes[i][1], sizes[i][2]);
            check_exact(&x);
        }
}

/* A row that is not finite spoils its own row and nothing else: not those that share
   its vectors, either. */
static void what_is_not_finite_stays_in_its_row(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    static const double values[] = {NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        const struct kernel_kind *kind = mt_kernel_kind(i / 2);
        if (!kind)
            break;
        const struct strassen_case x = {.layout = CblasColMajor,
                                        .transpose_a = CblasNoTrans,
                                        .transpose_b = CblasNoTrans,
                                        .m = 29,
                                        .n = 11,
                                        .k = 13,
                                        .alpha = 1,
                                        .beta = 1};
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        o.a[26 + 12 * o.lda] = values[i % 2];
        multiply(kind, &x, &o, o.c);
        for (int row = 0; row < x.m; row++)
            for (int column = 0; column < x.n; column++)
                assert_true(isfinite(o.c[row + column * o.ldc]) == (row != 26));
        strassen_operands_clear(&o);
    }
}

static const struct mt_strassen_tuning by_kernel = {.kernel = true};
static const struct mt_strassen_tuning by_two = {.kernel = true, .threads = 2};

/* Through the library's door, with just the workspace that it asks for. */
static void check_call(const struct strassen_case *x,
                       const struct mt_strassen_tuning *tuning, int levels)
{
    struct mt_strassen_how how = {.tuning = tuning, .levels = &levels};
    how.room = mt_strassen_workspace(&how, x->m, x->n, x->k, x->beta);
    assert_true(how.room > 0);
    how.workspace = malloc((how.room + 1) * sizeof *how.workspace);
    assert_non_null(how.workspace);
    how.workspace[how.room] = 42;

    struct strassen_operands o = strassen_operands_make(x, strassen_integer);
    double *c = strassen_copy(o.c, o.size_c), *blas = strassen_copy(o.c, o.size_c);
    assert_int_equal(strassen_call(x, &how, &o, c), MT_STRASSEN_OK);
    strassen_call_blas(x, &o, blas);
    for (size_t i = 0; i < o.size_c; i++)
        assert_true(c[i] == blas[i]);
    assert_true(how.workspace[how.room] == 42);

    how.room--;
    assert_int_equal(strassen_call(x, &how, &o, o.c), MT_STRASSEN_NO_ROOM);
    free(c);
    free(blas);
    free(how.workspace);
    strassen_operands_clear(&o);
}

static void large_products_are_exact_by_it(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    struct strassen_case x = combination(0, 563, 570, 562);
    check_call(&x, &by_kernel, 0);
    x = combination(2, 563, 1040, 562);
    x.layout = CblasRowMajor;
    check_call(&x, &by_kernel, 0);
    x = combination(4, 1121, 1141, 1130);
    check_call(&x, &by_kernel, 1);
}

static void count_progress(void *data)
{
    ++*(int *)data;
}

/* On the last level the kernel adds quarters as it packs them: in all orders in which
   operands may lie, added to C or not; below another level; and where messages want the
   processor within a product, which it then makes in parts. */
static void levels_by_it_are_exact(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    for (int i = 0; i < 8; i++) {
        const struct strassen_case x = combination(i, 1121 + i, 1130, 1127 - i / 4);
        check_call(&x, &by_kernel, 1);
    }
    const struct strassen_case deep = combination(6, 2245, 2260, 2250);
    check_call(&deep, &by_kernel, 2);
}

static void progress_within_levels_by_it(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    const struct strassen_case x = combination(7, 2000, 2420, 3400);
    const int levels = 1;
    int calls = 0;
    const struct mt_strassen_how how = {.tuning = &by_kernel,
                                        .levels = &levels,
                                        .progress = count_progress,
                                        .data = &calls};
    struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
    double *c = strassen_copy(o.c, o.size_c);
    assert_int_equal(strassen_call(&x, &how, &o, c), MT_STRASSEN_OK);
    strassen_call_blas(&x, &o, o.c);
    for (size_t i = 0; i < o.size_c; i++)
        assert_true(c[i] == o.c[i]);
    assert_int_equal(calls, 7 * 2);
    free(c);
    strassen_operands_clear(&o);
}

static void parts_of_threads_are_most_nearly_square(void **unused)
{
    (void)unused;
    static const struct {
        int m, n, threads, rows, columns;
    } teams[] = {{100, 100, 1, 1, 1},  {100, 101, 2, 1, 2}, {101, 100, 2, 2, 1},
                 {500, 500, 4, 2, 2},  {900, 400, 6, 3, 2}, {100, 900, 6, 1, 6},
                 {500, 500, 64, 8, 8}, {300, 500, 7, 1, 7}};
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        const struct team team =
            mt_strassen_team((size_t)teams[i].m, (size_t)teams[i].n, teams[i].threads);
        assert_int_equal(team.rows, teams[i].rows);
        assert_int_equal(team.columns, teams[i].columns);
    }
    assert_int_equal(mt_strassen_largest_part(1000, 2, 0), 504);
    assert_int_equal(mt_strassen_largest_part(1000, 2, 2), 520);
}

/* More threads than there are cores, too; progress is only the caller's. */
static void parts_of_threads_are_exact(void **unused)
{
    (void)unused;
    static const struct team teams[] = {{1, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}};
    for (int i = 0; i < 5; i++) {
        const struct strassen_case x = combination(i, 131 + i, 150 - i, 70);
        const struct team team = teams[i];
        const int levels = i % 3;
        int calls = 0;
        const struct strassen_call call = {
            .alpha = x.alpha, .progress = count_progress, .data = &calls, .threads = 1};
        const size_t each = mt_strassen_room(
            mt_strassen_largest_part(131 + (size_t)i, team.rows, levels),
            mt_strassen_largest_part(150 - (size_t)i, team.columns, levels), 70,
            levels);
        struct strassen_operands o = strassen_operands_make(&x, strassen_integer);
        double *blas = strassen_copy(o.c, o.size_c);
        double *workspace = calloc(team.rows * team.columns * each + 1, sizeof(double));
        assert_non_null(workspace);
        const struct product product = product_of(&x, &o, o.c);
        const struct team_room room = {workspace, each, each};
        mt_strassen_team_multiply(&call, &product, levels, team, &room);
        strassen_call_blas(&x, &o, blas);
        for (size_t j = 0; j < o.size_c; j++)
            assert_true(o.c[j] == blas[j]);
        assert_true(calls >= 1 && calls <= 7 * 7 + 3);
        free(workspace);
        free(blas);
        strassen_operands_clear(&o);
    }
}

static void two_threads_are_exact_by_it(void **unused)
{
    (void)unused;
    if (lacks_kernel())
        return;
    if (!mt_strassen_has_cores(2)) {
        test_skipped("there are not two cores");
        return;
    }
    struct strassen_case x = combination(1, 563, 1170, 562);
    check_call(&x, &by_two, 0);
    x = combination(3, 2300, 1141, 1130);
    x.layout = CblasRowMajor;
    check_call(&x, &by_two, 1);
    assert_false(mt_strassen_has_cores(100000));
}

/* Large enough for each thread to be worth its start. */
static void sums_by_two_threads_are_exact(void **unused)
{
    (void)unused;
    static const struct mt_strassen_tuning sums_by_two = {.threads = 2};
    for (int i = 0; i < 8; i++) {
        const struct strassen_case x = combination(i, 1121 + i, 1130, 1127 - i / 4);
        check_call(&x, &sums_by_two, 1);
    }
}

static void count_columns(const void *data, size_t first, size_t columns)
{
    char *done = *(char *const *)data;
    for (size_t i = first; i < first + columns; i++)
        done[i]++;
}

static void every_column_is_done_once(void **unused)
{
    (void)unused;
    static const size_t columns[] = {0, 1, 3, 1000};
    for (int threads = 1; threads <= 9; threads += 2)
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            char done[1000] = {0}, *const place = done;
            mt_strassen_by_columns(threads, 1 << 16, columns[i], count_columns, &place);
            for (size_t j = 0; j < 1000; j++)
                assert_int_equal(done[j], j < columns[i]);
        }
}

static void small_ones_are_left_to_the_blas(void **unused)
{
    (void)unused;
    const int levels = 0;
    const struct mt_strassen_how how = {.tuning = &by_kernel, .levels = &levels};
    assert_int_equal(mt_strassen_workspace(&how, 100, 5000, 5000, 0), 0);
    assert_int_equal(mt_strassen_workspace(&how, 5000, 5000, 100, 0), 0);
    assert_false(mt_kernel_suits(5000, 100, 5000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_tiles_are_exact),
        cmocka_unit_test(pieces_are_exact),
        cmocka_unit_test(what_is_not_finite_stays_in_its_row),
        cmocka_unit_test(large_products_are_exact_by_it),
        cmocka_unit_test(levels_by_it_are_exact),
        cmocka_unit_test(progress_within_levels_by_it),
        cmocka_unit_test(parts_of_threads_are_most_nearly_square),
        cmocka_unit_test(parts_of_threads_are_exact),
        cmocka_unit_test(two_threads_are_exact_by_it),
        cmocka_unit_test(sums_by_two_threads_are_exact),
        cmocka_unit_test(every_column_is_done_once),
        cmocka_unit_test(small_ones_are_left_to_the_blas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
