/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.h - the file under a store: whether its name still leads to it, and the lock of
 * the process that measures into it.
 */
#ifndef MT_STORE_FILE_H
#define MT_STORE_FILE_H

#include "motley/error.h"

/* Hold on to the file; `real` is its path without links. */
MT_MUST_CHECK int mt_file_hold(int *file, const char *real, const char *path,
                               struct mt_error *err);
/* MT_EIO when `path` no longer leads to the file: it was removed or replaced. */
MT_MUST_CHECK int mt_file_check(int file, const char *path, struct mt_error *err);
/* Open the file to claim it, until `claim` is closed; MT_EBUSY: another process has it.
   Closing `claim` drops SQLite's locks: close the database first, also after a
   failure. */
MT_MUST_CHECK int mt_file_claim(int *claim, const char *real, const char *path,
                                struct mt_error *err);

#endif
