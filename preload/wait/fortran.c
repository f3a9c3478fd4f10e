/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran.h"

#include "yielding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Open MPI's names; absent where no Fortran is loaded. */
extern char mpi_fortran_bottom_ __attribute__((weak));
extern char mpi_fortran_in_place_ __attribute__((weak));
extern char mpi_fortran_status_ignore_ __attribute__((weak));
extern char mpi_fortran_statuses_ignore_ __attribute__((weak));

void *fortran_buffer(void *buffer)
{
    if (buffer && buffer == &mpi_fortran_bottom_)
        return MPI_BOTTOM;
    if (buffer && buffer == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return buffer;
}

/* Handles and numbers come by reference. */
#define BUFFER(buffer) fortran_buffer(buffer)
#define TYPE(type) PMPI_Type_f2c(*(type))
#define COMM(comm) PMPI_Comm_f2c(*(comm))
#define OP(op) PMPI_Op_f2c(*(op))

/* One status: in C, and where the program wants it. */
struct result {
    MPI_Status status;
    MPI_Fint *wanted; /* NULL: nowhere */
};

static struct result result_for(MPI_Fint *wanted)
{
    const bool ignored = (char *)wanted == &mpi_fortran_status_ignore_;
    return (struct result){.wanted = ignored ? NULL : wanted};
}

static void give_result(const struct result *result)
{
    if (result->wanted)
        PMPI_Status_c2f(&result->status, result->wanted);
}

#define SEND(Name) \
    static void fortran_##Name(void *buffer, int *count, MPI_Fint *type, int *to, \
                               int *tag, MPI_Fint *comm, int *error) \
    { \
        *error = \
            yield_##Name(BUFFER(buffer), *count, TYPE(type), *to, *tag, COMM(comm)); \
    }
SEND(Rsend)
SEND(Send)
SEND(Ssend)

static void fortran_Recv(void *buffer, int *count, MPI_Fint *type, int *from, int *tag,
                         MPI_Fint *comm, MPI_Fint *status, int *error)
{
    struct result result = result_for(status);
    *error = yield_Recv(BUFFER(buffer), *count, TYPE(type), *from, *tag, COMM(comm),
                        &result.status);
    give_result(&result);
}

static void fortran_Mrecv(void *buffer, int *count, MPI_Fint *type, MPI_Fint *message,
                          MPI_Fint *status, int *error)
{
    struct result result = result_for(status);
    MPI_Message held = PMPI_Message_f2c(*message);
    *error = yield_Mrecv(BUFFER(buffer), *count, TYPE(type), &held, &result.status);
    *message = PMPI_Message_c2f(held);
    give_result(&result);
}

static void fortran_Probe(int *from, int *tag, MPI_Fint *comm, MPI_Fint *status,
                          int *error)
{
    struct result result = result_for(status);
    *error = yield_Probe(*from, *tag, COMM(comm), &result.status);
    give_result(&result);
}

static void fortran_Mprobe(int *from, int *tag, MPI_Fint *comm, MPI_Fint *message,
                           MPI_Fint *status, int *error)
{
    struct result result = result_for(status);
    MPI_Message held = MPI_MESSAGE_NULL;
    *error = yield_Mprobe(*from, *tag, COMM(comm), &held, &result.status);
    if (*error == MPI_SUCCESS)
        *message = PMPI_Message_c2f(held);
    give_result(&result);
}

static void fortran_Sendrecv(void *out, int *out_count, MPI_Fint *out_type, int *to,
                             int *out_tag, void *in, int *in_count, MPI_Fint *in_type,
                             int *from, int *in_tag, MPI_Fint *comm, MPI_Fint *status,
                             int *error)
{
    struct result result = result_for(status);
    *error = yield_Sendrecv(BUFFER(out), *out_count, TYPE(out_type), *to, *out_tag,
                            BUFFER(in), *in_count, TYPE(in_type), *from, *in_tag,
                            COMM(comm), &result.status);
    give_result(&result);
}

static void fortran_Sendrecv_replace(void *buffer, int *count, MPI_Fint *type, int *to,
                                     int *out_tag, int *from, int *in_tag,
                                     MPI_Fint *comm, MPI_Fint *status, int *error)
{
    struct result result = result_for(status);
    *error = yield_Sendrecv_replace(BUFFER(buffer), *count, TYPE(type), *to, *out_tag,
                                    *from, *in_tag, COMM(comm), &result.status);
    give_result(&result);
}

/* Several requests, with as many statuses. */
struct batch {
    int n;
    MPI_Request *request;       /* owned; [n], of `handles` */
    MPI_Status *status;         /* owned; [n] */
    MPI_Fint *handles, *wanted; /* the program's; wanted: NULL where it ignores them */
};

