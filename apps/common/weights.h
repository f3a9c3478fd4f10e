/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights.h - files that say how large the parts of a program's ranks shall be.
 *
 * Such a file has a positive number on a line for each rank, in their order: a rank of
 * weight 2 shall get twice as much as one of weight 1. Empty lines and those that begin
 * with # are skipped.
 */
#ifndef MT_APPS_WEIGHTS_H
#define MT_APPS_WEIGHTS_H

#include "motley/error.h"

/* Read the weights of `count` ranks, scaled so that the largest is 1; one that is less
   than 1e-12 then becomes that. MT_EIO: the file cannot be read; MT_EPARSE: a line is
   wrong; MT_EINVAL: there are more weights than ranks, or fewer. The weights are
   undefined on failure. */
MT_MUST_CHECK int weights_load(double *weights, int count, const char *path,
                               struct mt_error *err);

#endif
