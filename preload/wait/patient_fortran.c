/* SPDX-License-Identifier: BSD-3-Clause */
#include "patient_fortran.h"

#include "handlers.h"
#include "patience.h"
#include "preload/interpose/fortran_calls.h"

#include <stdlib.h>

/* The MPI's functions are in a library for Fortran, which programs in C do not load. */
#define OF_MPI(name, ...) extern void pmpi_##name##_(__VA_ARGS__) __attribute__((weak));
OF_MPI(cancel, ADDRESSES_2)
OF_MPI(improbe, ADDRESSES_7)
OF_MPI(imrecv, ADDRESSES_6)
OF_MPI(iprobe, ADDRESSES_6)
OF_MPI(irecv, ADDRESSES_8)
OF_MPI(mprobe, ADDRESSES_6)
OF_MPI(mrecv, ADDRESSES_6)
OF_MPI(pack, ADDRESSES_8)
OF_MPI(pack_size, ADDRESSES_5)
OF_MPI(probe, ADDRESSES_5)
OF_MPI(recv, ADDRESSES_8)
OF_MPI(request_free, ADDRESSES_2)
OF_MPI(sendrecv, ADDRESSES_13)
OF_MPI(sendrecv_replace, ADDRESSES_10)
OF_MPI(test, ADDRESSES_4)
OF_MPI(testall, ADDRESSES_5)
OF_MPI(testany, ADDRESSES_6)
OF_MPI(testsome, ADDRESSES_6)
OF_MPI(wait, ADDRESSES_3)
OF_MPI(waitall, ADDRESSES_4)
OF_MPI(waitany, ADDRESSES_5)
OF_MPI(waitsome, ADDRESSES_6)

/* A message to or from nobody needs no patience. */
static bool waits_for(const int *peer)
{
    return patience_here() && *peer != MPI_PROC_NULL;
}