/* MPI_ERR_NO_MEM, raised as the MPI would raise it, when memory is short. */
static int batch_open(struct batch *batch, int n, MPI_Fint *handles, MPI_Fint *wanted)
{
    const size_t room = n > 0 ? (size_t)n : 1;
    const bool ignored = (char *)wanted == &mpi_fortran_statuses_ignore_;
    *batch = (struct batch){.n = n,
                            .request = malloc(room * sizeof(MPI_Request)),
                            .status = calloc(room, sizeof(MPI_Status)),
                            .handles = handles,
                            .wanted = ignored ? NULL : wanted};
    if (!batch->request || !batch->status) {
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < n; i++)
        batch->request[i] = PMPI_Request_f2c(handles[i]);
    return MPI_SUCCESS;
}

/* Hand back the handles, and the first `statuses` statuses. */
static void batch_close(struct batch *batch, int statuses)
{
    const int words = (int)(sizeof(MPI_Status) / sizeof(MPI_Fint));
    for (int i = 0; batch->request && batch->status && i < batch->n; i++)
        batch->handles[i] = PMPI_Request_c2f(batch->request[i]);
    for (int i = 0; batch->wanted && i < statuses; i++)
        PMPI_Status_c2f(&batch->status[i], &batch->wanted[(ptrdiff_t)i * words]);
    free(batch->request);
    free(batch->status);
}

static void fortran_Wait(MPI_Fint *request, MPI_Fint *status, int *error)
{
    struct result result = result_for(status);
    MPI_Request held = PMPI_Request_f2c(*request);
    *error = yield_Wait(&held, &result.status);
    *request = PMPI_Request_c2f(held);
    give_result(&result);
}

static void fortran_Waitall(int *n, MPI_Fint *requests, MPI_Fint *statuses, int *error)
{
    struct batch batch;
    *error = batch_open(&batch, *n, requests, statuses);
    const bool open = *error == MPI_SUCCESS;
    if (open)
        *error = yield_Waitall(*n, batch.request, batch.status);
    batch_close(&batch, open ? *n : 0);
}

/* Indices count from 1. */
static int index_for_fortran(int index)
{
    return index == MPI_UNDEFINED ? MPI_UNDEFINED : index + 1;
}

static void fortran_Waitany(int *n, MPI_Fint *requests, int *index, MPI_Fint *status,
                            int *error)
{
    struct result result = result_for(status);
    struct batch batch;
    int which = MPI_UNDEFINED;
    *error = batch_open(&batch, *n, requests, NULL);
    const bool open = *error == MPI_SUCCESS;
    if (open)
        *error = yield_Waitany(*n, batch.request, &which, &result.status);
    batch_close(&batch, 0);
    *index = index_for_fortran(which);
    if (open)
        give_result(&result);
}

static void fortran_Waitsome(int *n, MPI_Fint *requests, int *ndone, int *indices,
                             MPI_Fint *statuses, int *error)
{
    struct batch batch;
    *error = batch_open(&batch, *n, requests, statuses);
    const bool open = *error == MPI_SUCCESS;
    *ndone = 0;
    if (open)
        *error = yield_Waitsome(*n, batch.request, ndone, indices, batch.status);
    const int done = open && *ndone != MPI_UNDEFINED ? *ndone : 0;
    batch_close(&batch, done);
    for (int i = 0; i < done; i++)
        indices[i] = index_for_fortran(indices[i]);
}

/* Collective calls: parameters that several of them share, and the same as arguments
   for C. */
#define OF_BLOCKS \
    void *send, int *send_count, MPI_Fint *send_type, void *receive, \
        int *receive_count, MPI_Fint *receive_type
#define BLOCKS \
    BUFFER(send), *send_count, TYPE(send_type), BUFFER(receive), *receive_count, \
        TYPE(receive_type)
#define OF_VARIOUS_RECEIVED \
    void *send, int *send_count, MPI_Fint *send_type, void *receive, \
        int *receive_counts, int *places, MPI_Fint *receive_type
#define VARIOUS_RECEIVED \
    BUFFER(send), *send_count, TYPE(send_type), BUFFER(receive), receive_counts, \
        places, TYPE(receive_type)
#define OF_VARIOUS_SENT \
    void *send, int *send_counts, int *places, MPI_Fint *send_type, void *receive, \
        int *receive_count, MPI_Fint *receive_type
#define VARIOUS_SENT \
    BUFFER(send), send_counts, places, TYPE(send_type), BUFFER(receive), \
        *receive_count, TYPE(receive_type)
#define OF_VARIOUS \
    void *send, int *send_counts, int *send_places, MPI_Fint *send_type, \
        void *receive, int *receive_counts, int *receive_places, \
        MPI_Fint *receive_type
