/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - a launcher's command line for a program on a configuration, made and shown.
 */
#ifndef MT_CLI_JOB_H
#define MT_CLI_JOB_H

#include "cli/process/process.h"
#include "launcher.h"
#include "motley/error.h"

/*
 * Make `job` for `launch`: writes the launcher's file into the folder, fills the
 * program's placeholders, finds the program (see motley-program(5)) and the launcher.
 * On a testbed the launcher is started on the head. MT_ENOTFOUND for a launcher that is
 * not installed, with the package to install, for a program that is not there, with the
 * places looked at, and for one built for another MPI than the launcher's. MT_EINVAL,
 * MT_EINFEASIBLE: no job is possible for this configuration and size, though others may
 * have one. `job` must be empty.
 */
MT_MUST_CHECK int mt_job_make(struct mt_job *job, const struct mt_launch *launch,
                              struct mt_error *err);
void mt_job_clear(struct mt_job *job);
/* Set the members of a process, not started yet, that come from the job, which must
   outlive it. */
void mt_job_process(const struct mt_job *job, struct mt_process *process);
/* The job as a line that can be typed into a shell, quoted where needed; the caller
   frees it. */
char *mt_job_format(const struct mt_job *job);

/* Check that the cluster's testbed, if it has one, is up: MT_ENOTFOUND tells how to
   make it. */
MT_MUST_CHECK int mt_testbed_check(const struct mt_cluster *cluster,
                                   struct mt_error *err);

#endif
