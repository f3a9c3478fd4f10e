/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/fem/mesh.h"

#include "tests/unit/test.h"

static void expect_cut(int boxes, int axes, int a, int b, int c)
{
    int parts[3];
    fem_box_cut(boxes, axes, parts);
    assert_int_equal(parts[0], a);
    assert_int_equal(parts[1], b);
    assert_int_equal(parts[2], c);
}

static void cuts_are_as_cubic_as_can_be(void **state)
{
    (void)state;
    expect_cut(1, 2, 1, 1, 1);
    expect_cut(7, 2, 7, 1, 1);
    expect_cut(9, 2, 3, 3, 1);
    expect_cut(24, 2, 6, 4, 1);
    expect_cut(1, 3, 1, 1, 1);
    expect_cut(7, 3, 7, 1, 1);
    expect_cut(12, 3, 3, 2, 2);
    expect_cut(27, 3, 3, 3, 3);
    expect_cut(24, 3, 4, 3, 2);
    expect_cut(1024, 3, 16, 8, 8);
}

/* Go through the boxes of all ranks; each node has one owner. */
static void boxes_cover_the_mesh(void **state)
{
    (void)state;
    const int nodes[3] = {7, 8, 5}, parts[3] = {3, 2, 4};
    int owners[7][8][5] = {{{0}}};
    for (int rank = 0; rank < 24; rank++) {
        struct fem_box box;
        fem_box_init(&box, nodes, parts, rank);
        for (size_t i = 0; i < fem_box_own(&box); i++) {
            int place[3];
            fem_box_own_place(&box, i, place);
            assert_true(fem_box_owns(&box, place));
            assert_int_equal(fem_box_own_index(&box, place), i);
            owners[box.first[0] + place[0]][box.first[1] + place[1]]
                  [box.first[2] + place[2]]++;
        }
    }
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 5; k++)
                assert_int_equal(owners[i][j][k], 1);
}

/* Places of a box are nodes of the whole mesh. */
static void assert_same_nodes(const struct fem_box *box, const struct box *places,
                              const struct fem_box *other, const struct box *others)
{
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(box->first[axis] + places->first[axis],
                         other->first[axis] + others->first[axis]);
        assert_int_equal(places->points[axis], others->points[axis]);
    }
}

/* The nodes that a box sends to its neighbour are those that the neighbour receives. */
static void neighbours_agree(void **state)
{
    (void)state;
    const int nodes[3] = {7, 8, 5}, parts[3] = {3, 2, 4};
    int borders = 0;
    for (int rank = 0; rank < 24; rank++)
        for (int axis = 0; axis < 3; axis++) {
            struct fem_box box, next;
            struct fem_border after, before;
            fem_box_init(&box, nodes, parts, rank);
            if (!fem_box_find_face(&box, axis, FEM_AFTER, &after))
                continue;
            fem_box_init(&next, nodes, parts, after.neighbour);
            assert_true(fem_box_find_face(&next, axis, FEM_BEFORE, &before));
            assert_int_equal(before.neighbour, rank);
            assert_same_nodes(&box, &after.own, &next, &before.halo);
            assert_same_nodes(&box, &after.halo, &next, &before.own);
            borders++;
        }
    assert_int_equal(borders, 2 * 2 * 4 + 3 * 1 * 4 + 3 * 2 * 3);
}

enum { UNEVEN = 11 };

static void cut_unevenly(struct box boxes[UNEVEN], const int nodes[3])
{
    double weights[UNEVEN];
    for (int i = 0; i < UNEVEN; i++)
        weights[i] = 1 + i * i % 7;
    parts_cut_box(boxes, nodes, weights, UNEVEN);
}

static void uneven_neighbours_agree(void **state)
{
    (void)state;
    const int nodes[3] = {7, 8, 5};
    struct box boxes[UNEVEN];
    cut_unevenly(boxes, nodes);
    for (int rank = 0; rank < UNEVEN; rank++)
        for (int other = 0; other < UNEVEN; other++) {
            struct fem_box box, next;
            struct fem_border there, back;
            fem_box_init_uneven(&box, nodes, boxes, UNEVEN, rank);
            fem_box_init_uneven(&next, nodes, boxes, UNEVEN, other);
            const bool touch = fem_box_find_overlap(&box, other, &there);
            assert_int_equal(touch, fem_box_find_overlap(&next, rank, &back));
            if (!touch)
                continue;
            assert_int_equal(there.neighbour, other);
            assert_same_nodes(&box, &there.own, &next, &back.halo);
            assert_same_nodes(&box, &there.halo, &next, &back.own);
        }
}

/* Each node of the halo comes from one neighbour; the own ones from none. */
static void uneven_neighbours_fill_the_halo(void **state)
{
    (void)state;
    const int nodes[3] = {7, 8, 5};
    struct box boxes[UNEVEN];
    cut_unevenly(boxes, nodes);
    for (int rank = 0; rank < UNEVEN; rank++) {
        struct fem_box box;
        struct fem_border border;
        int senders[7 * 8 * 5] = {0};
        fem_box_init_uneven(&box, nodes, boxes, UNEVEN, rank);
        for (int other = 0; other < UNEVEN; other++) {
            if (!fem_box_find_overlap(&box, other, &border))
                continue;
            const int *from = border.halo.first, *points = border.halo.points;
            for (int i = from[0]; i < from[0] + points[0]; i++)
                for (int j = from[1]; j < from[1] + points[1]; j++)
                    for (int k = from[2]; k < from[2] + points[2]; k++) {
                        const int place[3] = {i, j, k};
                        assert_true(fem_box_contains(&box, place));
                        assert_false(fem_box_owns(&box, place));
                        senders[fem_box_index(&box, place)]++;
                    }
        }
        int filled = 0;
        for (size_t i = 0; i < fem_box_all(&box); i++) {
            assert_in_range(senders[i], 0, 1);
            filled += senders[i];
        }
        assert_int_equal(filled, fem_box_all(&box) - fem_box_own(&box));
    }
}

