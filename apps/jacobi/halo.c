/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid's boxes, and the exchange of their outermost layers. */
#include "halo.h"

#include <stdlib.h>

size_t grid_volume(const struct grid *grid)
{
    const int *points = grid->box.points;
    return (size_t)(points[0] + 2) * (size_t)(points[1] + 2) * (size_t)(points[2] + 2);
}

size_t grid_index(const struct grid *grid, int i, int j, int k)
{
    const size_t row = (size_t)grid->box.points[2] + 2;
    const size_t plane = ((size_t)grid->box.points[1] + 2) * row;
    return (size_t)i * plane + (size_t)j * row + (size_t)k;
}

void grid_cut_even(struct grid *grid, MPI_Comm comm, int size, const int parts[3])
{
    const int periods[3] = {0, 0, 0};
    int ranks, rank, place[3];
    *grid = (struct grid){.size = size};
    MPI_Comm_size(comm, &ranks);
    for (int axis = 0; axis < 3; axis++)
        grid->parts[axis] = parts[axis];
    MPI_Dims_create(ranks, 3, grid->parts);
    MPI_Cart_create(comm, 3, grid->parts, periods, 0, &grid->comm);
    MPI_Comm_rank(grid->comm, &rank);
    MPI_Cart_coords(grid->comm, rank, 3, place);
    for (int axis = 0; axis < 3; axis++) {
        const int share = size / grid->parts[axis], more = size % grid->parts[axis];
        const int here = place[axis];
        grid->box.first[axis] = here * share + (here < more ? here : more);
        grid->box.points[axis] = share + (here < more);
        MPI_Cart_shift(grid->comm, axis, 1, &grid->neighbour[axis][0],
                       &grid->neighbour[axis][1]);
    }
}

static int cut_slices(struct box *boxes, int size, const double *weights, int count)
{
    int *planes = calloc((size_t)count, sizeof *planes), first = 0;
    if (!planes)
        return -1;
    parts_divide(planes, size, weights, count);
    for (int i = 0; i < count; i++) {
        boxes[i] = (struct box){{first, 0, 0}, {planes[i], size, size}};
        first += planes[i];
    }
    free(planes);
    return 0;
}

int grid_cut_by_weights(struct grid *grid, MPI_Comm comm, int size, bool slices,
                        const double *weights)
{
    const int cube[3] = {size, size, size};
    int ranks, rank, status = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    *grid = (struct grid){.size = size,
                          .boxes = calloc((size_t)ranks, sizeof *grid->boxes)};
    if (!grid->boxes)
        return -1;
    if (slices)
        status = cut_slices(grid->boxes, size, weights, ranks);
    else
        parts_cut_box(grid->boxes, cube, weights, ranks);
    if (status) {
        free(grid->boxes);
        return -1;
    }
    grid->box = grid->boxes[rank];
    MPI_Comm_dup(comm, &grid->comm);
    return 0;
}

void grid_clear(struct grid *grid)
{
    free(grid->boxes);
    MPI_Comm_free(&grid->comm);
}

/* Direction of a copy between points and a buffer. */
enum direction { PACK, UNPACK };

/* Copy points, counted from the box's first own point, into the buffer or back. */
static void copy_points(const struct grid *grid, float *values,
                        const struct box *points, float *buffer,
                        enum direction direction)
{
    const int *from = points->first, *count = points->points;
    for (int i = from[0]; i < from[0] + count[0]; i++)
        for (int j = from[1]; j < from[1] + count[1]; j++)
            for (int k = from[2]; k < from[2] + count[2]; k++) {
                float *value = &values[grid_index(grid, i + 1, j + 1, k + 1)];
                if (direction == PACK)
                    *buffer++ = *value;
                else
                    *value = *buffer++;
            }
}

/* Whether to copy `points`: its time is charged. */
static bool charge_copy(const struct halo *halo, const struct box *points)
{
    /* Across the last axis every value is in a cache line of its own. */
    const double touched = points->points[2] == 1 ? 64 : 2 * sizeof(float);
    return work_run(halo->node,
                    &(struct work){.efficiency = 1,
                                   .working_set = 4.0 * (double)grid_volume(halo->grid),
                                   .bytes = touched * box_volume(points)});
}

/* The layer `layer` across `axis`, with its halo. */
static struct box find_face(const struct grid *grid, int axis, int layer)
{
    struct box face;
    for (int other = 0; other < 3; other++) {
        face.first[other] = -1;
        face.points[other] = grid->box.points[other] + 2;
    }
    face.first[axis] = layer;
    face.points[axis] = 1;
    return face;
}

static size_t largest_face(const struct grid *grid)
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        const struct box face = find_face(grid, axis, 0);
        if (box_volume(&face) > largest)
            largest = box_volume(&face);
    }
    return (size_t)largest;
}

/* A message across an axis: the layer `own` goes to `to`, and the message of `from`
   fills the layer `halo`. */
struct face {
    int axis, own, to, halo, from;
};

static void pass_face(const struct halo *halo, float *values, const struct face *face)
{
    const struct grid *grid = halo->grid;
    const struct box own = find_face(grid, face->axis, face->own);
    const struct box outer = find_face(grid, face->axis, face->halo);
    const int count = (int)box_volume(&own);
    if (face->to != MPI_PROC_NULL && charge_copy(halo, &own))
        copy_points(grid, values, &own, halo->send, PACK);
    MPI_Sendrecv(halo->send, count, MPI_FLOAT, face->to, face->axis, halo->receive,
                 count, MPI_FLOAT, face->from, face->axis, grid->comm,
                 MPI_STATUS_IGNORE);
    if (face->from != MPI_PROC_NULL && charge_copy(halo, &outer))
        copy_points(grid, values, &outer, halo->receive, UNPACK);
}

