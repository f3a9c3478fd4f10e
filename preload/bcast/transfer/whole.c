/* SPDX-License-Identifier: BSD-3-Clause */
#include "whole.h"

#include "deferred.h"
#include "packing.h"
#include "preload/wait/patient.h"
#include "requests.h"
#include "turns.h"

#include <stdlib.h>

/* Copies for late ranks come as packed bytes. MPICH 4.0 takes more than a few of them
   for too many when it has to scatter them into a struct as they come. */
static int receive_packed(const struct call *call, int parent, MPI_Comm comm)
{
    char *packed = malloc(call->bytes);
    if (!packed)
        return MPI_ERR_NO_MEM;
    int status = patient_Recv(packed, (int)call->bytes, MPI_PACKED, parent, TAG_DATA,
                              comm, MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS)
        status = packing_unpack(call, packed, comm);
    free(packed);
    return status;
}

static int receive(const struct context *context, const struct call *call,
                   const struct tree *tree)
{
    int status = turns_say_ready(context, tree, call->bytes);
    if (status != MPI_SUCCESS)
        return status;
    const int parent = tree->parent[context->rank];
    if (tree->late[context->rank] && !packing_is_plain(call->type))
        return receive_packed(call, parent, context->comm);
    return patient_Recv(call->buffer, (int)call->count, call->type, parent, TAG_DATA,
                        context->comm, MPI_STATUS_IGNORE);
}

/* Begin to send to those children that are, or are not, late; each has a request. */
static int send_to(const struct context *context, const struct call *call,
                   const struct tree *tree, const struct turns *turns, bool late,
                   MPI_Request *request)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child], request++) {
        if (tree->late[child] == late && !turns_include(turns, tree, child))
            status = PMPI_Isend(call->buffer, (int)call->count, call->type, child,
                                TAG_DATA, context->comm, request);
    }
    return status;
}

/* The signature of packed bytes matches whatever types the receivers give. */
static int send_copy(struct deferred *copy, const struct context *context,
                     const struct call *call, const struct tree *tree)
{
    int status = packing_pack(call, deferred_data(copy), context->comm);
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (tree->late[child])
            status = deferred_send(copy, 0, (int)call->bytes, child, context->comm);
    }
    return status;
}

static int send_on(struct transfer *transfer, const struct call *call,
                   const struct tree *tree)
{
    const struct context *context = transfer->context;
    int children = 0, late = 0;
    for (int child = tree->first[context->rank]; child >= 0;
         child = tree->next[child]) {
        children++;
        late += tree->late[child];
    }
    if (children == 0)
        return MPI_SUCCESS;
    MPI_Request *requests = requests_get(transfer, children);
    if (!requests)
        return MPI_ERR_NO_MEM;

    struct turns turns;
    int status = turns_begin(&turns, context, call, tree);
    if (status == MPI_SUCCESS)
        status = send_to(context, call, tree, &turns, false, requests);
    if (status == MPI_SUCCESS && late > 0) {
        struct deferred *copy = deferred_new(transfer, call->bytes, (size_t)late);
        status = copy ? send_copy(copy, context, call, tree)
                      : send_to(context, call, tree, &turns, true, requests);
    }
    if (status == MPI_SUCCESS)
        status = turns_take(&turns);
    if (status == MPI_SUCCESS)
        status = requests_wait(requests, children);
    else
        requests_abandon(requests, children);
    turns_end(&turns);
    return status;
}

int whole_bcast(struct transfer *transfer, const struct call *call,
                const struct tree *tree, int64_t *arrived)
{
    if (tree->parent[transfer->context->rank] >= 0) {
        int status = receive(transfer->context, call, tree);
        if (status != MPI_SUCCESS)
            return status;
        *arrived = now();
    }
    return send_on(transfer, call, tree);
}
