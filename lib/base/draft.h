/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draft.h - files that are written whole or not at all: into a draft next to them,
 * which replaces them at the end.
 */
#ifndef MT_DRAFT_H
#define MT_DRAFT_H

#include "motley/error.h"

#include <stdio.h>

/* A file that is being written. Empty if zeroed. */
struct mt_draft {
    FILE *stream;     /* owned; to write into */
    const char *name; /* borrowed; the path as it was given */
    char *path;       /* owned; of the file, behind symbolic links */
    char *temporary;  /* owned; NULL: a device, a pipe or a file that the user may not
                         replace is written directly */
};

/* Begin to write the file; mt_draft_close() ends it. MT_EIO: it cannot be written. */
MT_MUST_CHECK int mt_draft_open(struct mt_draft *draft, const char *path,
                                struct mt_error *err);
/* Replace the file by what was written. If `status` is a failure, or not all could be
   written, the file stays as it was, without leftovers. Returns the failure, or the
   reason why the stream failed. */
MT_MUST_CHECK int mt_draft_close(struct mt_draft *draft, int status,
                                 struct mt_error *err);

#endif
