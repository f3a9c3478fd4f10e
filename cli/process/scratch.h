/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.h - folders for files that nobody needs afterwards, below $TMPDIR or /tmp.
 */
#ifndef MT_CLI_SCRATCH_H
#define MT_CLI_SCRATCH_H

#include "motley/error.h"

/* Make a new folder; the caller frees `*folder` by mt_scratch_remove(). */
MT_MUST_CHECK int mt_scratch_make(char **folder, struct mt_error *err);
/* Make the folder `folder/number`; the caller frees the path. */
MT_MUST_CHECK int mt_scratch_part(char **part, const char *folder, int number,
                                  struct mt_error *err);
/* Remove the folder with all that is in it, and free its path; NULL is allowed. */
void mt_scratch_remove(char *folder);

#endif
