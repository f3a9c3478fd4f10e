/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.h - temporary folders, and cleanup after a motley that was killed. As long as
 * motley has such a folder, it has a session: a locked folder around it, and
 * motley-guard, a process that waits for motley's end. Programs started in the meantime
 * are recorded in the session (orphans.h). If motley is killed, the guard ends them and
 * removes the folder. If the guard was killed as well, the next motley with the same
 * $TMPDIR does both before it begins a session of its own.
 */
#ifndef MT_CLI_SCRATCH_H
#define MT_CLI_SCRATCH_H

#include "motley/error.h"

#include <sys/types.h>

/* Make a new folder below $TMPDIR or /tmp; the caller frees `*folder` by
   mt_scratch_remove(). MT_EBUSY: leftovers of an earlier motley still run. */
MT_MUST_CHECK int mt_scratch_make(char **folder, struct mt_error *err);
/* Remove the folder with all that is in it, and free its path; NULL is allowed. */
void mt_scratch_remove(char *folder);

/* End leftovers of motleys that were killed with their guards, and remove their
   folders; once in a process. Making a folder includes this. */
MT_MUST_CHECK int mt_sessions_clean_up(struct mt_error *err);

/*
 * New folders for runs, "motley-run-..." below the current one, on the file system that
 * all nodes share. The session lists each until it is kept or removed, so the folders
 * of a killed motley go with its session. There must be a session. The caller frees the
 * absolute path.
 */
MT_MUST_CHECK int mt_run_folder_make(char **path, struct mt_error *err);
/* Keep it: the session's end no longer removes it. */
void mt_run_folder_keep(const char *path);
/* Remove it with all that is in it. */
void mt_run_folder_remove(const char *path);

/* The session's folder; NULL if none. */
const char *mt_session_folder(void);
/* Start the guard again if it was killed; does nothing without a session. */
MT_MUST_CHECK int mt_session_guard(struct mt_error *err);

/* For the guard, when its motley has gone: end its programs, even if the session's
   folder was removed, and remove the folder. Other processes may do the same
   concurrently. */
MT_MUST_CHECK int mt_session_clean(const char *folder, struct mt_error *err);

#endif
