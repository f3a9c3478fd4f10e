/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - the blocking calls of the MPI that this library can make in another way:
 * X(Name, name, NAME, number of arguments). Each has one argument more in Fortran, the
 * address of the error; all others are addresses there, too.
 *
 * libmotley-balance.so knows no types of the MPI. It takes and hands on every argument
 * as a word: counts, handles and addresses all travel in a register, or a slot of the
 * stack, of their own.
 */
#ifndef MT_BALANCE_CALLS_H
#define MT_BALANCE_CALLS_H

#define MESSAGE_CALLS(X) \
    X(Mprobe, mprobe, MPROBE, 5) \
    X(Mrecv, mrecv, MRECV, 5) \
    X(Probe, probe, PROBE, 4) \
    X(Recv, recv, RECV, 7) \
    X(Rsend, rsend, RSEND, 6) \
    X(Send, send, SEND, 6) \
    X(Sendrecv, sendrecv, SENDRECV, 12) \
    X(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE, 9) \
    X(Ssend, ssend, SSEND, 6)

#define WAIT_CALLS(X) \
    X(Wait, wait, WAIT, 2) \
    X(Waitall, waitall, WAITALL, 3) \
    X(Waitany, waitany, WAITANY, 4) \
    X(Waitsome, waitsome, WAITSOME, 5)

/* MPI_Bcast has an entry of its own: see wrap.c. */
#define BCAST_CALLS(X) X(Bcast, bcast, BCAST, 5)

#define COLLECTIVE_CALLS(X) \
    X(Allgather, allgather, ALLGATHER, 7) \
    X(Allgatherv, allgatherv, ALLGATHERV, 8) \
    X(Allreduce, allreduce, ALLREDUCE, 6) \
    X(Alltoall, alltoall, ALLTOALL, 7) \
    X(Alltoallv, alltoallv, ALLTOALLV, 9) \
    X(Alltoallw, alltoallw, ALLTOALLW, 9) \
    X(Barrier, barrier, BARRIER, 1) \
    X(Exscan, exscan, EXSCAN, 6) \
    X(Gather, gather, GATHER, 8) \
    X(Gatherv, gatherv, GATHERV, 9) \
    X(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER, 7) \
    X(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV, 8) \
    X(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL, 7) \
    X(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV, 9) \
    X(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW, 9) \
    X(Reduce, reduce, REDUCE, 7) \
    X(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 6) \
    X(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6) \
    X(Scan, scan, SCAN, 6) \
    X(Scatter, scatter, SCATTER, 8) \
    X(Scatterv, scatterv, SCATTERV, 9)

/* Of MPI 4, for counts that do not fit an int; none in Fortran: X(name, number). */
#define LARGE_MESSAGE_CALLS(X) \
    X(Mrecv_c, 5) \
    X(Recv_c, 7) \
    X(Rsend_c, 6) \
    X(Send_c, 6) \
    X(Sendrecv_c, 12) \
    X(Sendrecv_replace_c, 9) \
    X(Ssend_c, 6)

#define LARGE_BCAST_CALLS(X) X(Bcast_c, 5)

#define LARGE_COLLECTIVE_CALLS(X) \
    X(Allgather_c, 7) \
    X(Allgatherv_c, 8) \
    X(Allreduce_c, 6) \
    X(Alltoall_c, 7) \
    X(Alltoallv_c, 9) \
    X(Alltoallw_c, 9) \
    X(Exscan_c, 6) \
    X(Gather_c, 8) \
    X(Gatherv_c, 9) \
    X(Neighbor_allgather_c, 7) \
    X(Neighbor_allgatherv_c, 8) \
    X(Neighbor_alltoall_c, 7) \
    X(Neighbor_alltoallv_c, 9) \
    X(Neighbor_alltoallw_c, 9) \
    X(Reduce_c, 7) \
    X(Reduce_scatter_block_c, 6) \
    X(Reduce_scatter_c, 6) \
    X(Scan_c, 6) \
    X(Scatter_c, 8) \
    X(Scatterv_c, 9)

#define PLAIN_CALLS(X) MESSAGE_CALLS(X) WAIT_CALLS(X) COLLECTIVE_CALLS(X)
#define LARGE_CALLS(X) LARGE_MESSAGE_CALLS(X) LARGE_COLLECTIVE_CALLS(X)

enum call_number {
#define NUMBER(name, ...) CALL_##name,
    PLAIN_CALLS(NUMBER) LARGE_CALLS(NUMBER) BCAST_CALLS(NUMBER)
        LARGE_BCAST_CALLS(NUMBER)
#undef NUMBER
            CALLS
};

/* Arguments, which their number tells. */
#define NAMES_1 a
#define NAMES_2 NAMES_1, b
#define NAMES_3 NAMES_2, c
#define NAMES_4 NAMES_3, d
#define NAMES_5 NAMES_4, e
#define NAMES_6 NAMES_5, f
#define NAMES_7 NAMES_6, g
#define NAMES_8 NAMES_7, h
#define NAMES_9 NAMES_8, i
#define NAMES_12 NAMES_9, j, k, l

/* Any function of the MPI, or one that stands in for it. */
typedef void (*mpi_function)(void);

#endif