static void finish(int *request, void *status, int *error)
{
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        pmpi_test_(request, &done, status, error);
        if (done || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

/* For who does not want to know it. */
struct status {
    int words[sizeof(MPI_Status) / sizeof(int)];
};

#define SEND(Name, name) \
    OF_MPI(name, ADDRESSES_7) \
    OF_MPI(i##name, ADDRESSES_8) \
    static void fortran_##Name(void *buffer, void *count, void *type, int *to, \
                               void *tag, void *comm, int *error) \
    { \
        if (!waits_for(to)) { \
            pmpi_##name##_(buffer, count, type, to, tag, comm, error); \
            return; \
        } \
        int request; \
        struct status status; \
        pmpi_i##name##_(buffer, count, type, to, tag, comm, &request, error); \
        if (*error == MPI_SUCCESS) \
            finish(&request, &status, error); \
    }
SEND(Rsend, rsend)
SEND(Send, send)
SEND(Ssend, ssend)

static void fortran_Recv(void *buffer, void *count, void *type, int *from, void *tag,
                         void *comm, void *status, int *error)
{
    if (!waits_for(from)) {
        pmpi_recv_(buffer, count, type, from, tag, comm, status, error);
        return;
    }
    int request;
    pmpi_irecv_(buffer, count, type, from, tag, comm, &request, error);
    if (*error == MPI_SUCCESS)
        finish(&request, status, error);
}

static void fortran_Mrecv(void *buffer, void *count, void *type, void *message,
                          void *status, int *error)
{
    if (!patience_here()) {
        pmpi_mrecv_(buffer, count, type, message, status, error);
        return;
    }
    int request;
    pmpi_imrecv_(buffer, count, type, message, &request, error);
    if (*error == MPI_SUCCESS)
        finish(&request, status, error);
}

static void fortran_Probe(int *from, void *tag, void *comm, void *status, int *error)
{
    if (!waits_for(from)) {
        pmpi_probe_(from, tag, comm, status, error);
        return;
    }
    struct patience patience = {0};
    for (;;) {
        int there = 0;
        pmpi_iprobe_(from, tag, comm, &there, status, error);
        if (there || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

static void fortran_Mprobe(int *from, void *tag, void *comm, void *message,
                           void *status, int *error)
{
    if (!waits_for(from)) {
        pmpi_mprobe_(from, tag, comm, message, status, error);
        return;
    }
    struct patience patience = {0};
    for (;;) {
        int there = 0;
        pmpi_improbe_(from, tag, comm, &there, message, status, error);
        if (there || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

static void withdraw(int *request)
{
    int error;
    pmpi_cancel_(request, &error);
    pmpi_request_free_(request, &error);
}

static void fortran_Sendrecv(void *out, void *out_count, void *out_type, int *to,
                             void *out_tag, void *in, void *in_count, void *in_type,
                             int *from, void *in_tag, void *comm, void *status,
                             int *error)
{
    if (!waits_for(from)) {
        pmpi_sendrecv_(out, out_count, out_type, to, out_tag, in, in_count, in_type,
                       from, in_tag, comm, status, error);
        return;
    }
    int request;
    pmpi_irecv_(in, in_count, in_type, from, in_tag, comm, &request, error);
    if (*error != MPI_SUCCESS)
        return;
    fortran_Send(out, out_count, out_type, to, out_tag, comm, error);
    if (*error == MPI_SUCCESS)
        finish(&request, status, error);
    else
        withdraw(&request);
}

/* A copy of the message, to be freed, and its bytes. */
static void *pack(void *buffer, void *count, void *type, void *comm, int *bytes,
                  int *error)
{
    int size = 0;
    *bytes = 0;
    pmpi_pack_size_(count, type, comm, &size, error);
    void *packed = *error == MPI_SUCCESS ? malloc((size_t)size + 1) : NULL;
    if (packed)
        pmpi_pack_(buffer, count, type, packed, &size, bytes, comm, error);
    return packed;
}

static void fortran_Sendrecv_replace(void *buffer, void *count, void *type, int *to,
                                     void *out_tag, int *from, void *in_tag, void *comm,
                                     void *status, int *error)
{
    if (!waits_for(from)) {
        pmpi_sendrecv_replace_(buffer, count, type, to, out_tag, from, in_tag, comm,
                               status, error);
        return;
    }
    int bytes, packed_type = PMPI_Type_c2f(MPI_PACKED);
    void *packed = pack(buffer, count, type, comm, &bytes, error);
    if (*error == MPI_SUCCESS && packed)
        fortran_Sendrecv(packed, &bytes, &packed_type, to, out_tag, buffer, count, type,
                         from, in_tag, comm, status, error);
    else if (*error == MPI_SUCCESS)
        pmpi_sendrecv_replace_(buffer, count, type, to, out_tag, from, in_tag, comm,
                               status, error);
    free(packed);
}

static void fortran_Wait(void *request, void *status, int *error)
{
    if (patience_here())
        finish(request, status, error);
    else
        pmpi_wait_(request, status, error);
}

static void fortran_Waitall(void *n, void *requests, void *statuses, int *error)
{
    if (!patience_here()) {
        pmpi_waitall_(n, requests, statuses, error);
        return;
    }
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        pmpi_testall_(n, requests, &done, statuses, error);
        if (done || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

static void fortran_Waitany(void *n, void *requests, void *index, void *status,
                            int *error)
{
    if (!patience_here()) {
        pmpi_waitany_(n, requests, index, status, error);
        return;
    }
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        pmpi_testany_(n, requests, index, &done, status, error);
        if (done || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

static void fortran_Waitsome(void *n, void *requests, int *ndone, void *indices,
                             void *statuses, int *error)
{
    if (!patience_here()) {
        pmpi_waitsome_(n, requests, ndone, indices, statuses, error);
        return;
    }
    struct patience patience = {0};
    for (;;) {
        pmpi_testsome_(n, requests, ndone, indices, statuses, error);
        if (*ndone != 0 || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

/* Open MPI's name for MPI_IN_PLACE. */
extern char mpi_fortran_in_place_ __attribute__((weak));

/* Errors of collective calls are to be raised on their communicator: see handlers.h. */
static void finish_quietly(int *request, MPI_Comm comm, int *error)
{
    struct patience patience = {0};
    for (;;) {
        struct handlers held;
        struct status status;
        int done = 0;
        handlers_hold(&held, comm);
        pmpi_test_(request, &done, &status, error);
        handlers_release(&held, comm);
        if (*error != MPI_SUCCESS)
            PMPI_Comm_call_errhandler(comm, *error);
        if (done || *error != MPI_SUCCESS)
            return;
        patience_pause(&patience);
    }
}

static void finish_collective(int *request, const int *comm, int *error)
{
    struct status status;
    if (*error != MPI_SUCCESS)
        return;
    if (handlers_differ(PMPI_Comm_f2c(*comm)))
        finish_quietly(request, PMPI_Comm_f2c(*comm), error);
    else
        finish(request, &status, error);
}

/* Collective calls have n arguments before the communicator. */
#define ROUTE(here, Name, name, n) \
    OF_MPI(name, ADDRESSES_##n, void *comm, int *error) \
    OF_MPI(i##name, ADDRESSES_##n, void *comm, int *request, int *error) \
    static void fortran_##Name(ADDRESSES_##n, int *comm, int *error) \
    { \
        if (!patience_everywhere(PMPI_Comm_f2c(*comm)) || !(here)) { \
            pmpi_##name##_(NAMES_##n, comm, error); \
            return; \
        } \
        int request; \
        pmpi_i##name##_(NAMES_##n, comm, &request, error); \
        finish_collective(&request, comm, error); \
    }
#define COLLECTIVE(...) ROUTE(true, __VA_ARGS__)
/* See patient_collectives.c. */
#define ALLTOALL(...) ROUTE(a != &mpi_fortran_in_place_, __VA_ARGS__)

COLLECTIVE(Allgather, allgather, 6)
COLLECTIVE(Allgatherv, allgatherv, 7)
COLLECTIVE(Allreduce, allreduce, 5)
COLLECTIVE(Alltoall, alltoall, 6)
ALLTOALL(Alltoallv, alltoallv, 8)
ALLTOALL(Alltoallw, alltoallw, 8)
COLLECTIVE(Bcast, bcast, 4)
COLLECTIVE(Exscan, exscan, 5)
COLLECTIVE(Gather, gather, 7)
COLLECTIVE(Gatherv, gatherv, 8)
COLLECTIVE(Neighbor_allgather, neighbor_allgather, 6)
COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv, 7)
COLLECTIVE(Reduce, reduce, 6)
COLLECTIVE(Reduce_scatter, reduce_scatter, 5)
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, 5)
COLLECTIVE(Scan, scan, 5)
COLLECTIVE(Scatter, scatter, 7)
COLLECTIVE(Scatterv, scatterv, 8)

OF_MPI(barrier, int *comm, int *error)
OF_MPI(ibarrier, int *comm, int *request, int *error)
static void fortran_Barrier(int *comm, int *error)
{
    if (!patience_everywhere(PMPI_Comm_f2c(*comm))) {
        pmpi_barrier_(comm, error);
        return;
    }
    int request;
    pmpi_ibarrier_(comm, &request, error);
    finish_collective(&request, comm, error);
}

#define STAND_IN(Name, name, NAME, n) [CALL_##Name] = (mpi_function)fortran_##Name,
const mpi_function patient_fortran[CALLS] = {FORTRAN_CALLS(STAND_IN)
                                                 FORTRAN_BCAST_CALLS(STAND_IN)};
