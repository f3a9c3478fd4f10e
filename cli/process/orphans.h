/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orphans.h - end leftovers of programs that motley started, when motley or their
 * launcher was killed.
 *
 * While a program runs, the session's folder (scratch.h) has a record of it: a file
 * that is named by the run's number, with its process id, when that started, and the
 * boot of this machine. An environment variable, which all descendants inherit whatever
 * their group and parent, identifies a run's processes. Only processes of this user on
 * this machine count.
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

/* Begin or end a record. Before the process starts, or if the record cannot be written,
   only the variable identifies the run's processes. */
MT_MUST_CHECK int mt_record_begin(const char *folder, int number, struct mt_error *err);
void mt_record_process(const char *folder, int number, pid_t pid);
void mt_record_end(const char *folder, int number);

/* Kill the run's remaining processes at once. MT_EBUSY names those that do not end. */
MT_MUST_CHECK int mt_orphans_kill(const char *folder, int number, struct mt_error *err);

/*
 * Ask the remaining processes of all runs recorded in the folder to end, and kill those
 * that have not after a few seconds. `*names`, which the caller frees, lists the ended
 * ones, as "mpirun (4711), lu (4712)"; NULL: none. MT_EBUSY names those that do not
 * end.
 */
MT_MUST_CHECK int mt_orphans_end(const char *folder, char **names,
                                 struct mt_error *err);

#endif
