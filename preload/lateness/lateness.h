/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lateness.h - which ranks are late, by how much, and at what cost to the others.
 *
 * Before a watched broadcast, a token of a few bytes passes along the same tree (a
 * binomial one if the MPI's own broadcast carries the message). It tells how long its
 * sender has been in the call, and for which rank the sender itself waited. So the
 * receiver knows how much of its own wait is due to the sender's lateness, and which
 * rank is to blame for the rest, without comparing clocks.
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
/* The same call has ended, along that tree (NULL: the MPI's own broadcast); `timing`
   includes the time that lateness_before() took. */
void lateness_after(struct lateness *lateness, const struct bcast_call *call,
                    const struct tree *tree, const struct bcast_timing *timing);

/*
 * Merge the counts of all ranks and write them, by the context's rank 0: two lines on
 * stderr, and, with a file, a JSON object per line appended to it. All ranks call it
 * when the communicator or the MPI ends; `saved` is the calling rank's saving, in ns.
 */
void lateness_write(struct lateness *lateness, const struct options *options,
                    int64_t saved);

/* Whether the nodes are the simulator's. */
bool report_is_simulated(void);
/*
 * Merge the counts of all ranks, except those whose memory was short (see `heard`), and
 * write the findings, by the context's rank 0: lines on stderr, and JSON to the
 * options' file. All ranks call it; `delay_before` is how long this one had lacked a
 * core when it began to count. `name` is the communicator's.
 */
void report_write(const struct context *context, struct counts *counts,
                  const char *name, int64_t delay_before,
                  const struct options *options);

#endif
