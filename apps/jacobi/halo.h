/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.h - the exchange of the boxes' outermost layers: across one axis after the other
 * where boxes are even; with every box that touches this one where they are not.
 */
#ifndef MT_APPS_JACOBI_HALO_H
#define MT_APPS_JACOBI_HALO_H

#include "apps/common/work.h"
#include "grid.h"

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

/* Prepare exchanges. Returns 0, or -1 when memory is short; to be cleared in any case.
 */
int halo_init(struct halo *halo, const struct grid *grid, const struct work_node *node);
void halo_clear(struct halo *halo);

/* Bring the halo of `values` up to date, edges included; NULL: model only. */
void halo_exchange(const struct halo *halo, float *values);

#endif
