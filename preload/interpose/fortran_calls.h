/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_calls.h - the calls of calls.h as a program in Fortran makes them: X(Name,
 * name, NAME, number of arguments), all of which are addresses; the last is that of the
 * error.
 */
#ifndef MT_BALANCE_FORTRAN_CALLS_H
#define MT_BALANCE_FORTRAN_CALLS_H

#include "calls.h"

#define ADDRESSES_2 void *a, void *b
#define ADDRESSES_3 ADDRESSES_2, void *c
#define ADDRESSES_4 ADDRESSES_3, void *d
#define ADDRESSES_5 ADDRESSES_4, void *e
#define ADDRESSES_6 ADDRESSES_5, void *f
#define ADDRESSES_7 ADDRESSES_6, void *g
#define ADDRESSES_8 ADDRESSES_7, void *h
#define ADDRESSES_9 ADDRESSES_8, void *i
#define ADDRESSES_10 ADDRESSES_9, void *j
#define ADDRESSES_13 ADDRESSES_10, void *k, void *l, void *m
#define NAMES_10 NAMES_9, j
#define NAMES_13 NAMES_12, m

/* MPI_Bcast has an entry of its own: see wrap_fortran.c. */
#define FORTRAN_BCAST_CALLS(X) X(Bcast, bcast, BCAST, 6)

/* Exchanges among neighbours are left to the MPI: see patient_collectives.c. */
#define FORTRAN_CALLS(X) \
    X(Allgather, allgather, ALLGATHER, 8) \
    X(Allgatherv, allgatherv, ALLGATHERV, 9) \
    X(Allreduce, allreduce, ALLREDUCE, 7) \
    X(Alltoall, alltoall, ALLTOALL, 8) \
    X(Alltoallv, alltoallv, ALLTOALLV, 10) \
    X(Alltoallw, alltoallw, ALLTOALLW, 10) \
    X(Barrier, barrier, BARRIER, 2) \
    X(Exscan, exscan, EXSCAN, 7) \
    X(Gather, gather, GATHER, 9) \
    X(Gatherv, gatherv, GATHERV, 10) \
    X(Mprobe, mprobe, MPROBE, 6) \
    X(Mrecv, mrecv, MRECV, 6) \
    X(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER, 8) \
    X(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV, 9) \
    X(Probe, probe, PROBE, 5) \
    X(Recv, recv, RECV, 8) \
    X(Reduce, reduce, REDUCE, 8) \
    X(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 7) \
    X(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 7) \
    X(Rsend, rsend, RSEND, 7) \
    X(Scan, scan, SCAN, 7) \
    X(Scatter, scatter, SCATTER, 9) \
    X(Scatterv, scatterv, SCATTERV, 10) \
    X(Send, send, SEND, 7) \
    X(Sendrecv, sendrecv, SENDRECV, 13) \
    X(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE, 10) \
    X(Ssend, ssend, SSEND, 7) \
    X(Wait, wait, WAIT, 3) \
    X(Waitall, waitall, WAITALL, 4) \
    X(Waitany, waitany, WAITANY, 5) \
    X(Waitsome, waitsome, WAITSOME, 6)

#endif
