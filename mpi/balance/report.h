/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - who is late, by how much, and what it costs the others.
 *
 * Ahead of a counted broadcast a token of a few bytes passes along the same tree (the
 * binomial one, where the MPI's own broadcast carries the message). It names the rank
 * that its sender had to wait for: a rank that had to wait hands on the name it got,
 * one that came after its token gives its own. So each rank knows for whom it waited,
 * and for how long, without comparing clocks.
 */
#ifndef MT_BALANCE_REPORT_H
#define MT_BALANCE_REPORT_H

#include "call.h"
#include "context.h"
#include "options.h"
#include "tree.h"

struct report; /* of one communicator, on one rank */

/* `name` is the communicator's. NULL: memory is short, and nothing is reported. */
struct report *report_new(const struct context *context, const char *name);
void report_free(struct report *report);

/* Pass the token along `tree` (NULL: the binomial one), if this call is counted. */
int report_before(struct report *report, const struct call *call,
                  const struct tree *tree);
void report_after(struct report *report, const struct call *call,
                  const struct tree *tree, const struct timing *timing);

/*
 * Bring together what all ranks have counted and write it: a page on stderr, and, with
 * a file, a JSON object a line appended to it; by the context's rank 0. Called by all
 * ranks when the communicator ends or the MPI does; `saved` is what the calling rank
 * has saved, in ns.
 */
void report_write(struct report *report, const struct options *options, int64_t saved);

#endif
