/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.h - a cubic grid cut into boxes, one for each rank.
 *
 * A box is surrounded by one layer of halo: a copy of the neighbours' points, or the
 * fixed boundary of the grid. Values are stored with the last coordinate fastest.
 */
#ifndef MT_APPS_GRID_H
#define MT_APPS_GRID_H

#include "apps/common/parts.h"

#include <mpi.h>
#include <stddef.h>

struct grid {
    int size; /* points along an edge, without the boundary */
    MPI_Comm comm;
    struct box box;      /* the rank's own points, counted from 0 */
    int parts[3];        /* even boxes: how many along each axis */
    int neighbour[3][2]; /* their ranks; MPI_PROC_NULL at the boundary */
    struct box *boxes;   /* owned; uneven boxes: of all ranks; NULL: even ones */
};

/* Cut the grid into parts[0] x parts[1] x parts[2] boxes that are even, as many as
   `comm` has ranks; zeros are filled in as cubic as can be. Every axis must have enough
   points. */
void grid_cut_even(struct grid *grid, MPI_Comm comm, int size, const int parts[3]);
/* Cut it into boxes, or slices across the first axis, whose volumes follow the ranks'
   weights. Returns 0, or -1 when memory is short, with nothing to be cleared. */
int grid_cut_by_weights(struct grid *grid, MPI_Comm comm, int size, bool slices,
                        const double *weights);
void grid_clear(struct grid *grid);

/* Values of a box, halo included. */
size_t grid_volume(const struct grid *grid);
/* Where the value of a point is; 0 and points + 1 are the halo. */
size_t grid_index(const struct grid *grid, int i, int j, int k);

#endif
