/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"
#include "handlers.h"
#include "patience.h"
#include "patient.h"
#include "preload/bcast/transfer/packing.h"

#include <limits.h>
#include <stdlib.h>

/* A message to or from nobody needs no patience. */
static bool waits_to_send(const void *buffer, int count, MPI_Datatype type, int to,
                          int tag, MPI_Comm comm)
{
    return patience_here() && to != MPI_PROC_NULL &&
           arguments_right_to_send(buffer, count, type, to, tag, comm);
}

static bool waits_to_receive(void *buffer, int count, MPI_Datatype type, int from,
                             int tag, MPI_Comm comm)
{
    return patience_here() && from != MPI_PROC_NULL &&
           arguments_right_to_receive(buffer, count, type, from, tag, comm);
}

static int wait_if_begun(int status, MPI_Request *request, MPI_Comm comm,
                         MPI_Status *result)
{
    return status == MPI_SUCCESS ? handlers_wait(request, comm, result) : status;
}

int patient_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                 MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Send(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Isend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int patient_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                  MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Ssend(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Issend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int patient_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                  MPI_Comm comm)
{
    if (!waits_to_send(buffer, count, type, to, tag, comm))
        return PMPI_Rsend(buffer, count, type, to, tag, comm);
    MPI_Request request;
    const int status = PMPI_Irsend(buffer, count, type, to, tag, comm, &request);
    return wait_if_begun(status, &request, comm, MPI_STATUS_IGNORE);
}

int patient_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
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

int patient_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                  MPI_Status *result)
{
    if (!patience_here() || !message || is_empty(*message) ||
        !arguments_right_to_hold(buffer, count, type))
        return PMPI_Mrecv(buffer, count, type, message, result);
    MPI_Request request;
    const int status = PMPI_Imrecv(buffer, count, type, message, &request);
    return status == MPI_SUCCESS ? patience_wait(&request, result) : status;
}

int patient_Probe(int from, int tag, MPI_Comm comm, MPI_Status *result)
{
    if (!waits_to_receive(NULL, 0, MPI_BYTE, from, tag, comm))
        return PMPI_Probe(from, tag, comm, result);
    struct patience patience = {0};
    for (;;) {
        int there = 0;
        const int status = PMPI_Iprobe(from, tag, comm, &there, result);
        if (status != MPI_SUCCESS || there)
            return status;
        patience_pause(&patience);
    }
}

int patient_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message,
                   MPI_Status *result)
{
    if (!waits_to_receive(NULL, 0, MPI_BYTE, from, tag, comm))
        return PMPI_Mprobe(from, tag, comm, message, result);
    struct patience patience = {0};
    for (;;) {
        int there = 0;
        const int status = PMPI_Improbe(from, tag, comm, &there, message, result);
        if (status != MPI_SUCCESS || there)
            return status;
        patience_pause(&patience);
    }
}

/* Withdraw a receive that has been begun. */
static void withdraw(MPI_Request *receive)
{
    PMPI_Cancel(receive);
    PMPI_Request_free(receive);
}

/* Arguments are right. What is received from nobody is up to the MPI. */
static int exchange(const void *out, int out_count, MPI_Datatype out_type, int to,
                    int out_tag, void *in, int in_count, MPI_Datatype in_type, int from,
                    int in_tag, MPI_Comm comm, MPI_Status *result)
{
    MPI_Request receive = MPI_REQUEST_NULL;
    int status = MPI_SUCCESS;
    if (from != MPI_PROC_NULL)
        status = PMPI_Irecv(in, in_count, in_type, from, in_tag, comm, &receive);
    if (status != MPI_SUCCESS)
        return status;
    status = patient_Send(out, out_count, out_type, to, out_tag, comm);
    if (status != MPI_SUCCESS) {
        if (receive != MPI_REQUEST_NULL)
            withdraw(&receive);
        return status;
    }
    return receive == MPI_REQUEST_NULL
               ? PMPI_Recv(in, in_count, in_type, from, in_tag, comm, result)
               : handlers_wait(&receive, comm, result);
}

