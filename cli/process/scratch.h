/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.h - folders for files that are not needed afterwards; and that nothing of a
 * motley stays when it is killed.
 *
 * As long as motley has such a folder, it has a session: a folder around it, which is
 * locked, and motley-guard, a process that waits for motley's end. Programs that are
 * started meanwhile are recorded in the session (orphans.h). If motley is killed, the
 * guard ends them and removes the folder. If the guard was killed as well, the next
 * motley with the same $TMPDIR does both before it begins a session of its own.
 */
#ifndef MT_CLI_SCRATCH_H
#define MT_CLI_SCRATCH_H

#include "motley/error.h"

#include <sys/types.h>

/* Make a new folder below $TMPDIR or /tmp; the caller frees `*folder` by
 * mt_scratch_remove(). MT_EBUSY: what an earlier motley left still runs. */
MT_MUST_CHECK int mt_scratch_make(char **folder, struct mt_error *err);
/* Remove the folder with all that is in it, and free its path; NULL is allowed. */
void mt_scratch_remove(char *folder);

/* End what motleys have left that were killed with their guards, and remove their
   folders; once in a process. Who makes a folder need not ask for it. */
MT_MUST_CHECK int mt_sessions_clean_up(struct mt_error *err);

/*
 * New folders for runs, "motley-run-..." below the current one, which all nodes see as
 * they see what programs write there. Each is known to the session until it is kept or
 * removed: what a motley that is killed has made goes with its session. There must be
 * one. The caller frees the absolute path.
 */
MT_MUST_CHECK int mt_run_folder_make(char **path, struct mt_error *err);
/* The session's end no longer removes it. */
void mt_run_folder_keep(const char *path);
/* Remove it with all that is in it. */
void mt_run_folder_remove(const char *path);

/* The session's folder; NULL if none. */
const char *mt_session_folder(void);
/* See that there is a guard, also if it has been killed; nothing without a session. */
MT_MUST_CHECK int mt_session_guard(struct mt_error *err);

/* For the guard, when its motley has gone: end what that has started, also if the
   session's folder was removed, and remove the folder. Others may do so meanwhile. */
MT_MUST_CHECK int mt_session_clean(const char *folder, struct mt_error *err);

#endif