static void meeting_boxes_are_counted(void **state)
{
    (void)state;
    const int nodes[3] = {4, 8, 2};
    struct fem_box box;
    fem_box_init(&box, nodes, (const int[3]){1, 1, 1}, 0);
    assert_int_equal(fem_box_most_meeting(&box), 1);
    fem_box_init(&box, nodes, (const int[3]){2, 3, 1}, 0);
    assert_int_equal(fem_box_most_meeting(&box), 4);

    /* the ends of two sides meet at the middle of a third one; then four corners meet
     */
    const struct box three[] = {
        {{0, 0, 0}, {4, 4, 2}}, {{0, 4, 0}, {2, 4, 2}}, {{2, 4, 0}, {2, 4, 2}}};
    const struct box four[] = {{{0, 0, 0}, {2, 4, 2}},
                               {{2, 0, 0}, {2, 4, 2}},
                               {{0, 4, 0}, {2, 4, 2}},
                               {{2, 4, 0}, {2, 4, 2}}};
    fem_box_init_uneven(&box, nodes, three, 3, 0);
    assert_int_equal(fem_box_most_meeting(&box), 3);
    fem_box_init_uneven(&box, nodes, four, 4, 0);
    assert_int_equal(fem_box_most_meeting(&box), 4);
}

static void formulas_count_couplings(void **state)
{
    (void)state;
    const int nodes[3] = {7, 8, 5}, parts[3] = {3, 2, 4};
    for (int rank = 0; rank < 24; rank++) {
        struct fem_box box;
        size_t all = 0, own = 0;
        fem_box_init(&box, nodes, parts, rank);
        for (size_t i = 0; i < fem_box_own(&box); i++)
            for (int which = 0; which < FEM_AROUND; which++) {
                int place[3], other[3];
                fem_box_own_place(&box, i, place);
                fem_box_around(place, which, other);
                all += fem_box_contains(&box, other);
                own += fem_box_owns(&box, other);
            }
        assert_int_equal(fem_box_couplings(&box), all);
        assert_int_equal(fem_box_own_couplings(&box), own);
    }
}

static void every_node_has_a_number(void **state)
{
    (void)state;
    const int nodes[3] = {9, 5, 4}, parts[3] = {3, 1, 2};
    struct fem_box box;
    struct fem_mesh mesh;
    fem_box_init(&box, nodes, parts, 2);
    assert_int_equal(fem_mesh_init(&mesh, &box), 0);
    const size_t own = fem_box_own(&box), all = fem_box_all(&box);
    assert_int_equal(own, 3 * 5 * 2);
    assert_int_equal(all, 5 * 5 * 3);
    bool *taken = calloc(all, sizeof *taken);
    for (size_t i = 0; i < all; i++) {
        assert_in_range(mesh.number[i], 0, all - 1);
        assert_false(taken[mesh.number[i]]);
        taken[mesh.number[i]] = true;
    }
    for (size_t i = 0; i < own; i++) {
        int place[3];
        fem_box_own_place(&box, i, place);
        assert_in_range(fem_mesh_number(&mesh, place), 0, own - 1);
    }
    free(taken);
    fem_mesh_clear(&mesh);
}

/* Two rings with badly numbered nodes: the ordering recognises them as rings and takes
   both sides of each in turn. */
static void ordering_brings_neighbours_together(void **state)
{
    (void)state;
    enum { NODES = 22, RING = 11 };
    size_t starts[NODES + 1];
    int neighbours[2 * NODES], order[NODES], place[NODES];
    for (int i = 0; i <= NODES; i++)
        starts[i] = 2 * (size_t)i;
    for (int i = 0; i < NODES; i++) {
        const int ring = i / RING * RING, at = i % RING; /* beside at - 4 and at + 4 */
        neighbours[2 * i] = ring + (at + 4) % RING;
        neighbours[2 * i + 1] = ring + (at + RING - 4) % RING;
    }
    const struct fem_graph graph = {NODES, starts, neighbours};
    assert_int_equal(fem_order_find(&graph, order), 0);
    for (int i = 0; i < NODES; i++)
        place[i] = -1;
    for (int i = 0; i < NODES; i++)
        place[order[i]] = i;
    for (int i = 0; i < NODES; i++) {
        assert_in_range(place[i], 0, NODES - 1);
        for (int j = 0; j < 2; j++)
            assert_true(abs(place[i] - place[neighbours[2 * i + j]]) <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_as_cubic_as_can_be),
        cmocka_unit_test(boxes_cover_the_mesh),
        cmocka_unit_test(neighbours_agree),
        cmocka_unit_test(uneven_neighbours_agree),
        cmocka_unit_test(uneven_neighbours_fill_the_halo),
        cmocka_unit_test(meeting_boxes_are_counted),
        cmocka_unit_test(formulas_count_couplings),
        cmocka_unit_test(every_node_has_a_number),
        cmocka_unit_test(ordering_brings_neighbours_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
