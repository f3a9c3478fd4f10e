/* SPDX-License-Identifier: BSD-3-Clause */
#include "climb.h"

#include <stdlib.h>
#include <string.h>

/* Add the children's numbers to those in `sum`. */
static int take_in(const struct context *context, const struct reduction *reduction,
                   const struct tree *tree, void *sum)
{
    void *theirs = malloc(reduction->bytes);
    int status = theirs ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        status = PMPI_Recv(theirs, (int)reduction->bytes, MPI_PACKED, child, TAG_DATA,
                           context->comm, MPI_STATUS_IGNORE);
        if (status == MPI_SUCCESS)
            status = PMPI_Reduce_local(theirs, sum, reduction->count, reduction->type,
                                       reduction->op);
    }
    free(theirs);
    return status;
}

static int send_up(struct transfer *transfer, const struct reduction *reduction,
                   int parent, const void *sum)
{
    const MPI_Comm comm = transfer->context->comm;
    struct deferred *copy = deferred_new(transfer, reduction->bytes, 1);
    if (!copy)
        return PMPI_Send(sum, (int)reduction->bytes, MPI_PACKED, parent, TAG_DATA,
                         comm);
    memcpy(deferred_data(copy), sum, reduction->bytes);
    return deferred_send(copy, 0, (int)reduction->bytes, parent, comm);
}

static int climb_between(struct transfer *transfer, const struct reduction *reduction,
                         const struct tree *tree)
{
    const struct context *context = transfer->context;
    void *sum = malloc(reduction->bytes);
    if (!sum)
        return MPI_ERR_NO_MEM;
    memcpy(sum, reduction->send, reduction->bytes);
    int status = take_in(context, reduction, tree, sum);
    if (status == MPI_SUCCESS)
        status = send_up(transfer, reduction, tree->parent[context->rank], sum);
    free(sum);
    return status;
}

int climb(struct transfer *transfer, const struct reduction *reduction,
          const struct tree *tree)
{
    const struct context *context = transfer->context;
    const int rank = context->rank;
    if (rank == reduction->root) {
        if (reduction->send != MPI_IN_PLACE)
            memcpy(reduction->receive, reduction->send, reduction->bytes);
        return take_in(context, reduction, tree, reduction->receive);
    }
    if (tree->first[rank] >= 0)
        return climb_between(transfer, reduction, tree);
    return send_up(transfer, reduction, tree->parent[rank], reduction->send);
}
