/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write.h - bring the counts of all ranks together, and hand out what they mean: a
 * few lines to stderr, the JSON to a file.
 */
#ifndef MT_BALANCE_WRITE_H
#define MT_BALANCE_WRITE_H

#include "findings.h"
#include "preload/common/context.h"

/* Whether the nodes are the simulator's. */
bool report_is_simulated(void);

/* Count the time that this rank lacked a core, which was `delay_before` when it began,
   and who shares its cores. Called by all ranks, ahead of report_gather(). */
void report_cores(const struct context *context, struct counts *counts,
                  int64_t delay_before);

/* On rank 0 `counts` then has those of all ranks, less the ones whose memory was short
   (see `heard`). Called by all ranks. */
void report_gather(const struct context *context, struct counts *counts);

/* The lines in one piece, so that those of several communicators do not mix. */
void report_put_lines(const struct findings *findings);
/* Appended to `file`; when that fails, a line on stderr says so,
   once. */
void report_put_json(const struct findings *findings, const char *file);

#endif
