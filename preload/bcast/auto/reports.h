/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports.h - what the ranks report to the leader of an interval about their calls:
 * small messages, sent without waiting, and taken in by the leader when they are there.
 * A report that comes too late is used for a later plan.
 */
#ifndef MT_BALANCE_REPORTS_H
#define MT_BALANCE_REPORTS_H

#include "plan.h"
#include "preload/common/context.h"

/* The first few times are told as their median, because a processor that was busy
   elsewhere spoils a mean. */
enum { MOST_SAMPLES = 7 };

struct samples {
    int count;
    int64_t time[MOST_SAMPLES]; /* ns, ascending */
};

struct reports {
    const struct context *context;
    struct samples waited, in_call; /* of the calls since the last plan */
    struct rank_report *received;   /* owned; [size] */
    int *sent; /* owned; [size] messages to that rank when it was the leader */
    int taken; /* messages that this rank received so far */
    struct rank_report message; /* on its way to the leader */
    MPI_Request request;
};

/* 0, or -1 when memory is short on this rank. */
int reports_init(struct reports *reports, const struct context *context);
/* Receive what is on its way to this rank; collective, before reports_free(). */
void reports_finish(struct reports *reports);
void reports_free(struct reports *reports);

/* Begin with the calls after a plan. */
void reports_begin(struct reports *reports);
/* Forget what this rank heard as the leader. */
void reports_forget(struct reports *reports);
/* No more samples than it holds are taken. */
void samples_add(struct samples *samples, int64_t time);

/* Tell the leader, unless what it was told last is still on its way. */
int reports_send(struct reports *reports, int leader, const struct plan *plan,
                 int class);
/* On the leader: what it would tell, and what has come in; never waits. */
void reports_note_own(struct reports *reports, const struct plan *plan, int class);
int reports_receive(struct reports *reports);

#endif
