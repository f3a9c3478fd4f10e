/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer.h"

#include "deferred.h"
#include "packing.h"
#include "requests.h"
#include "segments.h"

struct children {
    int prompt, late;
};

static struct children count_children(const struct tree *tree, int rank)
{
    struct children children = {0, 0};
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        if (tree->late[child])
            children.late++;
        else
            children.prompt++;
    }
    return children;
}

static int receive(const struct context *context, const struct call *call, int parent)
{
    return PMPI_Recv(call->buffer, (int)call->count, call->type, parent, TAG_DATA,
                     context->comm, MPI_STATUS_IGNORE);
}

/* Begin to send to the children that are, or are not, late. */
static int send_to(const struct context *context, const struct call *call,
                   const struct tree *tree, bool late, MPI_Request *requests)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (tree->late[child] == late)
            status = PMPI_Isend(call->buffer, (int)call->count, call->type, child,
                                TAG_DATA, context->comm, requests++);
    }
    return status;
}

/* The signature of packed bytes matches whatever types the receivers give. */
static int defer_to_late(const struct context *context, const struct call *call,
                         const struct tree *tree, struct deferred *copy)
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
    const struct children children = count_children(tree, context->rank);
    const int all = children.prompt + children.late;
    if (all == 0)
        return MPI_SUCCESS;
    MPI_Request *requests = requests_get(transfer, all);
    if (!requests)
        return MPI_ERR_NO_MEM;

    int status = send_to(context, call, tree, false, requests);
    if (status == MPI_SUCCESS && children.late > 0) {
        struct deferred *copy = deferred_new(transfer, call->bytes, children.late);
        status = copy ? defer_to_late(context, call, tree, copy)
                      : send_to(context, call, tree, true, requests + children.prompt);
    }
    if (status == MPI_SUCCESS)
        return requests_wait(requests, all);
    requests_abandon(requests, all);
    return status;
}

static int whole_bcast(struct transfer *transfer, const struct call *call,
                       const struct tree *tree, int64_t *arrived)
{
    const int parent = tree->parent[transfer->context->rank];
    if (parent >= 0) {
        int status = receive(transfer->context, call, parent);
        if (status != MPI_SUCCESS)
            return status;
        *arrived = now();
    }
    return send_on(transfer, call, tree);
}

int transfer_bcast(struct transfer *transfer, const struct call *call,
                   const struct tree *tree, struct timing *timing)
{
    const int64_t entered = now();
    int64_t arrived = entered;
    transfer_progress(transfer);
    int status = tree->segment > 0 ? segments_bcast(transfer, call, tree, &arrived)
                                   : whole_bcast(transfer, call, tree, &arrived);
    timing->waited = arrived - entered;
    timing->in_call = now() - entered;
    return status;
}
