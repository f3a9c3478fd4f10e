/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload.h - whether the ranks of a job get the preload library (motley-balance(7)),
 * and with which words.
 */
#ifndef MT_CLI_PRELOAD_H
#define MT_CLI_PRELOAD_H

#include "launcher.h"
#include "motley/error.h"

#include <popt.h>

/* --patient, to be put into a command's own table with POPT_ARG_INCLUDE_TABLE, and what
   it asks for. */
extern struct poptOption mt_yielding_option[];
MT_MUST_CHECK int mt_yielding_read(enum mt_yielding *yielding, struct mt_error *err);

/*
 * Set the job's `library` and `balance` to what its ranks are to get: the words that
 * the user has set in MOTLEY_BALANCE; otherwise yielding waits, where they share cores
 * and the launch does not say never. Nothing where the launcher's MPI is not known.
 * That there is no library for this MPI is said on stderr, once in a process.
 */
MT_MUST_CHECK int mt_preload_choose(struct mt_job *job, const struct mt_launch *launch,
                                    const struct mt_launcher_ops *ops,
                                    struct mt_error *err);

#endif