static void exchange_faces(const struct halo *halo, float *values)
{
    const struct grid *grid = halo->grid;
    /* Each axis also sends the halo of those before it, so the edges travel, too. */
    for (int axis = 0; axis < 3; axis++) {
        const int end = grid->box.points[axis];
        const int before = grid->neighbour[axis][0], behind = grid->neighbour[axis][1];
        pass_face(halo, values, &(struct face){axis, end - 1, behind, -1, before});
        pass_face(halo, values, &(struct face){axis, 0, before, end, behind});
    }
}

/* Whether boxes that touch do so by a corner only: they lie side by side on no axis. */
static bool meet_in_a_corner(const struct box *a, const struct box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->first[axis] < b->first[axis] + b->points[axis] &&
            b->first[axis] < a->first[axis] + a->points[axis])
            return false;
    return true;
}

/* Find the overlap of two boxes; false: none, as the stencil has no corners. */
static bool touch(const struct box *here, const struct box *there,
                  struct halo_neighbour *neighbour)
{
    return box_touch(here, there, &neighbour->own, &neighbour->halo) &&
           !meet_in_a_corner(here, there);
}

static int find_neighbours(struct halo *halo, int rank, int ranks)
{
    const struct grid *grid = halo->grid;
    struct halo_neighbour found;
    for (int other = 0; other < ranks; other++)
        halo->count += other != rank && touch(&grid->box, &grid->boxes[other], &found);
    halo->neighbours = calloc((size_t)halo->count + 1, sizeof *halo->neighbours);
    halo->requests = calloc(2 * (size_t)halo->count + 1, sizeof(MPI_Request));
    if (!halo->neighbours || !halo->requests)
        return -1;
    struct halo_neighbour *next = halo->neighbours;
    for (int other = 0; other < ranks; other++)
        if (other != rank && touch(&grid->box, &grid->boxes[other], &found)) {
            found.rank = other;
            *next++ = found;
        }
    return 0;
}

/* Give each neighbour its place in the buffers. */
static void place_messages(struct halo *halo)
{
    float *send = halo->send, *receive = halo->receive;
    for (int i = 0; i < halo->count; i++) {
        struct halo_neighbour *neighbour = &halo->neighbours[i];
        neighbour->send = send;
        neighbour->receive = receive;
        send += (size_t)box_volume(&neighbour->own);
        receive += (size_t)box_volume(&neighbour->halo);
    }
}

int halo_init(struct halo *halo, const struct grid *grid, const struct work_node *node)
{
    int rank, ranks;
    size_t sent = largest_face(grid), received = sent;
    *halo = (struct halo){.grid = grid, .node = node};
    MPI_Comm_rank(grid->comm, &rank);
    MPI_Comm_size(grid->comm, &ranks);
    if (grid->boxes) {
        if (find_neighbours(halo, rank, ranks))
            return -1;
        sent = received = 1;
        for (int i = 0; i < halo->count; i++) {
            sent += (size_t)box_volume(&halo->neighbours[i].own);
            received += (size_t)box_volume(&halo->neighbours[i].halo);
        }
    }
    halo->send = work_buffer(node, sent, sizeof *halo->send);
    halo->receive = work_buffer(node, received, sizeof *halo->receive);
    if (!halo->send || !halo->receive)
        return -1;
    place_messages(halo);
    return 0;
}

void halo_clear(struct halo *halo)
{
    if (halo->receive)
        work_buffer_free(halo->node, halo->receive);
    if (halo->send)
        work_buffer_free(halo->node, halo->send);
    free(halo->requests);
    free(halo->neighbours);
}

static void exchange_overlaps(const struct halo *halo, float *values)
{
    MPI_Request *receiving = halo->requests, *sending = receiving + halo->count;
    for (int i = 0; i < halo->count; i++) {
        const struct halo_neighbour *neighbour = &halo->neighbours[i];
        MPI_Irecv(neighbour->receive, (int)box_volume(&neighbour->halo), MPI_FLOAT,
                  neighbour->rank, 0, halo->grid->comm, &receiving[i]);
    }
    for (int i = 0; i < halo->count; i++) {
        const struct halo_neighbour *neighbour = &halo->neighbours[i];
        if (charge_copy(halo, &neighbour->own))
            copy_points(halo->grid, values, &neighbour->own, neighbour->send, PACK);
        MPI_Isend(neighbour->send, (int)box_volume(&neighbour->own), MPI_FLOAT,
                  neighbour->rank, 0, halo->grid->comm, &sending[i]);
    }
    for (int i = 0; i < halo->count; i++) {
        const struct halo_neighbour *neighbour = &halo->neighbours[i];
        MPI_Wait(&receiving[i], MPI_STATUS_IGNORE);
        if (charge_copy(halo, &neighbour->halo))
            copy_points(halo->grid, values, &neighbour->halo, neighbour->receive,
                        UNPACK);
    }
    for (int i = 0; i < halo->count; i++)
        MPI_Wait(&sending[i], MPI_STATUS_IGNORE);
}

void halo_exchange(const struct halo *halo, float *values)
{
    if (halo->neighbours)
        exchange_overlaps(halo, values);
    else
        exchange_faces(halo, values);
}
