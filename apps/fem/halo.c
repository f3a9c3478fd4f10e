/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* List the nodes of the layer at `layer` across `axis`. Both sides of a face list them
   in the same order, as their boxes are the same along the other axes. */
static int *list_layer(const struct fem_mesh *mesh, int axis, int layer)
{
    const struct fem_box *box = &mesh->box;
    int from[3], to[3], *list = calloc(fem_box_face(box, axis), sizeof *list);
    if (!list)
        return NULL;
    for (int other = 0; other < 3; other++) {
        const bool with_halo = other < axis;
        from[other] = with_halo ? -box->halo[other][FEM_BEFORE] : 0;
        to[other] = box->points[other] + (with_halo ? box->halo[other][FEM_AFTER] : 0);
    }
    from[axis] = layer;
    to[axis] = layer + 1;
    size_t count = 0;
    for (int i = from[0]; i < to[0]; i++)
        for (int j = from[1]; j < to[1]; j++)
            for (int k = from[2]; k < to[2]; k++)
                list[count++] = fem_mesh_number(mesh, (const int[3]){i, j, k});
    return list;
}

static int face_init(struct fem_face *face, const struct fem_halo *halo,
                     const struct fem_mesh *mesh, int axis, int side)
{
    const int last = mesh->box.points[axis] - 1;
    face->neighbour = fem_box_neighbour(&mesh->box, axis, side);
    const size_t values = (size_t)halo->values[axis];
    face->send = work_buffer(halo->node, values, sizeof *face->send);
    face->receive = work_buffer(halo->node, values, sizeof *face->receive);
    if (!face->send || !face->receive)
        return -1;
    if (!mesh->number)
        return 0;
    face->own = list_layer(mesh, axis, side == FEM_BEFORE ? 0 : last);
    face->halo = list_layer(mesh, axis, side == FEM_BEFORE ? -1 : last + 1);
    return face->own && face->halo ? 0 : -1;
}

int fem_halo_init(struct fem_halo *halo, const struct work_node *node,
                  const struct fem_mesh *mesh)
{
    const struct fem_box *box = &mesh->box;
    int status = 0;
    *halo = (struct fem_halo){.node = node, .nodes = fem_box_all(box)};
    for (int axis = 0; axis < 3; axis++) {
        halo->values[axis] = 3 * (int)fem_box_face(box, axis);
        for (int side = 0; side < 2; side++)
            if (fem_box_neighbour(box, axis, side) >= 0 &&
                face_init(&halo->faces[axis][halo->neighbours[axis]++], halo, mesh,
                          axis, side))
                status = -1;
    }
    return status;
}

void fem_halo_clear(struct fem_halo *halo)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            struct fem_face *face = &halo->faces[axis][side];
            if (face->send)
                work_buffer_free(halo->node, face->send);
            if (face->receive)
                work_buffer_free(halo->node, face->receive);
            free(face->own);
            free(face->halo);
        }
}

/* Whether to copy `values` values between vector and messages; each node is in a cache
   line of its own. */
static bool charge_copy(const struct fem_halo *halo, int values)
{
    const double nodes = values / 3.0;
    return work_run(halo->node,
                    &(struct work){.efficiency = 1,
                                   .working_set = 24.0 * (double)halo->nodes,
                                   .bytes = (64 + 24) * nodes});
}

static void pack(const struct fem_face *face, int values, const double *from)
{
    for (int i = 0; i < values / 3; i++)
        memcpy(face->send + 3 * (size_t)i, from + 3 * (size_t)face->own[i],
               3 * sizeof *from);
}

static void unpack(const struct fem_face *face, int values, double *to)
{
    for (int i = 0; i < values / 3; i++)
        memcpy(to + 3 * (size_t)face->halo[i], face->receive + 3 * (size_t)i,
               3 * sizeof *to);
}

static void exchange_across(const struct fem_halo *halo, int axis, double *vector)
{
    const struct fem_face *faces = halo->faces[axis];
    const int neighbours = halo->neighbours[axis], values = halo->values[axis];
    MPI_Request requests[4];
    MPI_Status statuses[4]; /* MPICH's MPI_STATUSES_IGNORE lets gcc 12 warn */
    int pending = 0;
    if (charge_copy(halo, neighbours * values))
        for (int i = 0; i < neighbours; i++)
            pack(&faces[i], values, vector);
    /* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it loses count in the loop */
    for (int i = 0; i < neighbours; i++) {
        MPI_Irecv(faces[i].receive, values, MPI_DOUBLE, faces[i].neighbour, axis,
                  MPI_COMM_WORLD, &requests[pending++]);
        MPI_Isend(faces[i].send, values, MPI_DOUBLE, faces[i].neighbour, axis,
                  MPI_COMM_WORLD, &requests[pending++]);
    }
    MPI_Waitall(pending, requests, statuses);
    if (charge_copy(halo, neighbours * values))
        for (int i = 0; i < neighbours; i++)
            unpack(&faces[i], values, vector);
    /* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */
}

void fem_halo_exchange(const struct fem_halo *halo, double *vector)
{
    /* One axis after the other: each passes on what came across those before. */
    for (int axis = 0; axis < 3; axis++)
        if (halo->neighbours[axis] > 0)
            exchange_across(halo, axis, vector);
}
