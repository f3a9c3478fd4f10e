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

/* What LD_PRELOAD is to be for patient ranks of this MPI, which may be unknown: NULL.
   libmotley-patient, libmotley-balance if MOTLEY_BALANCE is set, and what all have. The
   caller frees it. */
MT_MUST_CHECK int mt_preload_patient(char **libraries, const char *mpi,
                                     struct mt_error *err);

/* --patient, to be put into a command's own table with POPT_ARG_INCLUDE_TABLE, and what
   it asks for. */
extern struct poptOption mt_patience_option[];
MT_MUST_CHECK int mt_patience_read(enum mt_patience *patience, struct mt_error *err);

/* Whether the user asks libmotley-balance for a report, and for no file of it. */
bool mt_preload_reports(void);

/*
 * Set the job's `library` and `balance` to what its ranks are to get: libmotley-patient
 * where they share cores, unless the launch says never; libmotley-balance with the
 * words that the user has set in MOTLEY_BALANCE, where the report, if it is asked for
 * and gets no file from the user, goes to that of the launch. If this MPI has no such
 * library, stderr says so, once in a process. Nothing where the launcher's MPI is not
 * known.
 */
void mt_preload_choose(struct mt_job *job, const struct mt_launch *launch,
                       const struct mt_launcher_ops *ops);

#endif
