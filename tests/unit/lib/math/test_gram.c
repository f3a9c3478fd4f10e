/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/math/gram.h"
#include "lib/math/least_squares.h"
#include "lib/math/nnls.h"

#include "tests/unit/test.h"

enum { MOST = 60, MOST_ROWS = 200, LD = MOST_ROWS + MOST };

/* [A b] as rows, and where they are not zero. */
struct random_problem {
    int n, nrows;
    double ridge;
    int columns[MOST_ROWS][MOST];
    double values[MOST_ROWS][MOST];
    struct mt_sparse_row rows[MOST_ROWS];
};

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

/* Blocks of columns of their own, and `common` that all rows have. */
static void make(struct random_problem *p, unsigned seed, int blocks, int own,
                 int common)
{
    unsigned state = seed * 2654435761u + 1;
    p->n = blocks * own + common;
    p->nrows = 3 * p->n;
    p->ridge = seed % 3 == 0 ? 0 : 0.01;
    for (int r = 0; r < p->nrows; r++) {
        struct mt_sparse_row *row = &p->rows[r];
        *row = (struct mt_sparse_row){.columns = p->columns[r],
                                      .values = p->values[r],
                                      .count = own + common,
                                      .right = uniform(&state) + 0.3};
        for (int k = 0; k < own + common; k++) {
            p->columns[r][k] =
                k < own ? r % blocks * own + k : blocks * own + (k - own);
            p->values[r][k] = uniform(&state) + 0.2;
        }
    }
}

static void sum_up(struct mt_gram *gram, const struct random_problem *p)
{
    assert_int_equal(mt_gram_init(gram, p->n, p->rows, p->nrows, NULL), MT_OK);
    for (int r = 0; r < p->nrows; r++)
        mt_gram_add(gram, &p->rows[r], 1);
    mt_gram_add_ridge(gram, p->ridge);
}

/* The same by the triangle of [A b], with the ridge as rows of their own. */
static void solve_triangle(const struct random_problem *p, const bool *allowed,
                           double *x)
{
    static double matrix[LD * (MOST + 1)];
    memset(matrix, 0, sizeof matrix);
    for (int r = 0; r < p->nrows; r++) {
        const struct mt_sparse_row *row = &p->rows[r];
        for (int k = 0; k < row->count; k++)
            if (!allowed || allowed[row->columns[k]])
                matrix[row->columns[k] * LD + r] = row->values[k];
        matrix[p->n * LD + r] = row->right;
    }
    for (int j = 0; j < p->n; j++)
        matrix[j * LD + p->nrows + j] = sqrt(p->ridge);
    assert_int_equal(mt_reduce_to_triangle(matrix, LD, p->nrows + p->n, p->n + 1, NULL),
                     MT_OK);
    memset(x, 0, (size_t)p->n * sizeof *x);
    assert_int_equal(mt_nnls(matrix, LD, p->n, x, NULL), MT_OK);
}

static void assert_same(const double *a, const double *b, int n)
{
    for (int j = 0; j < n; j++)
        assert_true(fabs(a[j] - b[j]) < 1e-8 * (1 + fabs(b[j])));
}

static const struct shape {
    int blocks, own, common;
} shapes[] = {{1, 1, 0}, {1, 0, 6}, {3, 2, 0}, {5, 4, 3}, {1, 20, 20}, {16, 3, 8}};

static void agrees_with_orthogonal_factors(void **state)
{
    (void)state;
    static struct random_problem p;
    for (unsigned seed = 0; seed < 300; seed++) {
        const struct shape *shape = &shapes[seed % 6];
        struct mt_gram gram = {0};
        double x[MOST] = {0}, y[MOST];
        make(&p, seed, shape->blocks, shape->own, shape->common);
        sum_up(&gram, &p);
        assert_int_equal(mt_gram_nnls(&gram, NULL, x, NULL), MT_OK);
        solve_triangle(&p, NULL, y);
        assert_same(x, y, p.n);
        mt_gram_clear(&gram);
    }
}

/* Some columns, from where others ended. */
static void agrees_on_subsets(void **state)
{
    (void)state;
    static struct random_problem p;
    for (unsigned seed = 0; seed < 60; seed++) {
        const struct shape *shape = &shapes[seed % 6];
        struct mt_gram gram = {0};
        double x[MOST] = {0}, y[MOST];
        unsigned random = seed;
        make(&p, seed, shape->blocks, shape->own, shape->common);
        sum_up(&gram, &p);
        for (int round = 0; round < 5; round++) {
            bool allowed[MOST];
            for (int j = 0; j < p.n; j++)
                allowed[j] = uniform(&random) > 0;
            assert_int_equal(mt_gram_nnls(&gram, allowed, x, NULL), MT_OK);
            solve_triangle(&p, allowed, y);
            assert_same(x, y, p.n);
        }
        mt_gram_clear(&gram);
    }
}

static void rows_can_be_taken_out(void **state)
{
    (void)state;
    static struct random_problem p;
    for (unsigned seed = 1; seed < 60; seed += 3) {
        struct mt_gram gram = {0}, all = {0};
        double x[MOST] = {0}, y[MOST];
        make(&p, seed, 5, 4, 3);
        sum_up(&all, &p);
        sum_up(&gram, &p);
        for (int r = p.nrows / 2; r < p.nrows; r++)
            mt_gram_add(&gram, &p.rows[r], -1);
        p.nrows /= 2;
        assert_int_equal(mt_gram_nnls(&all, NULL, x, NULL), MT_OK);
        assert_int_equal(mt_gram_nnls(&gram, NULL, x, NULL), MT_OK);
        solve_triangle(&p, NULL, y);
        assert_same(x, y, p.n);
        mt_gram_clear(&gram);
        mt_gram_clear(&all);
    }
}

/* The first columns repeated, and a zero one: half of b is the repeated columns'. */
static void leaves_dependent_columns_out(void **state)
{
    (void)state;
    const int columns[] = {0, 1, 2, 3};
    const double values[3][4] = {{1, 2, 1, 0}, {2, 1, 2, 0}, {1, 1, 1, 0}};
    struct mt_sparse_row rows[3];
    struct mt_gram gram = {0};
    double x[4] = {0};
    for (int r = 0; r < 3; r++)
        rows[r] = (struct mt_sparse_row){.columns = columns,
                                         .values = values[r],
                                         .count = 4,
                                         .right = 3 * values[r][0] + values[r][1]};
    assert_int_equal(mt_gram_init(&gram, 4, rows, 3, NULL), MT_OK);
    for (int r = 0; r < 3; r++)
        mt_gram_add(&gram, &rows[r], 1);
    assert_int_equal(mt_gram_nnls(&gram, NULL, x, NULL), MT_OK);
    assert_close(x[0], 3, 1e-9);
    assert_close(x[1], 1, 1e-9);
    assert_true(x[2] == 0 && x[3] == 0);
    mt_gram_clear(&gram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_orthogonal_factors),
        cmocka_unit_test(agrees_on_subsets),
        cmocka_unit_test(rows_can_be_taken_out),
        cmocka_unit_test(leaves_dependent_columns_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