#define VARIOUS \
    BUFFER(send), send_counts, send_places, TYPE(send_type), BUFFER(receive), \
        receive_counts, receive_places, TYPE(receive_type)
#define OF_OPERANDS void *send, void *receive, int *count, MPI_Fint *type, MPI_Fint *op
#define OPERANDS BUFFER(send), BUFFER(receive), *count, TYPE(type), OP(op)
#define VARIOUS_OPERANDS BUFFER(send), BUFFER(receive), count, TYPE(type), OP(op)

#define LIST(...) __VA_ARGS__
#define COLLECTIVE(Name, parameters, arguments) \
    static void fortran_##Name(LIST parameters, MPI_Fint *comm, int *error) \
    { \
        *error = yield_##Name(LIST arguments, COMM(comm)); \
    }

COLLECTIVE(Allgather, (OF_BLOCKS), (BLOCKS))
COLLECTIVE(Allgatherv, (OF_VARIOUS_RECEIVED), (VARIOUS_RECEIVED))
COLLECTIVE(Allreduce, (OF_OPERANDS), (OPERANDS))
COLLECTIVE(Alltoall, (OF_BLOCKS), (BLOCKS))
COLLECTIVE(Alltoallv, (OF_VARIOUS), (VARIOUS))
COLLECTIVE(Bcast, (void *buffer, int *count, MPI_Fint *type, int *root),
           (BUFFER(buffer), *count, TYPE(type), *root))
COLLECTIVE(Exscan, (OF_OPERANDS), (OPERANDS))
COLLECTIVE(Gather, (OF_BLOCKS, int *root), (BLOCKS, *root))
COLLECTIVE(Gatherv, (OF_VARIOUS_RECEIVED, int *root), (VARIOUS_RECEIVED, *root))
COLLECTIVE(Neighbor_allgather, (OF_BLOCKS), (BLOCKS))
COLLECTIVE(Neighbor_allgatherv, (OF_VARIOUS_RECEIVED), (VARIOUS_RECEIVED))
COLLECTIVE(Reduce, (OF_OPERANDS, int *root), (OPERANDS, *root))
COLLECTIVE(Reduce_scatter, (OF_OPERANDS), (VARIOUS_OPERANDS))
COLLECTIVE(Reduce_scatter_block, (OF_OPERANDS), (OPERANDS))
COLLECTIVE(Scan, (OF_OPERANDS), (OPERANDS))
COLLECTIVE(Scatter, (OF_BLOCKS, int *root), (BLOCKS, *root))
COLLECTIVE(Scatterv, (OF_VARIOUS_SENT, int *root), (VARIOUS_SENT, *root))

static void fortran_Barrier(MPI_Fint *comm, int *error)
{
    *error = yield_Barrier(COMM(comm));
}

/* MPI_Alltoallw has a type for each rank: [n] owned; NULL when memory is short. */
static MPI_Datatype *types_of(const MPI_Fint *handles, int n)
{
    MPI_Datatype *types = malloc((size_t)n * sizeof(MPI_Datatype));
    for (int i = 0; types && i < n; i++)
        types[i] = PMPI_Type_f2c(handles[i]);
    return types;
}

static void fortran_Alltoallw(void *send, int *send_counts, int *send_places,
                              MPI_Fint *send_types, void *receive, int *receive_counts,
                              int *receive_places, MPI_Fint *receive_types,
                              MPI_Fint *comm, int *error)
{
    const bool in_place = fortran_buffer(send) == MPI_IN_PLACE;
    int n = 1, between_groups = 0;
    PMPI_Comm_test_inter(COMM(comm), &between_groups);
    if (between_groups)
        PMPI_Comm_remote_size(COMM(comm), &n);
    else
        PMPI_Comm_size(COMM(comm), &n);
    MPI_Datatype *sent = in_place ? NULL : types_of(send_types, n);
    MPI_Datatype *received = types_of(receive_types, n);
    *error = MPI_ERR_NO_MEM;
    if (received && (sent || in_place))
        *error = yield_Alltoallw(BUFFER(send), send_counts, send_places, sent,
                                 BUFFER(receive), receive_counts, receive_places,
                                 received, COMM(comm));
    else
        PMPI_Comm_call_errhandler(COMM(comm), *error);
    free(sent);
    free(received);
}

/* Left to the MPI, as in C: see collectives.c. */
#define fortran_Neighbor_alltoall NULL
#define fortran_Neighbor_alltoallv NULL
#define fortran_Neighbor_alltoallw NULL

#define STAND_IN(Name, ...) [CALL_##Name] = (mpi_function)fortran_##Name,
const mpi_function yielding_fortran[CALLS] = {MESSAGE_CALLS(STAND_IN) WAIT_CALLS(
    STAND_IN) COLLECTIVE_CALLS(STAND_IN) BCAST_CALLS(STAND_IN)};
