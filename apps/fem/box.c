/* SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"

void fem_box_cut(int boxes, int axes, int parts[3])
{
    int least_spread = boxes; /* that of boxes x 1 x 1 is less */
    for (int c = 1; c * c * c <= boxes && (axes == 3 || c == 1); c++)
        for (int b = c; b * b * c <= boxes; b++) {
            const int a = boxes / c / b, spread = a - (axes == 3 ? c : b);
            if (a * b * c != boxes || spread > least_spread)
                continue;
            least_spread = spread;
            parts[0] = a;
            parts[1] = b;
            parts[2] = c;
        }
}

void fem_box_init(struct fem_box *box, const int nodes[3], const int parts[3], int rank)
{
    int boxes = rank; /* still to be told apart */
    box->rank = rank;
    for (int axis = 2; axis >= 0; axis--) {
        const int share = nodes[axis] / parts[axis], more = nodes[axis] % parts[axis];
        const int here = boxes % parts[axis];
        boxes /= parts[axis];
        box->nodes[axis] = nodes[axis];
        box->parts[axis] = parts[axis];
        box->first[axis] = here * share + (here < more ? here : more);
        box->points[axis] = share + (here < more);
        box->halo[axis][FEM_BEFORE] = here > 0;
        box->halo[axis][FEM_AFTER] = here < parts[axis] - 1;
    }
}

int fem_box_neighbour(const struct fem_box *box, int axis, int side)
{
    int distance = side == FEM_BEFORE ? -1 : 1;
    for (int after = axis + 1; after < 3; after++)
        distance *= box->parts[after];
    return box->halo[axis][side] ? box->rank + distance : -1;
}

/* Nodes along an axis, halo included. */
static int length(const struct fem_box *box, int axis)
{
    return box->halo[axis][FEM_BEFORE] + box->points[axis] + box->halo[axis][FEM_AFTER];
}

size_t fem_box_own(const struct fem_box *box)
{
    return (size_t)box->points[0] * (size_t)box->points[1] * (size_t)box->points[2];
}

size_t fem_box_all(const struct fem_box *box)
{
    return (size_t)length(box, 0) * (size_t)length(box, 1) * (size_t)length(box, 2);
}

size_t fem_box_index(const struct fem_box *box, const int place[3])
{
    size_t index = 0;
    for (int axis = 0; axis < 3; axis++)
        index = index * (size_t)length(box, axis) +
                (size_t)(place[axis] + box->halo[axis][FEM_BEFORE]);
    return index;
}

size_t fem_box_own_index(const struct fem_box *box, const int place[3])
{
    size_t index = 0;
    for (int axis = 0; axis < 3; axis++)
        index = index * (size_t)box->points[axis] + (size_t)place[axis];
    return index;
}

void fem_box_own_place(const struct fem_box *box, size_t index, int place[3])
{
    for (int axis = 2; axis >= 0; axis--) {
        place[axis] = (int)(index % (size_t)box->points[axis]);
        index /= (size_t)box->points[axis];
    }
}

void fem_box_around(const int place[3], int which, int other[3])
{
    for (int axis = 2; axis >= 0; axis--) {
        other[axis] = place[axis] + which % 3 - 1;
        which /= 3;
    }
}

bool fem_box_contains(const struct fem_box *box, const int place[3])
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside && place[axis] >= -box->halo[axis][FEM_BEFORE] &&
                 place[axis] < box->points[axis] + box->halo[axis][FEM_AFTER];
    return inside;
}

bool fem_box_owns(const struct fem_box *box, const int place[3])
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside && place[axis] >= 0 && place[axis] < box->points[axis];
    return inside;
}

/* Nodes share an element when their places differ by at most one along each axis: a
   product of what there is along the axes. */

size_t fem_box_own_couplings(const struct fem_box *box)
{
    size_t couplings = 1;
    for (int axis = 0; axis < 3; axis++)
        couplings *= (size_t)(3 * box->points[axis] - 2);
    return couplings;
}

size_t fem_box_couplings(const struct fem_box *box)
{
    size_t couplings = 1;
    for (int axis = 0; axis < 3; axis++)
        couplings *= (size_t)(2 * box->points[axis] - 2 + length(box, axis));
    return couplings;
}

size_t fem_box_face(const struct fem_box *box, int axis)
{
    size_t face = 1;
    for (int before = 0; before < axis; before++)
        face *= (size_t)length(box, before);
    for (int after = axis + 1; after < 3; after++)
        face *= (size_t)box->points[after];
    return face;
}
