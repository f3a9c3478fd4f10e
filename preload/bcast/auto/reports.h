/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports.h - the ranks' reports to the leader of an interval about their calls: small
 * messages, sent without waiting, which the leader receives once they have arrived. A
 * report that comes too late is used for a later plan.
 *
 * Each interval brings one report from every other rank, so that the leader knows how
 * many will come.
 */
#ifndef MT_BALANCE_REPORTS_H
#define MT_BALANCE_REPORTS_H

#include "plan.h"
#include "preload/common/context.h"

/* The most reports of a rank in transit at the same time. */
enum { MOST_SENDS = 8 };

struct reports {
    const struct context *context;
    struct samples waited, in_call; /* of the calls since the last plan */
    struct rank_report *received;   /* owned; [size] */
    int64_t due; /* due to this rank, less those received; negative: received early */
    struct rank_report sent[MOST_SENDS]; /* to leaders */
    MPI_Request request[MOST_SENDS];
    int sends; /* so far */
};

/* 0, or -1 when memory is short on this rank. */
int reports_init(struct reports *reports, const struct context *context);
/* Receive all reports due to this rank, before reports_free(). Waits only for ranks
   that have not sent theirs yet. */
void reports_finish(struct reports *reports);
void reports_free(struct reports *reports);

/* Begin with the calls after a plan. */
void reports_begin(struct reports *reports);
/* Forget the reports that this rank received as the leader. */
void reports_forget(struct reports *reports);

/* Send the leader a report; all ranks do it at the same call. */
int reports_tell(struct reports *reports, int leader, const struct plan *plan,
                 int class);
/* Note the leader's own report and those that have arrived; never waits. */
void reports_note_own(struct reports *reports, const struct plan *plan, int class);
int reports_receive(struct reports *reports);

#endif
