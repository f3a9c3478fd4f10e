/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "tests/unit/test.h"

#include <glob.h>

static struct mt_expr *parsed(const char *text)
{
    struct mt_expr *expr = NULL;
    assert_int_equal(mt_expr_parse(&expr, text, NULL), MT_OK);
    return expr;
}

/* Algorithm A of the paper: rows of B go round a ring. */
static struct mt_shape product(void)
{
    return (struct mt_shape){.work = parsed("2*N^3"),
                             .memory = parsed("24*N^2/P"),
                             .valid = parsed("N >= P"),
                             .steps = parsed("N^3/P"),
                             .working_set = parsed("24*N^2/P"),
                             .imbalance = parsed("P*ceil(N/P)/N"),
                             .messages = parsed("P - 1"),
                             .bytes = parsed("8*N^2/P")};
}

static struct mt_demand demand_of(const struct mt_shape *shape, double size,
                                  double ranks)
{
    struct mt_error err = {0};
    struct mt_demand demand = {0};
    int status = mt_shape_demand(&demand, shape, size, ranks, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    return demand;
}

static void counts_what_a_product_asks_for(void **state)
{
    (void)state;
    struct mt_shape shape = product();
    const struct mt_demand demand = demand_of(&shape, 1000, 16);
    /* the busiest of 16 processes has 63 of the 1000 rows */
    assert_close(demand.steps, 63e6, 1e-14);
    assert_close(demand.working_set, 1.5e6, 1e-14);
    assert_close(demand.messages, 15.0, 0);
    assert_close(demand.bytes, 5e5, 1e-14);
    assert_close(demand.ranks, 16.0, 0);
    mt_shape_clear(&shape);
    assert_null(shape.work);
}

static void one_process_sends_nothing(void **state)
{
    (void)state;
    struct mt_shape shape = product();
    const struct mt_demand demand = demand_of(&shape, 100, 1);
    assert_close(demand.messages, 0.0, 0);
    assert_close(demand.steps, 1e6, 1e-14);
    mt_shape_clear(&shape);
}

static void has_defaults(void **state)
{
    (void)state;
    struct mt_shape shape = {.work = parsed("5*N*log2(N)")};
    const struct mt_demand demand = demand_of(&shape, 1024, 4);
    assert_close(demand.steps, 5 * 1024 * 10 / 4.0, 1e-14);
    assert_close(demand.working_set, 0.0, 0);
    assert_close(demand.messages, 0.0, 0);
    assert_close(demand.bytes, 0.0, 0);
    assert_true(mt_shape_valid(&shape, 1, 1000));
    mt_shape_clear(&shape);
}

static void may_run_where_valid_holds(void **state)
{
    (void)state;
    struct mt_shape shape = {.valid = parsed("sqrt(P) == floor(sqrt(P)) && 1/(N-5)")};
    assert_true(mt_shape_valid(&shape, 100, 64));
    assert_false(mt_shape_valid(&shape, 100, 65));
    assert_false(mt_shape_valid(&shape, 5, 64)); /* it has no value */
    mt_shape_clear(&shape);
}

static void says_which_expression_has_no_value(void **state)
{
    (void)state;
    struct mt_error err = {0};
    struct mt_demand demand = {.steps = 7};
    struct mt_shape shape = {.work = parsed("2*N^3"), .bytes = parsed("8*N/(P - 1)")};
    assert_int_equal(mt_shape_demand(&demand, &shape, 10, 1, &err), MT_EINVAL);
    assert_string_equal(err.text, "'8*N/(P - 1)' has no value at N = 10, P = 1");
    assert_close(demand.steps, 7.0, 0); /* unchanged */
    mt_shape_clear(&shape);

    shape = (struct mt_shape){.work = parsed("N^3"), .messages = parsed("P - 2")};
    assert_int_equal(mt_shape_demand(&demand, &shape, 10, 1, &err), MT_EINVAL);
    assert_string_equal(err.text, "'P - 2' is negative at N = 10, P = 1");
    mt_shape_clear(&shape);

    shape = (struct mt_shape){.work = parsed("N - 20")};
    assert_int_equal(mt_shape_demand(&demand, &shape, 10, 2, &err), MT_EINVAL);
    assert_string_equal(err.text, "'work/P' is negative at N = 10, P = 2");
    mt_shape_clear(&shape);
}

static void needs_work_or_steps(void **state)
{
    (void)state;
    struct mt_error err = {0};
    struct mt_demand demand = {0};
    const struct mt_shape empty = {0};
    assert_int_equal(mt_shape_demand(&demand, &empty, 10, 1, &err), MT_EINVAL);
    assert_string_equal(err.text, "neither the steps nor the work are known");
}

static void a_copy_is_the_same(void **state)
{
    (void)state;
    struct mt_shape shape = product(), copy = {0};
    assert_int_equal(mt_shape_copy(&copy, &shape, NULL), MT_OK);
    mt_shape_clear(&shape);
    const struct mt_demand demand = demand_of(&copy, 1000, 16);
    assert_close(demand.steps, 63e6, 1e-14);
    assert_string_equal(mt_expr_text(copy.valid), "N >= P");
    mt_shape_clear(&copy);

    const struct mt_shape empty = {0};
    assert_int_equal(mt_shape_copy(&copy, &empty, NULL), MT_OK);
    assert_null(copy.work);
}

static bool same_work(const char *first, const char *second)
{
    struct mt_shape a = {.work = first ? parsed(first) : NULL};
    struct mt_shape b = {.work = second ? parsed(second) : NULL};
    const bool same = mt_shape_same_work(&a, &b);
    assert_true(same == mt_shape_same_work(&b, &a));
    mt_shape_clear(&a);
    mt_shape_clear(&b);
    return same;
}

static void knows_the_same_work(void **state)
{
    (void)state;
    assert_true(same_work("2*N^3", "N^3 + N*N*N"));
    assert_true(same_work("2*N^3", "2.000000001*N^3"));
    assert_false(same_work("2*N^3", "2.00000001*N^3"));
    assert_false(same_work("2*N^3", "2*N^3 + 2*N^2"));
    assert_false(same_work("N*floor(log2(N))", "N*log2(N)"));
    assert_true(same_work("N^2/(N - 16)", "N^2/(N - 16)")); /* no value at 16 */
    assert_false(same_work("N^2/(N - 16)", "N^2"));
    assert_false(same_work("2*N^3", NULL));
    assert_false(same_work(NULL, NULL));
}

enum { MOST_RANKS = 64, LARGEST_PATH = 4096 };

static void find_source(char path[LARGEST_PATH], const char *name)
{
    const char *folder = getenv("MOTLEY_SOURCE");
    snprintf(path, LARGEST_PATH, "%s/%s", folder ? folder : ".", name);
}

static void load(struct mt_program *program, const char *path)
{
    struct mt_error err = {0};
    int status = mt_program_load(program, path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
}

static struct mt_demand demand_at(const struct mt_program *program, double size,
                                  double ranks)
{
    struct mt_demand demand = {0};
    struct mt_error err = {0};
    int status = mt_shape_demand(&demand, &program->shape, size, ranks, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    return demand;
}

/* One process sends nothing, and sharing the work saves none of it. */
static void check_size(const struct mt_program *program, double size)
{
    const struct mt_demand alone = demand_at(program, size, 1);
    assert_close(alone.messages, 0, 0);
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        if (!mt_shape_valid(&program->shape, size, ranks))
            continue;
        const struct mt_demand demand = demand_at(program, size, ranks);
        assert_true(demand.steps * ranks >= alone.steps * (1 - 1e-12));
        assert_true(demand.working_set <= alone.working_set);
        assert_true(demand.messages >= 1);
        assert_true(demand.bytes > 0);
    }
}

static void shapes_are_possible(void **state)
{
    (void)state;
    char path[LARGEST_PATH];
    glob_t found;
    find_source(path, "programs/*.yaml");
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct mt_program program = {0};
        load(&program, found.gl_pathv[i]);
        for (int k = 0; program.shape.messages && k < program.nmeasure_sizes; k++)
            check_size(&program, program.measure_sizes[k]);
        mt_program_clear(&program);
    }
    globfree(&found);
}

static struct mt_demand shipped_demand(const char *name, double size, double ranks)
{
    char path[LARGEST_PATH];
    struct mt_program program = {0};
    find_source(path, name);
    load(&program, path);
    const struct mt_demand demand = demand_at(&program, size, ranks);
    mt_program_clear(&program);
    return demand;
}

/* Counted by hand in the programs. */
static void shapes_are_those_of_the_programs(void **state)
{
    (void)state;
    /* 34 rows of 100 values, which are passed on twice. */
    struct mt_demand demand = shipped_demand("programs/matmul-a.yaml", 100, 3);
    assert_close(demand.steps, 34.0 * 100 * 100, 1e-12);
    assert_close(demand.messages * demand.bytes, 2 * 8.0 * 34 * 100, 1e-12);

    /* Three steps, of two sums and four messages each; 34 rows or columns where others
       have 33. */
    demand = shipped_demand("programs/matmul-b.yaml", 100, 9);
    assert_close(demand.steps, 34.0 * 100 / 3 * (100 + 3 * 2), 1e-12);
    assert_close(demand.messages, 3 * 4, 1e-12);
    assert_close(demand.messages * demand.bytes, 4 * 8.0 * 34 * 100, 1e-12);

    /* In each of ten iterations six faces of 34 x 34 values, and three numbers. */
    demand = shipped_demand("programs/jacobi.yaml", 64, 8);
    assert_close(demand.messages, 10 * (6 + 3), 1e-12);
    assert_close(demand.messages * demand.bytes, 10 * (6 * 4.0 * 34 * 34 + 3 * 8),
                 1e-12);
}

/* The latencies are as many as in a simulation on nodes that compute in no time, except
   for the sum of the solution. */
static void messages_of_lu_are_as_many_as_simulated(void **state)
{
    (void)state;
    assert_close(shipped_demand("programs/lu.yaml", 1600, 3).messages, 77 - 2, 1e-12);
    assert_close(shipped_demand("programs/lu.yaml", 1600, 12).messages, 128 - 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_a_product_asks_for),
        cmocka_unit_test(one_process_sends_nothing),
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(may_run_where_valid_holds),
        cmocka_unit_test(says_which_expression_has_no_value),
        cmocka_unit_test(needs_work_or_steps),
        cmocka_unit_test(a_copy_is_the_same),
        cmocka_unit_test(knows_the_same_work),
        cmocka_unit_test(shapes_are_possible),
        cmocka_unit_test(shapes_are_those_of_the_programs),
        cmocka_unit_test(messages_of_lu_are_as_many_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
