/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - who is late, by how much, and what it costs the others.
 *
 * Ahead of a watched broadcast a token of a few bytes passes along the same tree (a
 * binomial one, where the MPI's own broadcast carries the message). It says how long
 * its sender has been in the call, and for whom the sender waited itself: so the
 * receiver knows how much of its own wait is due to the sender's coming late, and who
 * is to blame for the rest, without comparing clocks.
 */
#ifndef MT_BALANCE_REPORT_H
#define MT_BALANCE_REPORT_H

#include "preload/bcast/call.h"
#include "preload/bcast/context.h"
#include "preload/bcast/tree/tree.h"
#include "preload/interpose/options.h"

struct report; /* of one communicator, on one rank */

/* Collective over the context, which must outlive it. `name` is the communicator's.
   NULL on all ranks when memory is short on one: then nothing is reported. */
struct report *report_new(const struct context *context, const char *name);
void report_free(struct report *report);

/*
 * Pass the token along `tree` (NULL: a binomial one, with the ranks in another order at
 * each call), if this call is watched. The MPI's error code, or MPI_SUCCESS.
 */
int report_before(struct report *report, const struct call *call,
                  const struct tree *tree);
/* The same call has ended; `timing` includes the time that report_before() took. */
void report_after(struct report *report, const struct call *call,
                  const struct timing *timing);

/*
 * Bring together what all ranks have counted and write it: a page on stderr, and, with
 * a file, a JSON object a line appended to it; by the context's rank 0. Called by all
 * ranks when the communicator ends or the MPI does; `saved` is what the calling rank
 * has saved, in ns.
 */
void report_write(struct report *report, const struct options *options, int64_t saved);

#endif
