/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"
#include "handlers.h"
#include "preload/common/message.h"
#include "yield.h"
#include "yielding.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* A message to or from MPI_PROC_NULL does not wait. */
static bool waits_to_send(const void *buffer, int count, MPI_Datatype type, int to,
                          int tag, MPI_Comm comm)
{
    return yield_here() && to != MPI_PROC_NULL &&
           arguments_right_to_send(buffer, count, type, to, tag, comm);
}

static bool waits_to_receive(void *buffer, int count, MPI_Datatype type, int from,
                             int tag, MPI_Comm comm)
{
    return yield_here() && from != MPI_PROC_NULL &&
           arguments_right_to_receive(buffer, count, type, from, tag, comm);
}

static int wait_if_begun(int status, MPI_Request *request, MPI_Comm comm,
                         MPI_Status *result)
{
    return status == MPI_SUCCESS ? handlers_wait(request, comm, result) : status;
}

int yield_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Send(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Isend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int yield_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Ssend(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Issend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int yield_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Rsend(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Irsend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int yield_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
               MPI_Comm comm, MPI_Status *result)
{
    if (!waits_to_receive(buffer, count, type, from, tag, comm))
        return PMPI_Recv(buffer, count, type, from, tag, comm, result);
    MPI_Request request;
    const int status = PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
    return wait_if_begun(status, &request, comm, result);
}

/* No message, or that from nobody. */
static bool is_empty(MPI_Message message)
{
    if (message == MPI_MESSAGE_NO_PROC)
        return true;
    return message == MPI_MESSAGE_NULL;
}

int yield_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                MPI_Status *result)
{
    if (!yield_here() || !message || is_empty(*message) ||
        !arguments_right_to_hold(buffer, count, type))
        return PMPI_Mrecv(buffer, count, type, message, result);
    MPI_Request request;
    const int status = PMPI_Imrecv(buffer, count, type, message, &request);
    return status == MPI_SUCCESS ? yield_until_done(&request, result) : status;
}

int yield_Probe(int from, int tag, MPI_Comm comm, MPI_Status *result)
{
    if (!waits_to_receive(NULL, 0, MPI_BYTE, from, tag, comm))
        return PMPI_Probe(from, tag, comm, result);
    struct pause pause = {0};
    for (;;) {
        int there = 0;
        const int status = PMPI_Iprobe(from, tag, comm, &there, result);
        if (status != MPI_SUCCESS || there)
            return status;
        yield_pause(&pause);
    }
}

int yield_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message,
                 MPI_Status *result)
{
    if (!waits_to_receive(NULL, 0, MPI_BYTE, from, tag, comm))
        return PMPI_Mprobe(from, tag, comm, message, result);
    struct pause pause = {0};
    for (;;) {
        int there = 0;
        const int status = PMPI_Improbe(from, tag, comm, &there, message, result);
        if (status != MPI_SUCCESS || there)
            return status;
        yield_pause(&pause);
    }
}

/* Withdraw a receive that has been begun. */
static void withdraw(MPI_Request *receive)
{
    PMPI_Cancel(receive);
    PMPI_Request_free(receive);
}

/* One of the two messages of an exchange, as this rank describes it. */
struct half {
    void *buffer;
    int count;
    MPI_Datatype type;
    int peer, tag;
};

/* Receive one message and send another; arguments are right. A message from
   MPI_PROC_NULL is left to the MPI. */
static int exchange(const struct half *out, const struct half *in, MPI_Comm comm,
                    MPI_Status *result)
{
    MPI_Request receive = MPI_REQUEST_NULL;
    int status = MPI_SUCCESS;
    if (in->peer != MPI_PROC_NULL)
        status = PMPI_Irecv(in->buffer, in->count, in->type, in->peer, in->tag, comm,
                            &receive);
    if (status != MPI_SUCCESS)
        return status;
    status = yield_Send(out->buffer, out->count, out->type, out->peer, out->tag, comm);
    if (status != MPI_SUCCESS) {
        if (receive != MPI_REQUEST_NULL)
            withdraw(&receive);
        return status;
    }
    return receive == MPI_REQUEST_NULL ? PMPI_Recv(in->buffer, in->count, in->type,
                                                   in->peer, in->tag, comm, result)
                                       : handlers_wait(&receive, comm, result);
}

