/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program files that come with motley say of their surfaces. */
#include "lib/input/internal.h"
#include "tests/unit/test.h"

#include <glob.h>

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

/* As a simulation takes so many latencies on nodes that compute in no time, but for the
   sum of the solution. */
static void messages_of_lu_are_as_many_as_simulated(void **state)
{
    (void)state;
    assert_close(shipped_demand("programs/lu.yaml", 1600, 3).messages, 77 - 2, 1e-12);
    assert_close(shipped_demand("programs/lu.yaml", 1600, 12).messages, 128 - 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_possible),
        cmocka_unit_test(shapes_are_those_of_the_programs),
        cmocka_unit_test(messages_of_lu_are_as_many_as_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