int patient_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to,
                     int out_tag, void *in, int in_count, MPI_Datatype in_type,
                     int from, int in_tag, MPI_Comm comm, MPI_Status *result)
{
    if (!patience_here() ||
        !arguments_right_to_send(out, out_count, out_type, to, out_tag, comm) ||
        !arguments_right_to_receive(in, in_count, in_type, from, in_tag, comm))
        return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count,
                             in_type, from, in_tag, comm, result);
    return exchange(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
                    in_tag, comm, result);
}

/* A copy of the message, to be freed. False: it is too large, or memory is short. */
static bool copy(struct call *message, char **packed, MPI_Comm comm)
{
    int size = 0;
    if (PMPI_Type_size(message->type, &size) != MPI_SUCCESS || size < 0 ||
        size * message->count > INT_MAX)
        return false;
    message->bytes = (size_t)(size * message->count);
    *packed = malloc(message->bytes + 1);
    if (*packed && message->bytes > 0 &&
        packing_pack(message, *packed, comm) != MPI_SUCCESS) {
        free(*packed);
        *packed = NULL;
    }
    return *packed != NULL;
}

int patient_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to,
                             int out_tag, int from, int in_tag, MPI_Comm comm,
                             MPI_Status *result)
{
    struct call message = {.buffer = buffer, .count = count, .type = type};
    char *packed;
    if (!patience_here() ||
        !arguments_right_to_send(buffer, count, type, to, out_tag, comm) ||
        !arguments_right_to_receive(buffer, count, type, from, in_tag, comm) ||
        !copy(&message, &packed, comm))
        return PMPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag,
                                     comm, result);
    const int status = exchange(packed, (int)message.bytes, MPI_PACKED, to, out_tag,
                                buffer, count, type, from, in_tag, comm, result);
    free(packed);
    return status;
}

#if MPI_VERSION >= 4
static bool fits(MPI_Count count)
{
    return count >= 0 && count <= INT_MAX;
}

int patient_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                   int tag, MPI_Comm comm)
{
    return fits(count) ? patient_Send(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Send_c(buffer, count, type, to, tag, comm);
}

int patient_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                    int tag, MPI_Comm comm)
{
    return fits(count) ? patient_Ssend(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Ssend_c(buffer, count, type, to, tag, comm);
}

int patient_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to,
                    int tag, MPI_Comm comm)
{
    return fits(count) ? patient_Rsend(buffer, (int)count, type, to, tag, comm)
                       : PMPI_Rsend_c(buffer, count, type, to, tag, comm);
}

int patient_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag,
                   MPI_Comm comm, MPI_Status *result)
{
    return fits(count) ? patient_Recv(buffer, (int)count, type, from, tag, comm, result)
                       : PMPI_Recv_c(buffer, count, type, from, tag, comm, result);
}

int patient_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type,
                    MPI_Message *message, MPI_Status *result)
{
    return fits(count) ? patient_Mrecv(buffer, (int)count, type, message, result)
                       : PMPI_Mrecv_c(buffer, count, type, message, result);
}

int patient_Sendrecv_c(const void *out, MPI_Count out_count, MPI_Datatype out_type,
                       int to, int out_tag, void *in, MPI_Count in_count,
                       MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                       MPI_Status *result)
{
    if (!fits(out_count) || !fits(in_count))
        return PMPI_Sendrecv_c(out, out_count, out_type, to, out_tag, in, in_count,
                               in_type, from, in_tag, comm, result);
    return patient_Sendrecv(out, (int)out_count, out_type, to, out_tag, in,
                            (int)in_count, in_type, from, in_tag, comm, result);
}

int patient_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type, int to,
                               int out_tag, int from, int in_tag, MPI_Comm comm,
                               MPI_Status *result)
{
    if (!fits(count))
        return PMPI_Sendrecv_replace_c(buffer, count, type, to, out_tag, from, in_tag,
                                       comm, result);
    return patient_Sendrecv_replace(buffer, (int)count, type, to, out_tag, from, in_tag,
                                    comm, result);
}
#endif
