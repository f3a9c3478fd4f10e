/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lateness.h - who is late, by how much, and what it costs the others.
 *
 * Ahead of a watched broadcast a token of a few bytes passes along the same tree (a
 * binomial one, where the MPI's own broadcast carries the message). It says how long
 * its sender has been in the call, and for whom the sender waited itself: so the
 * receiver knows how much of its own wait is due to the sender's coming late, and who
 * is to blame for the rest, without comparing clocks.
 */
#ifndef MT_BALANCE_LATENESS_H
#define MT_BALANCE_LATENESS_H

#include "counts.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/context.h"
#include "preload/common/message.h"
#include "preload/common/options.h"

struct lateness; /* of one communicator, on one rank */

/* Collective over the context, which must outlive it. `name` is the communicator's, and
   `began` the time when the library began to get ready for it, by now(). NULL on all
   ranks when memory is short on one: then nothing is reported. */
struct lateness *lateness_new(const struct context *context, const char *name,
                              int64_t began);
void lateness_free(struct lateness *lateness);

/*
 * Pass the token along `tree` (NULL: a binomial one, with the ranks in another order at
 * each call), if this call is watched. The MPI's error code, or MPI_SUCCESS.
 */
int lateness_before(struct lateness *lateness, const struct bcast_call *call,
                    const struct tree *tree);
/* The same call has ended, having taken that tree (NULL: the MPI's own broadcast);
   `timing` includes the time that lateness_before() took. */
void lateness_after(struct lateness *lateness, const struct bcast_call *call,
                    const struct tree *tree, const struct bcast_timing *timing);

/*
 * Bring together what all ranks have counted and write it: two lines on stderr, and,
 * with a file, a JSON object a line appended to it; by the context's rank 0. Called by
 * all ranks when the communicator ends or the MPI does; `saved` is what the calling
 * rank has saved, in ns.
 */
void lateness_write(struct lateness *lateness, const struct options *options,
                    int64_t saved);

/* Whether the nodes are the simulator's. */
bool report_is_simulated(void);
/*
 * Bring the counts of all ranks together, less those whose memory was short (see
 * `heard`), and write what they mean: lines on stderr, and JSON to the options' file,
 * by the context's rank 0. Called by all ranks; `delay_before` is how long this one
 * lacked a core when it began to count. `name` is the communicator's.
 */
void report_write(const struct context *context, struct counts *counts,
                  const char *name, int64_t delay_before,
                  const struct options *options);

#endif
