/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement.h - decides whether all ranks of a communicator can set up to improve its
 * broadcasts, and may gain by it.
 *
 * The ranks agree while their broadcasts go on: their statements travel from one
 * meeting to the next, so no rank waits for others to arrive or to get a core. Meetings
 * are at the same calls on all ranks, at growing intervals.
 */
#ifndef MT_BALANCE_AGREEMENT_H
#define MT_BALANCE_AGREEMENT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rank's statement, or the minimum of all ranks' statements. */
struct statement {
    int64_t can;
    int64_t has_core; /* other processes rarely took it */
    int64_t content;  /* few of its recent broadcasts took long */
};

struct agreement {
    int64_t next;  /* number of the broadcast, from 0, at which to meet; -1: never
                      again */
    int64_t began; /* ns */
    bool open;     /* statements were made and not judged yet */
    MPI_Request request;
    struct statement mine, all;
    int timed, took_long;              /* broadcasts before the next meeting */
    struct agreement *before, *behind; /* of the open statements */
};

/* Before the first broadcast. */
void agreement_init(struct agreement *agreement);
/* Set the next meeting to that call. */
void agreement_put_off(struct agreement *agreement, int64_t call);

/* The number of calls, from that one on, before the next one to time. */
int64_t agreement_idle_calls(const struct agreement *agreement, int64_t call);
void agreement_note(struct agreement *agreement, int64_t took, size_t bytes);
/* Whether the noted times show that our trees cannot gain anything. */
bool agreement_is_content(const struct agreement *agreement);

/* Whether broadcasts have taken so long that the cost of a statement is negligible. */
bool agreement_is_worth_it(const struct agreement *agreement);

/* Broadcast the root's answer to all ranks. Each rank waits for the root only, as in
   the broadcast that follows. */
bool agreement_hear(bool mine, int root, MPI_Comm comm);

/* Make a statement at the same meeting on all ranks, and wait for all others, which
   gives `all`. */
void agreement_take(struct agreement *agreement, const struct statement *mine,
                    MPI_Comm comm);
/* Whether only the waiting way works: in the simulator. */
bool agreement_is_at_once(void);
/* Make a statement without waiting for other ranks. */
void agreement_begin(struct agreement *agreement, const struct statement *mine,
                     MPI_Comm comm);
/* At a later meeting: whether the root knows that all statements were made. */
bool agreement_is_reached(struct agreement *agreement, int root, MPI_Comm comm);
/* Wait until all statements were made, which gives `all`. */
void agreement_end(struct agreement *agreement);
/* The same for the statements of all communicators. */
void agreement_end_all(void);

#endif
