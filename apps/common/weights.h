/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights.h - files of weights, which set the sizes of a program's parts. Such a file
 * has a positive number per line for each rank, in their order: a rank of weight 2 gets
 * twice as much as one of weight 1. Empty lines and those that begin with # are
 * skipped.
 */
#ifndef MT_APPS_WEIGHTS_H
#define MT_APPS_WEIGHTS_H

#include "motley/error.h"

/* Read the weights of `count` ranks, scaled so that the largest is 1; a smaller one
   than 1e-12 then becomes 1e-12. MT_EIO: the file cannot be read; MT_EPARSE: a line is
   wrong; MT_EINVAL: there are more weights than ranks, or fewer. The weights are
   undefined on failure. */
MT_MUST_CHECK int weights_load(double *weights, int count, const char *path,
                               struct mt_error *err);

#endif
