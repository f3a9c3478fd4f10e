/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_folder.h - new folders for runs below the current one, which all nodes see as
 * they see what programs write there. Each is known to the session (scratch.h) until it
 * is kept or removed: what a motley that is killed has made goes with its session.
 */
#ifndef MT_CLI_RUN_FOLDER_H
#define MT_CLI_RUN_FOLDER_H

#include "motley/error.h"

/* Each function takes the session's folder. Make a new folder "motley-run-..." below
   the current one; the caller frees its absolute path. */
MT_MUST_CHECK int mt_run_folder_make(char **path, const char *session,
                                     struct mt_error *err);
/* From now on it stays. */
void mt_run_folder_keep(const char *path, const char *session);
/* Remove it with all that is in it. */
void mt_run_folder_remove(const char *path, const char *session);
/* Remove all that the session still knows. */
void mt_run_folders_remove(const char *session);

#endif
