/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a mesh into a box of nodes for each rank; counts a box's nodes and blocks. */
#include "box.h"

void fem_box_cut(int boxes, int axes, int parts[3])
{
    int least_spread = boxes; /* above that of every cut, e.g. boxes x 1 x 1 */
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
    int boxes = rank; /* the rank's number among those not yet placed */
    *box = (struct fem_box){.rank = rank};
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

void fem_box_init_uneven(struct fem_box *box, const int nodes[3],
                         const struct box *boxes, int ranks, int rank)
{
    *box = (struct fem_box){.rank = rank, .ranks = ranks, .boxes = boxes};
    for (int axis = 0; axis < 3; axis++) {
        const int first = boxes[rank].first[axis], points = boxes[rank].points[axis];
        box->nodes[axis] = nodes[axis];
        box->first[axis] = first;
        box->points[axis] = points;
        box->halo[axis][FEM_BEFORE] = first > 0;
        box->halo[axis][FEM_AFTER] = first + points < nodes[axis];
    }
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

/* The number of boxes with a node of the element whose first node is `first`. */
static int count_meeting(const struct fem_box *box, const int first[3])
{
    const struct box element = {{first[0], first[1], first[2]}, {2, 2, 2}};
    struct box common;
    int count = 0;
    for (int rank = 0; rank < box->ranks; rank++)
        count += box_overlap(&box->boxes[rank], &element, &common);
    return count;
}

static int most_uneven_meeting(const struct fem_box *box)
{
    int most = 0;
    /* the most boxes meet at the corner of some box */
    for (int rank = 0; rank < box->ranks; rank++)
        for (int corner = 0; corner < 8; corner++) {
            int first[3];
            for (int axis = 0; axis < 3; axis++) {
                const struct box *one = &box->boxes[rank];
                const bool end = corner >> axis & 1;
                first[axis] = one->first[axis] - 1 + (end ? one->points[axis] : 0);
            }
            const int count = count_meeting(box, first);
            if (count > most)
                most = count;
        }
    return most;
}

int fem_box_most_meeting(const struct fem_box *box)
{
    int meeting = 1;
    if (box->boxes)
        return most_uneven_meeting(box);
    for (int axis = 0; axis < 3; axis++)
        meeting *= box->parts[axis] > 1 ? 2 : 1;
    return meeting;
}

/* Nodes share an element when their places differ by at most one along each axis: a
   product of the numbers along the axes. */

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

bool fem_box_find_face(const struct fem_box *box, int axis, int side,
                       struct fem_border *border)
{
    struct box layer;
    int distance = side == FEM_BEFORE ? -1 : 1;
    if (!box->halo[axis][side])
        return false;
    for (int other = 0; other < 3; other++) {
        const bool with_halo = other < axis;
        layer.first[other] = with_halo ? -box->halo[other][FEM_BEFORE] : 0;
        layer.points[other] = with_halo ? length(box, other) : box->points[other];
        if (other > axis)
            distance *= box->parts[other];
    }
    layer.points[axis] = 1;
    border->neighbour = box->rank + distance;
    border->own = border->halo = layer;
    border->own.first[axis] = side == FEM_BEFORE ? 0 : box->points[axis] - 1;
    border->halo.first[axis] = side == FEM_BEFORE ? -1 : box->points[axis];
    return true;
}

bool fem_box_find_overlap(const struct fem_box *box, int rank,
                          struct fem_border *border)
{
    border->neighbour = rank;
    return rank != box->rank && box_touch(&box->boxes[box->rank], &box->boxes[rank],
                                          &border->own, &border->halo);
}
