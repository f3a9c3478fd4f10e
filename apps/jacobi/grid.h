/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.h - a cubic grid cut into boxes, one for each rank, and the exchange of the
 * boxes' outermost layers.
 *
 * A box is surrounded by one layer of halo: a copy of the neighbours' points, or the
 * fixed boundary of the grid. Values are stored with the last coordinate fastest.
 */
#ifndef MT_APPS_GRID_H
#define MT_APPS_GRID_H

#include "apps/common/work.h"

#include <mpi.h>
#include <stddef.h>

struct grid {
    int size; /* points along an edge, without the boundary */
    MPI_Comm comm;
    int parts[3];          /* boxes along each axis */
    int first[3];          /* coordinate of the box's first own point, from 0 */
    int points[3];         /* the box's own points along each axis */
    int neighbour[3][2];   /* ranks; MPI_PROC_NULL at the boundary */
    float *send, *receive; /* owned; a face each */
    struct work_node node;
};

/* Cut the grid into parts[0] x parts[1] x parts[2] boxes, as many as `comm` has ranks;
   zeros are filled in as cubic as can be. Every axis must have enough points. Returns
   0, or -1 when memory is short. */
int grid_init(struct grid *grid, MPI_Comm comm, const struct work_node *node, int size,
              const int parts[3]);
void grid_clear(struct grid *grid);

/* Values of a box, halo included. */
size_t grid_volume(const struct grid *grid);
/* Where the value of a point is; 0 and points + 1 are the halo. */
size_t grid_index(const struct grid *grid, int i, int j, int k);

/* Bring the halo of `values` up to date, edges included; NULL: model only. */
void grid_exchange(const struct grid *grid, float *values);

#endif
