/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/fem/assemble.h"
#include "apps/fem/factor.h"
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

static const struct fem_material material = {.young = 3, .poisson = 0.3};

typedef double stiffness_blocks[FEM_CORNERS][FEM_CORNERS][3][3];

/* The corners of a unit cube at `origin`, moved by up to a fifth in a way that depends
   on the place alone, so that neighbours still share their corners. */
static void place_corners(double corners[FEM_CORNERS][3], const int origin[3])
{
    for (int corner = 0; corner < FEM_CORNERS; corner++) {
        int place[3], seed = 0;
        for (int axis = 0; axis < 3; axis++) {
            place[axis] = origin[axis] + fem_element_side(corner, axis);
            seed = 7 * seed + place[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            corners[corner][axis] = place[axis] + 0.2 * sin(3 * seed + axis);
    }
}

/* The forces on the corners when each point x moves by `gradient` x. */
static void find_forces(stiffness_blocks stiffness, double corners[FEM_CORNERS][3],
                        double gradient[3][3], double forces[FEM_CORNERS][3])
{
    memset(forces, 0, FEM_CORNERS * sizeof *forces);
    for (int a = 0; a < FEM_CORNERS; a++)
        for (int b = 0; b < FEM_CORNERS; b++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    for (int k = 0; k < 3; k++)
                        forces[a][i] +=
                            stiffness[a][b][i][j] * gradient[j][k] * corners[b][k];
}

static void stiffness_is_symmetric(void **state)
{
    (void)state;
    double corners[FEM_CORNERS][3];
    stiffness_blocks stiffness;
    place_corners(corners, (const int[3]){0, 0, 0});
    fem_element_stiffness(corners, &material, stiffness);
    for (int a = 0; a < FEM_CORNERS; a++)
        for (int b = 0; b < FEM_CORNERS; b++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(stiffness[a][b][i][j] - stiffness[b][a][j][i]) <
                                1e-15);
}

static void translations_need_no_force(void **state)
{
    (void)state;
    double corners[FEM_CORNERS][3];
    stiffness_blocks stiffness;
    place_corners(corners, (const int[3]){2, 1, 0});
    fem_element_stiffness(corners, &material, stiffness);
    for (int a = 0; a < FEM_CORNERS; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double force = 0;
                for (int b = 0; b < FEM_CORNERS; b++)
                    force += stiffness[a][b][i][j];
                assert_true(fabs(force) < 1e-14);
            }
}

static void rotations_need_no_force(void **state)
{
    (void)state;
    double corners[FEM_CORNERS][3], forces[FEM_CORNERS][3];
    stiffness_blocks stiffness;
    place_corners(corners, (const int[3]){0, 3, 1});
    fem_element_stiffness(corners, &material, stiffness);
    for (int axis = 0; axis < 3; axis++) {
        double rotation[3][3] = {{0}};
        rotation[(axis + 1) % 3][(axis + 2) % 3] = -1;
        rotation[(axis + 2) % 3][(axis + 1) % 3] = 1;
        find_forces(stiffness, corners, rotation, forces);
        for (int a = 0; a < FEM_CORNERS; a++)
            for (int i = 0; i < 3; i++)
                assert_true(fabs(forces[a][i]) < 1e-13);
    }
}

/* The patch test: under uniform strain, the forces of eight elements of any shape
   cancel out at the corner that they share. */
static void patches_are_in_balance(void **state)
{
    (void)state;
    double strain[3][3] = {{1, 0.2, -0.3}, {0.2, -0.5, 0.1}, {-0.3, 0.1, 0.7}};
    double sum[3] = {0}, largest = 0;
    for (int element = 0; element < 8; element++) {
        double corners[FEM_CORNERS][3], forces[FEM_CORNERS][3];
        stiffness_blocks stiffness;
        int origin[3];
        for (int axis = 0; axis < 3; axis++)
            origin[axis] = fem_element_side(element, axis);
        place_corners(corners, origin);
        fem_element_stiffness(corners, &material, stiffness);
        find_forces(stiffness, corners, strain, forces);
        for (int i = 0; i < 3; i++) { /* the corner opposite the element's own one */
            sum[i] += forces[7 - element][i];
            largest = fmax(largest, fabs(forces[7 - element][i]));
        }
    }
    assert_true(largest > 0.1);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(sum[i]) < 1e-13);
}

/* Stretched along one axis and free to shrink along the others, a unit cube is pulled
   by young * strain at both ends, a quarter of it at each corner. */
static void stretching_obeys_hooke(void **state)
{
    (void)state;
    double corners[FEM_CORNERS][3], forces[FEM_CORNERS][3];
    stiffness_blocks stiffness;
    for (int corner = 0; corner < FEM_CORNERS; corner++)
        for (int axis = 0; axis < 3; axis++)
            corners[corner][axis] = fem_element_side(corner, axis);
    fem_element_stiffness(corners, &material, stiffness);
    for (int axis = 0; axis < 3; axis++) {
        double strain[3][3] = {{0}};
        for (int i = 0; i < 3; i++)
            strain[i][i] = i == axis ? 0.01 : -0.01 * material.poisson;
        find_forces(stiffness, corners, strain, forces);
        for (int a = 0; a < FEM_CORNERS; a++)
            for (int i = 0; i < 3; i++)
                if (i == axis)
                    assert_close(forces[a][i],
                                 (fem_element_side(a, i) ? 1 : -1) * 0.01 *
                                     material.young / 4,
                                 1e-12);
                else
                    assert_true(fabs(forces[a][i]) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_symmetric_and_definite),
        cmocka_unit_test(factorisations_without_fill_in_are_exact),
        cmocka_unit_test(factorisations_are_symmetric_and_definite),
        cmocka_unit_test(indefinite_matrices_are_refused),
        cmocka_unit_test(stiffness_is_symmetric),
        cmocka_unit_test(translations_need_no_force),
        cmocka_unit_test(rotations_need_no_force),
        cmocka_unit_test(patches_are_in_balance),
        cmocka_unit_test(stretching_obeys_hooke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
