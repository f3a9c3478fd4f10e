/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges the values of halo nodes between neighbouring boxes. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

/* List the nodes of some places. Both sides of a border list them in the same order. */
static int *list_nodes(const struct fem_mesh *mesh, const struct box *places)
{
    const int *from = places->first, *points = places->points;
    int *list = calloc((size_t)box_volume(places), sizeof *list);
    if (!list)
        return NULL;
    size_t count = 0;
    for (int i = from[0]; i < from[0] + points[0]; i++)
        for (int j = from[1]; j < from[1] + points[1]; j++)
            for (int k = from[2]; k < from[2] + points[2]; k++)
                list[count++] = fem_mesh_number(mesh, (const int[3]){i, j, k});
    return list;
}

static int message_init(struct fem_message *message, const struct work_node *node,
                        const struct fem_mesh *mesh, const struct fem_border *border)
{
    *message = (struct fem_message){
        .neighbour = border->neighbour,
        .sent = 3 * (int)box_volume(&border->own),
        .received = 3 * (int)box_volume(&border->halo),
    };
    message->send = work_buffer(node, (size_t)message->sent, sizeof *message->send);
    message->receive =
        work_buffer(node, (size_t)message->received, sizeof *message->receive);
    if (!message->send || !message->receive)
        return -1;
    if (!mesh->number)
        return 0;
    message->own = list_nodes(mesh, &border->own);
    message->halo = list_nodes(mesh, &border->halo);
    return message->own && message->halo ? 0 : -1;
}

/* Write the borders that a step crosses, and return how many they are. */
static int find_borders(const struct fem_box *box, int step, struct fem_border *borders)
{
    int count = 0;
    if (!box->boxes)
        for (int side = 0; side < 2; side++)
            count += fem_box_find_face(box, step, side, &borders[count]);
    else if (step == 0)
        for (int rank = 0; rank < box->ranks; rank++)
            count += fem_box_find_overlap(box, rank, &borders[count]);
    return count;
}

/* Messages of all borders; `borders` has room for them and one more. */
static int messages_init(struct fem_halo *halo, const struct fem_mesh *mesh,
                         struct fem_border *borders)
{
    int count = 0, status = 0;
    for (int step = 0; step < FEM_HALO_STEPS; step++) {
        count += find_borders(&mesh->box, step, borders + count);
        halo->ends[step] = count;
    }
    halo->messages = calloc((size_t)count + 1, sizeof *halo->messages);
    halo->requests = calloc(2 * (size_t)count + 1, sizeof(MPI_Request));
    halo->statuses = calloc(2 * (size_t)count + 1, sizeof(MPI_Status));
    if (!halo->messages || !halo->requests || !halo->statuses)
        return -1;
    for (int i = 0; i < count; i++)
        if (message_init(&halo->messages[i], halo->node, mesh, &borders[i]))
            status = -1;
    return status;
}

int fem_halo_init(struct fem_halo *halo, const struct work_node *node,
                  const struct fem_mesh *mesh)
{
    const struct fem_box *box = &mesh->box;
    *halo = (struct fem_halo){.node = node, .nodes = fem_box_all(box)};
    const size_t most = box->boxes ? (size_t)box->ranks : (size_t)2 * FEM_HALO_STEPS;
    struct fem_border *borders = calloc(most + 1, sizeof *borders);
    const int status = borders ? messages_init(halo, mesh, borders) : -1;
    free(borders);
    return status;
}

void fem_halo_clear(struct fem_halo *halo)
{
    const int count = halo->messages ? halo->ends[FEM_HALO_STEPS - 1] : 0;
    for (int i = 0; i < count; i++) {
        struct fem_message *message = &halo->messages[i];
        if (message->send)
            work_buffer_free(halo->node, message->send);
        if (message->receive)
            work_buffer_free(halo->node, message->receive);
        free(message->own);
        free(message->halo);
    }
    free(halo->statuses);
    free(halo->requests);
    free(halo->messages);
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

static void pack(const struct fem_message *message, const double *from)
{
    for (int i = 0; i < message->sent / 3; i++)
        memcpy(message->send + 3 * (size_t)i, from + 3 * (size_t)message->own[i],
               3 * sizeof *from);
}

static void unpack(const struct fem_message *message, double *to)
{
    for (int i = 0; i < message->received / 3; i++)
        memcpy(to + 3 * (size_t)message->halo[i], message->receive + 3 * (size_t)i,
               3 * sizeof *to);
}

/* Exchange messages, at once. */
static void exchange(const struct fem_halo *halo, const struct fem_message *messages,
                     int count, double *vector)
{
    int pending = 0, sent = 0, received = 0;
    for (int i = 0; i < count; i++) {
        sent += messages[i].sent;
        received += messages[i].received;
    }
    if (charge_copy(halo, sent))
        for (int i = 0; i < count; i++)
            pack(&messages[i], vector);
    /* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it loses count in the loop */
    for (int i = 0; i < count; i++) {
        MPI_Irecv(messages[i].receive, messages[i].received, MPI_DOUBLE,
                  messages[i].neighbour, 0, MPI_COMM_WORLD, &halo->requests[pending++]);
        MPI_Isend(messages[i].send, messages[i].sent, MPI_DOUBLE, messages[i].neighbour,
                  0, MPI_COMM_WORLD, &halo->requests[pending++]);
    }
    MPI_Waitall(pending, halo->requests, halo->statuses);
    /* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */
    if (charge_copy(halo, received))
        for (int i = 0; i < count; i++)
            unpack(&messages[i], vector);
}

void fem_halo_exchange(const struct fem_halo *halo, double *vector)
{
    /* One step after the other, as each forwards data of those before. */
    int begin = 0;
    for (int step = 0; step < FEM_HALO_STEPS; step++) {
        const int end = halo->ends[step];
        if (end > begin)
            exchange(halo, halo->messages + begin, end - begin, vector);
        begin = end;
    }
}
