/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement.h - whether all ranks of a communicator can get ready to improve its
 * broadcasts, and have something to gain.
 *
 * The ranks find that out while their broadcasts go on: what each has to say is on its
 * way from one meeting to the next, so that no rank waits until others have a core, or
 * come. Meetings are at the same calls on all ranks, and rarer and rarer.
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
    int64_t has_core; /* others did not have it for much of the time */
    int64_t content;  /* few of its last broadcasts took long */
};

struct agreement {
    int64_t next;  /* broadcast, from 0, at which to meet; -1: never again */
    int64_t began; /* ns */
    bool open;     /* statements were made, and not yet judged */
    MPI_Request request;
    struct statement mine, all;
    int timed, took_long;              /* broadcasts before the next meeting */
    struct agreement *before, *behind; /* of those that are open */
};

/* Before the first broadcast. */
void agreement_init(struct agreement *agreement);
/* Meet next at that call. */
void agreement_put_off(struct agreement *agreement, int64_t call);

/* How many calls come, from that one on, before the next whose time is to be noted. */
int64_t agreement_idle_calls(const struct agreement *agreement, int64_t call);
void agreement_note(struct agreement *agreement, int64_t took, size_t bytes);
/* Whether, by the noted times, trees of ours cannot gain anything. */
bool agreement_is_content(const struct agreement *agreement);

/* Whether the broadcasts have gone on for so long that a statement is next to nothing.
 */
bool agreement_is_worth_it(const struct agreement *agreement);

/* Broadcast the root's answer to all ranks. Each rank waits for the root only, as it
   would in the broadcast to come. */
bool agreement_hear(bool mine, int root, MPI_Comm comm);

/* Make a statement at the same meeting on all ranks, and wait for all others: `all` is
   known then. */
void agreement_take(struct agreement *agreement, const struct statement *mine,
                    MPI_Comm comm);
/* Whether that is the only way: in the simulator. */
bool agreement_is_at_once(void);
/* Make a statement, and wait for no other rank. */
void agreement_begin(struct agreement *agreement, const struct statement *mine,
                     MPI_Comm comm);
/* Whether the root, at a later meeting, knows that all have been made. */
bool agreement_is_reached(struct agreement *agreement, int root, MPI_Comm comm);
/* Wait until all have been made; `all` is known then. */
void agreement_end(struct agreement *agreement);
/* The same for those of all communicators. */
void agreement_end_all(void);

#endif
