/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - the blocking calls of the MPI that the report watches:
 * X(Name, name, NAME, number of arguments, kind, peer). `peer` is the argument that
 * says which rank a message comes from or goes to, for KIND_MESSAGE; its communicator
 * is two arguments further on. That of a collective call is the last argument, and its
 * root, if it has one, stands before. In Fortran each has one argument more, the
 * address of the error; all others are addresses there, too.
 *
 * libmotley-balance.so does not know the MPI's types. It takes and passes on every
 * argument as a word: counts, handles and addresses all travel in a register, or a slot
 * of the stack, of their own.
 */
#ifndef MT_BALANCE_CALLS_H
#define MT_BALANCE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum call_kind {
    KIND_ALL,       /* no rank leaves before all have come */
    KIND_FROM_ROOT, /* no rank leaves before the root has come */
    KIND_SOME,      /* some wait for some others */
    KIND_MESSAGE,
    KIND_WAIT
};

/* MPI 4 has twins of these with names that end in _c, for counts that do not fit an
   int. */
#define COUNTED_CALLS(X) \
    X(Allgather, allgather, ALLGATHER, 7, KIND_ALL, 0) \
    X(Allgatherv, allgatherv, ALLGATHERV, 8, KIND_ALL, 0) \
    X(Allreduce, allreduce, ALLREDUCE, 6, KIND_ALL, 0) \
    X(Alltoall, alltoall, ALLTOALL, 7, KIND_ALL, 0) \
    X(Alltoallv, alltoallv, ALLTOALLV, 9, KIND_ALL, 0) \
    X(Alltoallw, alltoallw, ALLTOALLW, 9, KIND_ALL, 0) \
    X(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 6, KIND_ALL, 0) \
    X(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6, KIND_ALL, \
      0) \
    X(Scatter, scatter, SCATTER, 8, KIND_FROM_ROOT, 0) \
    X(Scatterv, scatterv, SCATTERV, 9, KIND_FROM_ROOT, 0) \
    X(Exscan, exscan, EXSCAN, 6, KIND_SOME, 0) \
    X(Gather, gather, GATHER, 8, KIND_SOME, 0) \
    X(Gatherv, gatherv, GATHERV, 9, KIND_SOME, 0) \
    X(Reduce, reduce, REDUCE, 7, KIND_SOME, 0) \
    X(Scan, scan, SCAN, 6, KIND_SOME, 0) \
    X(Recv, recv, RECV, 7, KIND_MESSAGE, 3) \
    X(Send, send, SEND, 6, KIND_MESSAGE, 3) \
    X(Ssend, ssend, SSEND, 6, KIND_MESSAGE, 3) \
    X(Sendrecv, sendrecv, SENDRECV, 12, KIND_MESSAGE, 8) \
    X(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE, 9, KIND_MESSAGE, 5)

#define UNCOUNTED_CALLS(X) \
    X(Barrier, barrier, BARRIER, 1, KIND_ALL, 0) \
    X(Probe, probe, PROBE, 4, KIND_MESSAGE, 0) \
    X(Mprobe, mprobe, MPROBE, 5, KIND_MESSAGE, 0) \
    X(Wait, wait, WAIT, 2, KIND_WAIT, 0) \
    X(Waitall, waitall, WAITALL, 3, KIND_WAIT, 0) \
    X(Waitany, waitany, WAITANY, 4, KIND_WAIT, 0) \
    X(Waitsome, waitsome, WAITSOME, 5, KIND_WAIT, 0)

/* The watched twins; none if a word is too short for their counts. */
#if INTPTR_MAX >= INT64_MAX
#define LARGE_CALLS(X) COUNTED_CALLS(X)
#else
#define LARGE_CALLS(X)
#endif

/* Has entries of its own: see wrap.c. */
#define BCAST_CALL(X) X(Bcast, bcast, BCAST, 5, KIND_FROM_ROOT, 0)

#define PASSED_CALLS(X) COUNTED_CALLS(X) UNCOUNTED_CALLS(X)
#define WATCHED_CALLS(X) PASSED_CALLS(X) BCAST_CALL(X)

enum call_number {
#define NUMBER(Name, ...) CALL_##Name,
    WATCHED_CALLS(NUMBER)
#undef NUMBER
        CALLS
};

/* Calls that the core may carry out itself. */
#define IS_TAKEN(call) ((call) == CALL_Reduce || (call) == CALL_Gather)

/* Holds any argument, in C and in Fortran. */
typedef intptr_t call_word;

/* A call that is on its way. */
struct watched {
    enum call_number call;
    bool fortran;
    bool large;       /* its name ends in _c */
    const void *site; /* return address of the call */
    /* Used by preload/waits: */
    int64_t entered;    /* ns; 0: not watched */
    uint64_t key;       /* the same on all ranks of a collective call */
    int role;           /* of this rank in it */
    void *communicator; /* of a collective call; NULL: none */
    int peer;           /* rank in MPI_COMM_WORLD; -1: not known */
};

#endif
