/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draw.h - random clusters and programs, as files that motley reads.
 */
#ifndef BLIND_DRAW_H
#define BLIND_DRAW_H

#include "motley/error.h"

#include <stdint.h>

/* The programs of each cluster: those that come with motley, then the random ones. */
enum { SHIPPED_PROGRAMS = 6, RANDOM_PROGRAMS = 4 };
enum { PROGRAMS = SHIPPED_PROGRAMS + RANDOM_PROGRAMS };

/* "lu", ..., "random-4". */
extern const char *const program_names[PROGRAMS];

/*
 * Write FOLDER/cluster.yaml and FOLDER/PROGRAM.yaml of that seed, always the same; the
 * folder is made. A file that is there as it should be is left alone, so that several
 * processes may do this at a time.
 */
MT_MUST_CHECK int draw_files(const char *folder, uint64_t seed, struct mt_error *err);

#endif
