/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce up a tree: a rank adds its children's values and sends a copy up. */
#include "climb.h"

#include "preload/bcast/transfer/exchange.h"
#include "trial.h"

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
         child = tree->next[child], theirs += bytes) {
        const struct message numbers = {
            .buffer = theirs, .count = (MPI_Count)bytes, .type = MPI_PACKED};
        status = transfer_begin_receive(&numbers, child, context->comm, requests++);
    }
    return status;
}

static int add(const struct reduction *reduction, MPI_Request *request,
               const char *theirs, void *sum)
{
    const int status = transfer_end_receive(request, MPI_PACKED);
    return status == MPI_SUCCESS ? PMPI_Reduce_local(theirs, sum, reduction->count,
                                                     reduction->type, reduction->op)
                                 : status;
}

/* Receive numbers that nobody will read. (Into no buffer at all Open MPI 4.1 writes.)
 */
static void drop(const struct context *context, int child)
{
    static char sink[TRIAL_MOST_BYTES];
    PMPI_Recv(sink, (int)sizeof sink, MPI_PACKED, child, TAG_DATA, context->comm,
              MPI_STATUS_IGNORE);
}

/* Add the children's numbers to those in `sum`, in the order of the tree; `theirs` has
   room for all of them. Also after an error all are received: the next call is not to
   find them. */
static int take_in(struct transfer *transfer, const struct reduction *reduction,
                   const struct tree *tree, char *theirs, void *sum)
{
    const struct context *context = transfer->context;
    const size_t bytes = reduction->bytes;
    MPI_Request *requests = requests_get(transfer, count_children(tree, context->rank));
    int status = theirs ? begin_to_receive(context, tree, theirs, bytes, requests)
                        : MPI_ERR_NO_MEM;
    size_t i = 0;
    for (int child = tree->first[context->rank]; child >= 0;
         child = tree->next[child], i++) {
        int code = MPI_SUCCESS;
        if (requests[i] != MPI_REQUEST_NULL)
            code = add(reduction, &requests[i], theirs + i * bytes, sum);
        else
            drop(context, child);
        if (status == MPI_SUCCESS)
            status = code;
    }
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

/* To a parent a message of nothing is an error, as it is to a child in a broadcast. */
static int climb_between(struct transfer *transfer, const struct reduction *reduction,
                         const struct tree *tree, char *room)
{
    const struct context *context = transfer->context;
    const int parent = tree->parent[context->rank];
    if (room)
        memcpy(room, reduction->send, reduction->bytes);
    int status =
        take_in(transfer, reduction, tree, room ? room + reduction->bytes : NULL, room);
    if (status == MPI_SUCCESS)
        status = send_up(transfer, reduction, parent, room);
    else
        PMPI_Send(NULL, 0, MPI_PACKED, parent, TAG_DATA, context->comm);
    return status;
}

/* The tree's ranks have so few children that their numbers, and a sum, fit: of 2^20
   ranks one has 31. */
int climb(struct transfer *transfer, const struct reduction *reduction,
          const struct tree *tree)
{
    const struct context *context = transfer->context;
    const int rank = context->rank, children = count_children(tree, rank);
    const bool is_root = rank == reduction->root;
    if (!is_root && children == 0)
        return send_up(transfer, reduction, tree->parent[rank], reduction->send);
    char *room = room_get(((size_t)children + 1) * reduction->bytes);
    int status;
    if (is_root) {
        if (reduction->send != MPI_IN_PLACE)
            memcpy(reduction->receive, reduction->send, reduction->bytes);
        status = take_in(transfer, reduction, tree, room, reduction->receive);
    } else {
        status = climb_between(transfer, reduction, tree, room);
    }
    room_put(room);
    return status;
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
    return climb(adapted_transfer(adapted), reduction,
                 adapted_tree(adapted, reduction->root));
}

const struct adapted_kind adapted_reductions = {
    .name = "reductions", .way = "by tree", .by_mpi = by_mpi, .by_us = by_us};
