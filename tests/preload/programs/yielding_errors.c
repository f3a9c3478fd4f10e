/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What goes wrong is raised as by the MPI's own call: with the same class of error, on
 * the same communicator, as often. Messages that are longer than expected, and wrong
 * arguments.
 */
#include "check.h"

#include <string.h>

enum { TAG = 3 };

static MPI_Comm comm; /* of the moment */
static int rank, ranks, left, right;

static struct raised {
    int on_comm, on_world, class;
} raised;

static void handler(MPI_Comm *on, int *code, ...)
{
    if (*on == comm)
        raised.on_comm++;
    else
        raised.on_world++;
    MPI_Error_class(*code, &raised.class);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void compare(const char *name, int code, int right_code,
                    const struct raised *expected)
{
    check(class_of(code) == class_of(right_code), "%s: class %d, not %d", name,
          class_of(code), class_of(right_code));
    check(raised.on_comm == expected->on_comm, "%s: raised %d times, not %d", name,
          raised.on_comm, expected->on_comm);
    check(raised.on_world == expected->on_world,
          "%s: raised %d times on another communicator, not %d", name, raised.on_world,
          expected->on_world);
    check(raised.class == expected->class, "%s: raised class %d, not %d", name,
          raised.class, expected->class);
}

/* Make the call by both names. All ranks are in it. */
#define COMPARE(...) \
    do { \
        memset(&raised, 0, sizeof raised); \
        const int right_code = PMPI_##__VA_ARGS__; \
        const struct raised expected = raised; \
        MPI_Barrier(comm); \
        memset(&raised, 0, sizeof raised); \
        const int code = MPI_##__VA_ARGS__; \
        compare(#__VA_ARGS__, code, right_code, &expected); \
        MPI_Barrier(comm); \
    } while (0)

static void send_to_right(int n)
{
    static const int numbers[8];
    MPI_Request request;
    for (int i = 0; i < 2; i++) { /* one for each name */
        MPI_Isend(numbers, n, MPI_INT, right, TAG, comm, &request);
        MPI_Request_free(&request);
    }
}

static void too_long(void)
{
    int in[8], out[8] = {0};
    MPI_Status status;
    send_to_right(8);
    COMPARE(Recv(in, 4, MPI_INT, left, TAG, comm, &status));
    send_to_right(8);
    COMPARE(Recv(in, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
    COMPARE(Sendrecv(out, 8, MPI_INT, right, TAG, in, 4, MPI_INT, left, TAG, comm,
                     &status));
    const int n = rank % 2 ? 4 : 8;
    COMPARE(Sendrecv_replace(in, n, MPI_INT, right, TAG, left, TAG, comm, &status));
}

static void wrong_arguments(void)
{
    int in[64], out[64] = {0}, counts[64], places[64] = {0};
    for (int i = 0; i < 64; i++)
        counts[i] = 1;
    MPI_Status status;
    COMPARE(Send(out, 1, MPI_INT, ranks, TAG, comm));
    COMPARE(Send(out, -1, MPI_INT, right, TAG, comm));
    COMPARE(Ssend(out, 1, MPI_DATATYPE_NULL, right, TAG, comm));
    COMPARE(Rsend(out, 1, MPI_INT, right, -5, comm));
    COMPARE(Recv(in, 1, MPI_INT, ranks, TAG, comm, &status));
    COMPARE(Recv(in, 1, MPI_INT, left, -5, comm, &status));
    COMPARE(Probe(ranks, TAG, comm, &status));
    COMPARE(Sendrecv(out, 1, MPI_INT, right, TAG, in, -1, MPI_INT, left, TAG, comm,
                     &status));
    COMPARE(Sendrecv_replace(in, 1, MPI_INT, ranks, TAG, left, TAG, comm, &status));
    COMPARE(Barrier(MPI_COMM_NULL));
    COMPARE(Bcast(in, 1, MPI_INT, ranks, comm));
    COMPARE(Gather(out, 1, MPI_INT, in, 1, MPI_INT, -7, comm));
    COMPARE(Scatter(out, 1, MPI_INT, in, 1, MPI_INT, ranks, comm));
    COMPARE(Allgather(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, comm));
    COMPARE(Allgatherv(out, -1, MPI_INT, in, counts, places, MPI_INT, comm));
    COMPARE(Alltoall(out, -1, MPI_INT, in, 1, MPI_INT, comm));
    COMPARE(Reduce(out, in, 1, MPI_INT, MPI_SUM, ranks, comm));
    COMPARE(Allreduce(out, in, 1, MPI_INT, MPI_OP_NULL, comm));
    COMPARE(Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL));
#ifndef MPICH /* which does not look at them */
    COMPARE(Allreduce(out, in, -1, MPI_INT, MPI_SUM, comm));
    COMPARE(Reduce_scatter_block(out, in, -1, MPI_INT, MPI_SUM, comm));
#endif
    COMPARE(Scan(out, in, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
}

/* The first of two messages is too long. */
static void begin(int in[2][8], MPI_Request requests[2])
{
    send_to_right(8);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(in[i], i ? 8 : 4, MPI_INT, left, TAG, comm, &requests[i]);
    MPI_Barrier(comm);
}

static void finish(MPI_Request requests[2])
{
    for (int i = 0; i < 2; i++)
        PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

#define COMPARE_WAIT(...) \
    do { \
        begin(in, requests); \
        memset(&raised, 0, sizeof raised); \
        const int right_code = PMPI_##__VA_ARGS__; \
        const struct raised expected = raised; \
        const int right_error = statuses[0].MPI_ERROR; \
        finish(requests); \
        begin(in, requests); \
        memset(&raised, 0, sizeof raised); \
        const int code = MPI_##__VA_ARGS__; \
        compare(#__VA_ARGS__, code, right_code, &expected); \
        check(code != MPI_ERR_IN_STATUS || \
                  class_of(statuses[0].MPI_ERROR) == class_of(right_error), \
              "%s: class %d in the status, not %d", #__VA_ARGS__, \
              class_of(statuses[0].MPI_ERROR), class_of(right_error)); \
        finish(requests); \
    } while (0)

/* Requests that fail have the error in their statuses. */
static void failing_requests(void)
{
    int in[2][8], index, n, indices[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    COMPARE_WAIT(Wait(&requests[0], &statuses[0]));
    COMPARE_WAIT(Waitall(2, requests, statuses));
    COMPARE_WAIT(Waitany(1, requests, &index, &statuses[0]));
    COMPARE_WAIT(Waitsome(1, requests, &n, indices, statuses));
}

static void with_handler(MPI_Errhandler errhandler)
{
    MPI_Comm_set_errhandler(comm, errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
    wrong_arguments();
    too_long();
    failing_requests();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    left = (rank + ranks - 1) % ranks;
    right = (rank + 1) % ranks;
    with_handler(own);
    with_handler(MPI_ERRORS_RETURN);
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return check_finish();
}
