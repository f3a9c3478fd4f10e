/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - what was found, on stdout, one JSON object a line.
 */
#ifndef MT_PROBE_LINES_H
#define MT_PROBE_LINES_H

#include "node.h"
#include "options.h"
#include "timing.h"

void line_rank(int rank, const struct facts *facts, const struct clock *clock);
void line_compute(int rank, const struct speed *speed);
void lines_pair(const struct pair *pair, const struct timing *timings, int count);
void lines_alltoall(int ranks, const struct timing *timings, int count);

#endif
