/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - the blocking calls of the MPI that patient ranks make in another way, each
 * with the number of its arguments.
 *
 * The front knows no types of the MPI. It takes and hands on every argument as a word:
 * counts, handles and addresses all travel in a register, or a slot of the stack, of
 * their own.
 */
#ifndef MT_BALANCE_CALLS_H
#define MT_BALANCE_CALLS_H

#include <stdint.h>

#define MESSAGE_CALLS(X) \
    X(Mprobe, 5) \
    X(Mrecv, 5) \
    X(Probe, 4) \
    X(Recv, 7) \
    X(Rsend, 6) \
    X(Send, 6) \
    X(Sendrecv, 12) \
    X(Sendrecv_replace, 9) \
    X(Ssend, 6)

#define WAIT_CALLS(X) \
    X(Wait, 2) \
    X(Waitall, 3) \
    X(Waitany, 4) \
    X(Waitsome, 5)

/* MPI_Bcast has an entry of its own: see wrap.c. */
#define BCAST_CALLS(X) X(Bcast, 5)

#define COLLECTIVE_CALLS(X) \
    X(Allgather, 7) \
    X(Allgatherv, 8) \
    X(Allreduce, 6) \
    X(Alltoall, 7) \
    X(Alltoallv, 9) \
    X(Alltoallw, 9) \
    X(Barrier, 1) \
    X(Exscan, 6) \
    X(Gather, 8) \
    X(Gatherv, 9) \
    X(Neighbor_allgather, 7) \
    X(Neighbor_allgatherv, 8) \
    X(Neighbor_alltoall, 7) \
    X(Neighbor_alltoallv, 9) \
    X(Neighbor_alltoallw, 9) \
    X(Reduce, 7) \
    X(Reduce_scatter, 6) \
    X(Reduce_scatter_block, 6) \
    X(Scan, 6) \
    X(Scatter, 8) \
    X(Scatterv, 9)

/* Of MPI 4: those whose counts do not fit an int. */
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

/* All but broadcasts; and with them. */
#define PLAIN_CALLS(X) \
    MESSAGE_CALLS(X) \
    WAIT_CALLS(X) COLLECTIVE_CALLS(X) LARGE_MESSAGE_CALLS(X) LARGE_COLLECTIVE_CALLS(X)
#define ALL_CALLS(X) PLAIN_CALLS(X) BCAST_CALLS(X) LARGE_BCAST_CALLS(X)

enum call_number {
#define NUMBER(name, arguments) CALL_##name,
    ALL_CALLS(NUMBER)
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
