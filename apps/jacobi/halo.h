/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.h - a cubic grid cut into boxes, one for each rank, and the exchange of their
 * outermost layers.
 *
 * A box is surrounded by one layer of halo: a copy of the neighbours' points, or the
 * fixed boundary of the grid. Values are stored with the last coordinate fastest. Even
 * boxes exchange layers across one axis after the other; uneven ones with all touching
 * boxes.
 */
#ifndef MT_APPS_JACOBI_HALO_H
#define MT_APPS_JACOBI_HALO_H

#include "apps/common/parts.h"
#include "apps/common/work.h"

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
   `comm` has ranks; zeros are replaced to make boxes as cubic as possible. Every axis
   must have enough points. */
void grid_cut_even(struct grid *grid, MPI_Comm comm, int size, const int parts[3]);
/* Cut it into boxes, or slices across the first axis, whose volumes follow the ranks'
   weights. Returns 0, or -1 when memory is short, with nothing to be cleared. */
int grid_cut_by_weights(struct grid *grid, MPI_Comm comm, int size, bool slices,
                        const double *weights);
void grid_clear(struct grid *grid);

/* Values of a box, halo included. */
size_t grid_volume(const struct grid *grid);
/* Index of a point's value; 0 and points + 1 are the halo. */
size_t grid_index(const struct grid *grid, int i, int j, int k);

/* A box that touches this rank's: by a face or an edge, as the stencil has no corners.
 */
struct halo_neighbour {
    int rank;
    struct box own, halo;  /* the points that it gets, and those that come from it */
    float *send, *receive; /* borrowed; where they pass */
};

struct halo {
    const struct grid *grid;      /* borrowed */
    const struct work_node *node; /* borrowed */
    int count;
    struct halo_neighbour *neighbours; /* owned; of uneven boxes */
    MPI_Request *requests;             /* owned; two a neighbour */
    float *send, *receive;             /* owned; even boxes: a face each */
};

/* Prepare exchanges. Returns 0, or -1 when memory is short; the caller clears it, also
   after a failure. */
int halo_init(struct halo *halo, const struct grid *grid, const struct work_node *node);
void halo_clear(struct halo *halo);

/* Bring the halo of `values` up to date, edges included; NULL: model only. */
void halo_exchange(const struct halo *halo, float *values);

#endif
