/* SPDX-License-Identifier: BSD-3-Clause */
#include "transfer.h"

#include "preload/common/room.h"
#include "staggered.h"

void transfer_fail_children(const struct context *context, const struct tree *tree)
{
    for (int child = tree->first[context->rank]; child >= 0; child = tree->next[child])
        PMPI_Send(NULL, 0, MPI_PACKED, child, TAG_DATA, context->comm);
}

int transfer_check(MPI_Status *got, MPI_Datatype type)
{
    int count = 1;
    const int status = PMPI_Get_count(got, type, &count);
    return status == MPI_SUCCESS && count == 0 ? MPI_ERR_TRUNCATE : status;
}

int transfer_receive(const struct message *message, int from, MPI_Comm comm)
{
    MPI_Status got;
    const int status = PMPI_Recv(message->buffer, (int)message->count, message->type,
                                 from, TAG_DATA, comm, &got);
    return status == MPI_SUCCESS ? transfer_check(&got, message->type) : status;
}

/* A persistent one, as MPICH raises what goes wrong with others that do not block on
   MPI_COMM_WORLD. */
int transfer_begin_receive(const struct message *message, int from, MPI_Comm comm,
                           MPI_Request *request)
{
    int status = PMPI_Recv_init(message->buffer, (int)message->count, message->type,
                                from, TAG_DATA, comm, request);
    if (status != MPI_SUCCESS)
        *request = MPI_REQUEST_NULL;
    else if ((status = PMPI_Start(request)) != MPI_SUCCESS)
        PMPI_Request_free(request);
    return status;
}

int transfer_end_receive(MPI_Request *request, MPI_Datatype type)
{
    MPI_Status got;
    int status = PMPI_Wait(request, &got);
    if (status == MPI_SUCCESS)
        status = transfer_check(&got, type);
    if (*request != MPI_REQUEST_NULL) /* Open MPI frees those that fail */
        PMPI_Request_free(request);
    return status;
}

/* Copies for late ranks come as packed bytes. MPICH 4.0 takes more than a few of them
   for too many when it has to scatter them into a struct as they come. Where there is
   no room they do: the next call is not to find this message. */
int transfer_receive_packed(const struct message *message, int from, MPI_Comm comm)
{
    char *packed = room_get(message->bytes);
    if (!packed)
        return transfer_receive(message, from, comm);
    MPI_Status got;
    int status =
        PMPI_Recv(packed, (int)message->bytes, MPI_PACKED, from, TAG_DATA, comm, &got);
    if (status == MPI_SUCCESS)
        status = transfer_check(&got, MPI_PACKED);
    if (status == MPI_SUCCESS)
        status = message_unpack(message, packed, comm);
    room_put(packed);
    return status;
}

static int receive(const struct context *context, const struct message *message,
                   const struct tree *tree)
{
    int status = staggered_say_ready(context, tree, message->bytes);
    if (status != MPI_SUCCESS)
        return status;
    const int parent = tree->parent[context->rank];
    if (tree->late[context->rank] && !message_is_plain(message->type))
        return transfer_receive_packed(message, parent, context->comm);
    return transfer_receive(message, parent, context->comm);
}

/* Begin to send to those children that are, or are not, late; each has a request. */
static int send_to(const struct context *context, const struct message *message,
                   const struct tree *tree, const struct staggered *staggered,
                   bool late, MPI_Request *request)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child], request++) {
        if (tree->late[child] == late && !staggered_include(staggered, tree, child))
            status = PMPI_Isend(message->buffer, (int)message->count, message->type,
                                child, TAG_DATA, context->comm, request);
    }
    return status;
}

/* The signature of packed bytes matches whatever types the receivers give. */
static int send_copy(struct deferred *copy, const struct context *context,
                     const struct message *message, const struct tree *tree)
{
    int status = message_pack(message, deferred_data(copy), context->comm);
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (tree->late[child])
            status = deferred_send(copy, 0, (int)message->bytes, child, context->comm);
    }
    return status;
}

static int send_on(struct transfer *transfer, const struct message *message,
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
    struct staggered staggered;
    int status = staggered_begin(&staggered, transfer, message, tree);
    if (status == MPI_SUCCESS)
        status = send_to(context, message, tree, &staggered, false, requests);
    if (status == MPI_SUCCESS && late > 0) {
        struct deferred *copy = deferred_new(transfer, message->bytes, (size_t)late);
        status = copy ? send_copy(copy, context, message, tree)
                      : send_to(context, message, tree, &staggered, true, requests);
    }
    if (status == MPI_SUCCESS)
        status = staggered_take(&staggered);
    if (status == MPI_SUCCESS)
        status = requests_wait(requests, children);
    else
        requests_abandon(requests, children);
    staggered_end(&staggered);
    return status;
}

static int whole_bcast(struct transfer *transfer, const struct message *message,
                       const struct tree *tree, int64_t *arrived)
{
    if (tree->parent[transfer->context->rank] >= 0) {
        int status = receive(transfer->context, message, tree);
        if (status != MPI_SUCCESS) {
            transfer_fail_children(transfer->context, tree);
            return status;
        }
        *arrived = now();
    }
    return send_on(transfer, message, tree);
}

int transfer_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, struct bcast_timing *timing)
{
    const int64_t entered = now();
    int64_t arrived = entered;
    transfer_progress(transfer);
    int status = tree->segment > 0 ? segments_bcast(transfer, message, tree, &arrived)
                                   : whole_bcast(transfer, message, tree, &arrived);
    timing->waited = arrived - entered;
    timing->in_call = now() - entered;
    return status;
}
