/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid.h"

/* What a copy between a face and a buffer moves. */
enum direction { PACK, UNPACK };

size_t grid_volume(const struct grid *grid)
{
    const int *points = grid->points;
    return (size_t)(points[0] + 2) * (size_t)(points[1] + 2) * (size_t)(points[2] + 2);
}

size_t grid_index(const struct grid *grid, int i, int j, int k)
{
    const size_t row = (size_t)grid->points[2] + 2;
    const size_t plane = ((size_t)grid->points[1] + 2) * row;
    return (size_t)i * plane + (size_t)j * row + (size_t)k;
}

/* The values of a face across `axis`, halo included. */
static size_t face_volume(const struct grid *grid, int axis)
{
    return grid_volume(grid) / (size_t)(grid->points[axis] + 2);
}

static size_t largest_face(const struct grid *grid)
{
    size_t largest = 0;
    for (int axis = 0; axis < 3; axis++)
        if (face_volume(grid, axis) > largest)
            largest = face_volume(grid, axis);
    return largest;
}

int grid_init(struct grid *grid, MPI_Comm comm, const struct work_node *node, int size,
              const int parts[3])
{
    const int periods[3] = {0, 0, 0};
    int ranks, rank, place[3];
    *grid = (struct grid){.size = size, .node = *node};
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
        grid->first[axis] = here * share + (here < more ? here : more);
        grid->points[axis] = share + (here < more);
        MPI_Cart_shift(grid->comm, axis, 1, &grid->neighbour[axis][0],
                       &grid->neighbour[axis][1]);
    }
    grid->send = work_buffer(node, largest_face(grid), sizeof *grid->send);
    grid->receive = work_buffer(node, largest_face(grid), sizeof *grid->receive);
    return grid->send && grid->receive ? 0 : -1;
}

void grid_clear(struct grid *grid)
{
    work_buffer_free(&grid->node, grid->receive);
    work_buffer_free(&grid->node, grid->send);
    MPI_Comm_free(&grid->comm);
}

/* Copy the layer `layer` across `axis` into the buffer, or back. */
static void copy_face(const struct grid *grid, float *values, int axis, int layer,
                      float *buffer, enum direction direction)
{
    int from[3] = {0, 0, 0};
    int to[3] = {grid->points[0] + 1, grid->points[1] + 1, grid->points[2] + 1};
    from[axis] = to[axis] = layer;
    for (int i = from[0]; i <= to[0]; i++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int k = from[2]; k <= to[2]; k++) {
                float *value = &values[grid_index(grid, i, j, k)];
                if (direction == PACK)
                    *buffer++ = *value;
                else
                    *value = *buffer++;
            }
}

/* A message across an axis: the layer `own` goes to `to`, and what `from` sends fills
   the layer `halo`. */
struct face {
    int axis, own, to, halo, from;
};

static void pass_face(const struct grid *grid, float *values, const struct face *face)
{
    const int axis = face->axis, count = (int)face_volume(grid, axis);
    /* Across the last axis every value is in a cache line of its own. */
    const double touched = axis == 2 ? 64 : 2 * sizeof *values;
    const struct work copy = {.efficiency = 1,
                              .working_set = 4.0 * (double)grid_volume(grid),
                              .bytes = touched * count};
    if (face->to != MPI_PROC_NULL && work_run(&grid->node, &copy))
        copy_face(grid, values, axis, face->own, grid->send, PACK);
    MPI_Sendrecv(grid->send, count, MPI_FLOAT, face->to, axis, grid->receive, count,
                 MPI_FLOAT, face->from, axis, grid->comm, MPI_STATUS_IGNORE);
    if (face->from != MPI_PROC_NULL && work_run(&grid->node, &copy))
        copy_face(grid, values, axis, face->halo, grid->receive, UNPACK);
}

void grid_exchange(const struct grid *grid, float *values)
{
    /* Each axis takes the halo of those before it along: so the edges travel, too. */
    for (int axis = 0; axis < 3; axis++) {
        const int last = grid->points[axis];
        const int before = grid->neighbour[axis][0], behind = grid->neighbour[axis][1];
        pass_face(grid, values, &(struct face){axis, last, behind, 0, before});
        pass_face(grid, values, &(struct face){axis, 1, before, last + 1, behind});
    }
}
