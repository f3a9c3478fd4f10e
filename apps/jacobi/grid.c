/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid.h"

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
