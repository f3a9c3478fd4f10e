/* SPDX-License-Identifier: BSD-3-Clause */
#include "climb.h"

#include <stdlib.h>
#include <string.h>

static int count_children(const struct tree *tree, int rank)
{
    int children = 0;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child])
        children++;
    return children;
}

/* All may come while the first is waited for. */
static int begin_to_receive(const struct context *context, const struct tree *tree,
                            char *theirs, size_t bytes, MPI_Request *requests)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child], theirs += bytes)
        status = PMPI_Irecv(theirs, (int)bytes, MPI_PACKED, child, TAG_DATA,
                            context->comm, requests++);
    return status;
}

/* Add the children's numbers to those in `sum`, in the order of the tree. */
static int take_in(struct transfer *transfer, const struct reduction *reduction,
                   const struct tree *tree, void *sum)
{
    const size_t bytes = reduction->bytes;
    const int children = count_children(tree, transfer->context->rank);
    if (children == 0)
        return MPI_SUCCESS;
    MPI_Request *requests = requests_get(transfer, children);
    char *theirs = malloc((size_t)children * bytes);
    int status = requests && theirs ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (status == MPI_SUCCESS)
        status = begin_to_receive(transfer->context, tree, theirs, bytes, requests);
    for (int i = 0; i < children && status == MPI_SUCCESS; i++) {
        status = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (status == MPI_SUCCESS)
            status =
                PMPI_Reduce_local(theirs + (size_t)i * bytes, sum, reduction->count,
                                  reduction->type, reduction->op);
    }
    if (status != MPI_SUCCESS && requests)
        requests_cancel(requests, children);
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
    int status = take_in(transfer, reduction, tree, sum);
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
        return take_in(transfer, reduction, tree, reduction->receive);
    }
    if (tree->first[rank] >= 0)
        return climb_between(transfer, reduction, tree);
    return send_up(transfer, reduction, tree->parent[rank], reduction->send);
}

static int by_mpi(const void *call, MPI_Comm comm)
{
    const struct reduction *reduction = call;
    return PMPI_Reduce(reduction->send, reduction->receive, reduction->count,
                       reduction->type, reduction->op, reduction->root, comm);
}

static int by_us(struct adapted *adapted, const void *call)
{
    const struct reduction *reduction = call;
    const struct tree *tree = adapted_tree(adapted, reduction->root);
    return tree ? climb(adapted_transfer(adapted), reduction, tree) : MPI_ERR_NO_MEM;
}

const struct adapted_kind adapted_reductions = {
    .name = "reductions", .way = "by tree", .by_mpi = by_mpi, .by_us = by_us};
