/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orphans.h - end what is left of programs that motley started, when motley or their
 * launcher was killed.
 *
 * While a program runs, the session's folder (scratch.h) has a record of it: a file
 * that is named by the run's number, with its process id, when that started, and the
 * boot of this machine. What belongs to the run is known by a variable of the
 * environment that all descendants inherit, whatever group they are in and whoever is
 * their parent now. Only processes of this user on this machine are looked at.
 */
#ifndef MT_CLI_ORPHANS_H
#define MT_CLI_ORPHANS_H

#include "motley/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Between SIGTERM and SIGKILL: time for a launcher to end its processes on other nodes.
 */
#define MT_GRACE_SECONDS 5.0

/* "NAME=FOLDER/NUMBER" is in the environment of a run. */
#define MT_RUN_VARIABLE "MOTLEY_RUN"

/* Begin a record, end it. If the process has not started yet, or it cannot be written,
   what belongs to the run is known by the variable alone. */
MT_MUST_CHECK int mt_record_begin(const char *folder, int number, struct mt_error *err);
void mt_record_process(const char *folder, int number, pid_t pid);
void mt_record_end(const char *folder, int number);

/* Kill what is left of the run, at once. MT_EBUSY names what does not end. */
MT_MUST_CHECK int mt_orphans_kill(const char *folder, int number, struct mt_error *err);

/*
 * Ask what is left of all runs that are recorded in the folder to end, and kill what
 * has not within a few seconds. `*names`, which the caller frees, is what was ended, as
 * "mpirun (4711), lu (4712)"; NULL: nothing ran any more. MT_EBUSY names what does not
 * end.
 */
MT_MUST_CHECK int mt_orphans_end(const char *folder, char **names,
                                 struct mt_error *err);

#endif
