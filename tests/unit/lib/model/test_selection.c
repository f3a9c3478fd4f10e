/* SPDX-License-Identifier: BSD-3-Clause */
/* Choosing columns by cross-validation. */
#include "lib/model/selection.h"

#include "tests/unit/test.h"

/* Columns 0 and 1 make the sum, the others are as large and mean nothing. */
enum { ROWS = 24, COLUMNS = 8, FOLDS = 4, MADE_OF = 2 };

struct lab {
    struct mt_sparse_row rows[ROWS];
    int columns[COLUMNS], set[COLUMNS];
    double values[ROWS][COLUMNS];
    bool fixed[COLUMNS], held[FOLDS * ROWS], judged[FOLDS * ROWS];
    bool taken[COLUMNS];
    double x[COLUMNS], errors[ROWS];
};

/* Between 0 and 1; a generator of our own, the same on every machine. */
static double uniform(unsigned *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random / 4294967296.0;
}

/* 2 times the first column and 3 times the second, and up to `noise` more or less. */
static void lab_init(struct lab *lab, unsigned random, double noise)
{
    *lab = (struct lab){.fixed = {true}};
    for (int j = 0; j < COLUMNS; j++)
        lab->columns[j] = lab->set[j] = j;
    for (int i = 0; i < ROWS; i++) {
        double *row = lab->values[i];
        for (int j = 0; j < COLUMNS; j++)
            row[j] = 0.1 + uniform(&random);
        const double sum =
            (2 * row[0] + 3 * row[1]) * (1 + noise * (2 * uniform(&random) - 1));
        for (int j = 0; j < COLUMNS; j++)
            row[j] /= sum;
        lab->rows[i] = (struct mt_sparse_row){
            .columns = lab->columns, .values = row, .count = COLUMNS};
        lab->held[i % FOLDS * ROWS + i] = lab->judged[i % FOLDS * ROWS + i] = true;
    }
}

static struct mt_selected lab_select(struct lab *lab, int nfolds, double ridge)
{
    const struct mt_selection selection = {.rows = lab->rows,
                                           .nrows = ROWS,
                                           .ncolumns = COLUMNS,
                                           .nsets = COLUMNS,
                                           .nfolds = nfolds,
                                           .set = lab->set,
                                           .fixed = lab->fixed,
                                           .first = lab->fixed,
                                           .held = lab->held,
                                           .judged = lab->judged,
                                           .ridge = ridge};
    struct mt_selected selected = {
        .taken = lab->taken, .x = lab->x, .held = lab->errors};
    assert_int_equal(mt_select(&selected, &selection, NULL), MT_OK);
    return selected;
}

static void what_the_rows_are_made_of_is_found(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 1, 0);
    const struct mt_selected selected = lab_select(&lab, FOLDS, 0);
    assert_true(lab.taken[0] && lab.taken[1]);
    assert_close(lab.x[0], 2, 0.01);
    assert_close(lab.x[1], 3, 0.01);
    assert_true(selected.score < 0.005);
    for (int i = 0; i < ROWS; i++)
        assert_true(lab.errors[i] < 1e-4); /* each was held out, and predicted */
}

/* Noise is not explained by columns that mean nothing, or only now and then. */
static void noise_is_not_explained(void **state)
{
    (void)state;
    enum { SEEDS = 40 };
    int needless = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct lab lab;
        lab_init(&lab, seed, 0.05);
        lab_select(&lab, FOLDS, 0);
        assert_true(lab.taken[0] && lab.taken[1]);
        assert_close(lab.x[0], 2, 0.2);
        assert_close(lab.x[1], 3, 0.2);
        for (int j = MADE_OF; j < COLUMNS; j++)
            needless += lab.taken[j];
    }
    assert_true(needless < SEEDS * (COLUMNS - MADE_OF) / 8);
}

/* Columns of one set come and go together; what is fixed stays, needed or not. */
static void sets_are_taken_whole(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 1, 0.02);
    lab.set[1] = lab.set[2] = 1;
    lab.fixed[0] = false;
    lab.fixed[7] = true;
    lab_select(&lab, FOLDS, 0);
    assert_true(lab.taken[0] && lab.taken[1] && lab.taken[7]);
    assert_false(lab.taken[2]); /* no column is in it */
    assert_close(lab.x[1], 3, 0.1);
    assert_true(lab.x[2] < 0.3);
}

/* With a ridge there is no choice, and without folds no error. */
static void a_given_ridge_leaves_no_choice(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab, 1, 0);
    const struct mt_selected selected = lab_select(&lab, 0, 0.003);
    assert_true(lab.taken[0] && !lab.taken[1]);
    assert_true(lab.x[0] > 2 && lab.x[1] == 0);
    assert_true(selected.ridge == 0.003 && selected.score == 0);
    assert_true(isnan(lab.errors[0]));
}

/* Rows whose errors are not to be expected count for the choice, but have none. */
static void what_is_not_judged_has_no_error(void **state)
{
    (void)state;
    struct lab all, some;
    lab_init(&all, 1, 0.05);
    lab_init(&some, 1, 0.05);
    some.judged[5 % FOLDS * ROWS + 5] = false;
    const double score = lab_select(&all, FOLDS, 0).score;
    assert_true(lab_select(&some, FOLDS, 0).score == score);
    assert_memory_equal(all.x, some.x, sizeof all.x);
    for (int i = 0; i < ROWS; i++)
        assert_true(i == 5 ? isnan(some.errors[i]) : some.errors[i] == all.errors[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_rows_are_made_of_is_found),
        cmocka_unit_test(noise_is_not_explained),
        cmocka_unit_test(sets_are_taken_whole),
        cmocka_unit_test(what_is_not_judged_has_no_error),
        cmocka_unit_test(a_given_ridge_leaves_no_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
