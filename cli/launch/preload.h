/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload.h - which preload libraries the ranks of a job get: motley-patient(1),
 * motley-balance(7).
 */
#ifndef MT_CLI_PRELOAD_H
#define MT_CLI_PRELOAD_H

#include "launcher.h"
#include "motley/error.h"

#include <popt.h>

/* LD_PRELOAD for patient ranks of this MPI (NULL: unknown): libmotley-patient,
   libmotley-balance if MOTLEY_BALANCE is set, and inherited libraries. The caller frees
   it. */
MT_MUST_CHECK int mt_preload_patient(char **libraries, const char *mpi,
                                     struct mt_error *err);

/* The option --patient, for a command's table with POPT_ARG_INCLUDE_TABLE, and its
   value. */
extern struct poptOption mt_patience_option[];
MT_MUST_CHECK int mt_patience_read(enum mt_patience *patience, struct mt_error *err);

/* Whether the user asks libmotley-balance for a report without a file. */
bool mt_preload_reports(void);

/*
 * Set the job's `library` and `balance` for its ranks: libmotley-patient if they share
 * cores, unless the launch says never; libmotley-balance with the user's
 * MOTLEY_BALANCE, whose report goes to the launch's file unless the user names one. If
 * this MPI has no such library, a warning goes to stderr, once in a process. Nothing is
 * set if the launcher's MPI is unknown.
 */
void mt_preload_choose(struct mt_job *job, const struct mt_launch *launch,
                       const struct mt_launcher_ops *ops);

#endif
