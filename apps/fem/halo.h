/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.h - the exchange of the nodes' values between neighbouring boxes: across one
 * axis after the other for even boxes; with all neighbours at once for uneven ones.
 */
#ifndef MT_APPS_FEM_HALO_H
#define MT_APPS_FEM_HALO_H

#include "apps/common/work.h"
#include "mesh.h"

#include <mpi.h>
#include <stddef.h>

/* The messages between a box and one neighbour, as node numbers. */
struct fem_message {
    int neighbour;          /* its rank */
    int sent, received;     /* values */
    int *own;               /* owned; to be sent; NULL: model only */
    int *halo;              /* owned; to be received */
    double *send, *receive; /* owned; a message each */
};

enum { FEM_HALO_STEPS = 3 };

struct fem_halo {
    const struct work_node *node; /* borrowed */
    size_t nodes;                 /* of the box */
    int ends[FEM_HALO_STEPS];     /* each step's messages come before ends[step] */
    struct fem_message *messages; /* owned */
    MPI_Request *requests;        /* owned; two a message */
    MPI_Status *statuses; /* owned; MPICH's MPI_STATUSES_IGNORE lets gcc 12 warn */
};

/* Prepare exchanges of `mesh`; without numbers in it, only the messages. Returns 0, or
   -1 when memory is short; the caller clears it, also after a failure. */
int fem_halo_init(struct fem_halo *halo, const struct work_node *node,
                  const struct fem_mesh *mesh);
void fem_halo_clear(struct fem_halo *halo);

/* Bring the halo's values in `vector`, three a node, up to date; NULL: model only. */
void fem_halo_exchange(const struct fem_halo *halo, double *vector);

#endif
