/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/fem/factor.h"

#include "apps/fem/assemble.h"

#include "tests/unit/test.h"

/* A mesh on one rank, its matrix, and its incomplete factorisation. */
struct system {
    struct work_node node;
    struct fem_mesh mesh;
    struct fem_matrix matrix;
    struct fem_factor factor;
    size_t values;
};

static void build(struct system *system, const int nodes[3])
{
    struct fem_box box;
    *system = (struct system){.values = 3 * (size_t)nodes[0] * (size_t)nodes[1] *
                                        (size_t)nodes[2]};
    work_node_init(&system->node, false);
    fem_box_init(&box, nodes, (const int[3]){1, 1, 1}, 0);
    assert_int_equal(fem_mesh_init(&system->mesh, &box), 0);
    assert_int_equal(fem_matrix_init(&system->matrix, &system->node, &system->mesh), 0);
    fem_assemble_matrix(&system->matrix, &system->mesh);
}

static void release(struct system *system)
{
    fem_factor_clear(&system->factor);
    fem_matrix_clear(&system->matrix);
    fem_mesh_clear(&system->mesh);
}

static double *make_vector(const struct system *system, int seed)
{
    double *vector = calloc(system->values, sizeof *vector);
    for (size_t i = 0; i < system->values; i++)
        vector[i] = sin(1 + seed + 3.0 * (double)i);
    return vector;
}

static double product(const struct system *system, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < system->values; i++)
        sum += a[i] * b[i];
    return sum;
}

static void matrices_are_symmetric_and_definite(void **state)
{
    (void)state;
    struct system system;
    build(&system, (const int[3]){5, 6, 4});
    assert_int_equal(system.matrix.starts[5 * 6 * 4],
                     fem_box_couplings(&system.mesh.box));
    double *a = make_vector(&system, 0), *b = make_vector(&system, 5);
    double *image_a = make_vector(&system, 0), *image_b = make_vector(&system, 0);
    fem_matrix_multiply(&system.matrix, a, image_a);
    fem_matrix_multiply(&system.matrix, b, image_b);
    assert_close(product(&system, a, image_b), product(&system, b, image_a), 1e-12);
    assert_true(product(&system, a, image_a) > 0);
    free(image_b);
    free(image_a);
    free(b);
    free(a);
    release(&system);
}

/* In a chain of elements, every pair of nodes that a complete factorisation fills in
   shares an element already. */
static void factorisations_without_fill_in_are_exact(void **state)
{
    (void)state;
    struct system system;
    build(&system, (const int[3]){6, 2, 2});
    assert_int_equal(fem_factor_init(&system.factor, &system.matrix), FEM_DONE);
    double *x = make_vector(&system, 0), *image = make_vector(&system, 0);
    double *solution = make_vector(&system, 1);
    fem_matrix_multiply(&system.matrix, x, image);
    fem_factor_solve(&system.factor, image, solution);
    for (size_t i = 0; i < system.values; i++)
        assert_true(fabs(solution[i] - x[i]) < 1e-10);
    free(solution);
    free(image);
    free(x);
    release(&system);
}

static void factorisations_are_symmetric_and_definite(void **state)
{
    (void)state;
    struct system system;
    build(&system, (const int[3]){5, 6, 4});
    assert_int_equal(fem_factor_init(&system.factor, &system.matrix), FEM_DONE);
    double *a = make_vector(&system, 0), *b = make_vector(&system, 5);
    double *image_a = make_vector(&system, 0), *image_b = make_vector(&system, 0);
    fem_factor_solve(&system.factor, a, image_a);
    fem_factor_solve(&system.factor, b, image_b);
    assert_close(product(&system, a, image_b), product(&system, b, image_a), 1e-12);
    assert_true(product(&system, a, image_a) > 0);
    free(image_b);
    free(image_a);
    free(b);
    free(a);
    release(&system);
}

static void indefinite_matrices_are_refused(void **state)
{
    (void)state;
    struct system system;
    build(&system, (const int[3]){3, 3, 3});
    double *block = fem_matrix_block(&system.matrix, 20, 20);
    block[8] = -1;
    assert_int_equal(fem_factor_init(&system.factor, &system.matrix), FEM_NOT_DEFINITE);
    release(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_symmetric_and_definite),
        cmocka_unit_test(factorisations_without_fill_in_are_exact),
        cmocka_unit_test(factorisations_are_symmetric_and_definite),
        cmocka_unit_test(indefinite_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