int yield_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to,
                   int out_tag, void *in, int in_count, MPI_Datatype in_type, int from,
                   int in_tag, MPI_Comm comm, MPI_Status *result)
{
    if (!yield_here() ||
        !arguments_right_to_send(out, out_count, out_type, to, out_tag, comm) ||
        !arguments_right_to_receive(in, in_count, in_type, from, in_tag, comm))
        return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count,
                             in_type, from, in_tag, comm, result);
    const struct half sent = {(void *)(uintptr_t)out, out_count, out_type, to, out_tag};
    const struct half received = {in, in_count, in_type, from, in_tag};
    return exchange(&sent, &received, comm, result);
}

/* A copy of the message, to be freed. False: it is too large, or memory is short. */
static bool copy(struct message *message, char **packed, MPI_Comm comm)
{
    int size = 0;
    if (PMPI_Type_size(message->type, &size) != MPI_SUCCESS || size < 0 ||
        size * message->count > INT_MAX)
        return false;
    message->bytes = (size_t)(size * message->count);
    *packed = malloc(message->bytes + 1);
    if (*packed && message->bytes > 0 &&
        message_pack(message, *packed, comm) != MPI_SUCCESS) {
        free(*packed);
        *packed = NULL;
    }
    return *packed != NULL;
}

int yield_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to,
                           int out_tag, int from, int in_tag, MPI_Comm comm,
                           MPI_Status *result)
{
    struct message message = {.buffer = buffer, .count = count, .type = type};
    char *packed;
    if (!yield_here() ||
        !arguments_right_to_send(buffer, count, type, to, out_tag, comm) ||
        !arguments_right_to_receive(buffer, count, type, from, in_tag, comm) ||
        !copy(&message, &packed, comm))
        return PMPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag,
                                     comm, result);
    const struct half sent = {packed, (int)message.bytes, MPI_PACKED, to, out_tag};
    const struct half received = {buffer, count, type, from, in_tag};
    const int status = exchange(&sent, &received, comm, result);
    free(packed);
    return status;
}

#if MPI_VERSION >= 4
static bool fits(MPI_Count count)
{
    return count >= 0 && count <= INT_MAX;
}

int yield_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                 int tag, MPI_Comm comm)
{
    return fits(count) ? yield_Send(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Send_c(buffer, count, type, to, tag, comm);
}

int yield_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                  int tag, MPI_Comm comm)
{
    return fits(count) ? yield_Ssend(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Ssend_c(buffer, count, type, to, tag, comm);
}

int yield_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                  int tag, MPI_Comm comm)
{
    return fits(count) ? yield_Rsend(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Rsend_c(buffer, count, type, to, tag, comm);
}

int yield_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag,
                 MPI_Comm comm, MPI_Status *result)
{
    return fits(count) ? yield_Recv(buffer, (int)count, type, from, tag, comm, result)
                       : PMPI_Recv_c(buffer, count, type, from, tag, comm, result);
}

int yield_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type,
                  MPI_Message *message, MPI_Status *result)
{
    return fits(count) ? yield_Mrecv(buffer, (int)count, type, message, result)
                       : PMPI_Mrecv_c(buffer, count, type, message, result);
}

int yield_Sendrecv_c(const void *out, MPI_Count out_count, MPI_Datatype out_type,
                     int to, int out_tag, void *in, MPI_Count in_count,
                     MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                     MPI_Status *result)
{
    if (!fits(out_count) || !fits(in_count))
        return PMPI_Sendrecv_c(out, out_count, out_type, to, out_tag, in, in_count,
                               in_type, from, in_tag, comm, result);
    return yield_Sendrecv(out, (int)out_count, out_type, to, out_tag, in, (int)in_count,
                          in_type, from, in_tag, comm, result);
}

int yield_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type, int to,
                             int out_tag, int from, int in_tag, MPI_Comm comm,
                             MPI_Status *result)
{
    if (!fits(count))
        return PMPI_Sendrecv_replace_c(buffer, count, type, to, out_tag, from, in_tag,
                                       comm, result);
    return yield_Sendrecv_replace(buffer, (int)count, type, to, out_tag, from, in_tag,
                                  comm, result);
}
#endif
