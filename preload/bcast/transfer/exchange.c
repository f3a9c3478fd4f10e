/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single messages: received with what may be wrong with them, copied for those that
 * take them late, and the requests of both.
 */
#include "exchange.h"

#include <stdbool.h>
#include <stdlib.h>

/* Bytes of copies that a transfer keeps at most. */
enum { LIMIT = 64 << 20 };

struct deferred {
    struct deferred *newer;
    size_t bytes; /* of this allocation: the message is behind the requests */
    size_t max_sends, sends, taken;
    MPI_Request send[];
};

int transfer_init(struct transfer *transfer, const struct context *context)
{
    const size_t size = (size_t)context->size;
    *transfer = (struct transfer){
        .context = context,
        .requests = malloc((AHEAD + FLIGHT * size) * sizeof *transfer->requests),
        .children = malloc(size * sizeof *transfer->children),
        .staggered = malloc(2 * size * sizeof *transfer->staggered),
        .sends = malloc(size * sizeof *transfer->sends),
    };
    if (transfer->requests && transfer->children && transfer->staggered &&
        transfer->sends)
        return 0;
    transfer_finish(transfer);
    return -1;
}

struct deferred *deferred_new(struct transfer *transfer, size_t bytes, size_t max_sends)
{
    const size_t all =
        sizeof(struct deferred) + max_sends * sizeof(MPI_Request) + bytes;
    if (transfer->deferred_bytes + all > LIMIT)
        return NULL;
    struct deferred *deferred = malloc(all);
    if (!deferred)
        return NULL;
    *deferred = (struct deferred){.bytes = all, .max_sends = max_sends};

    if (transfer->oldest)
        transfer->newest->newer = deferred;
    else
        transfer->oldest = deferred;
    transfer->newest = deferred;
    transfer->deferred_bytes += all;
    return deferred;
}

char *deferred_data(struct deferred *deferred)
{
    return (char *)&deferred->send[deferred->max_sends];
}

int deferred_send(struct deferred *deferred, size_t offset, int bytes, int child,
                  MPI_Comm comm)
{
    int status = PMPI_Isend(deferred_data(deferred) + offset, bytes, MPI_PACKED, child,
                            TAG_DATA, comm, &deferred->send[deferred->sends]);
    if (status == MPI_SUCCESS)
        deferred->sends++;
    return status;
}

static void release_oldest(struct transfer *transfer)
{
    struct deferred *oldest = transfer->oldest;
    transfer->oldest = oldest->newer;
    transfer->deferred_bytes -= oldest->bytes;
    free(oldest);
}

/* A request that is not yet done ends the search, so that it costs little. */
static bool is_taken(struct deferred *deferred)
{
    while (deferred->taken < deferred->sends) {
        int done = 0;
        if (PMPI_Test(&deferred->send[deferred->taken], &done, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS ||
            !done)
            return false;
        deferred->taken++;
    }
    return true;
}

void transfer_progress(struct transfer *transfer)
{
    while (transfer->oldest && is_taken(transfer->oldest))
        release_oldest(transfer);
}

int transfer_finish(struct transfer *transfer)
{
    int status = MPI_SUCCESS;
    while (transfer->oldest) {
        struct deferred *oldest = transfer->oldest;
        int code = requests_wait(oldest->send, (int)oldest->sends);
        if (status == MPI_SUCCESS)
            status = code;
        release_oldest(transfer);
    }
    free(transfer->requests);
    free(transfer->children);
    free(transfer->staggered);
    free(transfer->sends);
    *transfer = (struct transfer){.context = transfer->context};
    return status;
}

MPI_Request *requests_get(struct transfer *transfer, int n)
{
    for (int i = 0; i < n; i++)
        transfer->requests[i] = MPI_REQUEST_NULL;
    return transfer->requests;
}

/* One by one, as MPI_Waitall would return MPI_ERR_IN_STATUS rather than the code. */
int requests_wait(MPI_Request *requests, int n)
{
    int status = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        int code = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (status == MPI_SUCCESS)
            status = code;
    }
    return status;
}

void requests_cancel(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        PMPI_Cancel(&requests[i]);
        PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

void requests_abandon(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&requests[i]);
    }
}

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
