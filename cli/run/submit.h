/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * submit.h - runs by jobs submitted to Slurm: the options, and leftovers of earlier
 * ones.
 */
#ifndef MT_CLI_SUBMIT_H
#define MT_CLI_SUBMIT_H

#include "cli/common/inputs.h"
#include "motley/error.h"
#include "run.h"

#include <popt.h>

/* --submit and --cancel, to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE, and their values. MT_EINVAL: --cancel without --submit; or
   the cluster's launcher is not slurm. */
extern struct poptOption mt_submit_options[];
MT_MUST_CHECK int mt_submit_read(struct mt_submit *submit,
                                 const struct mt_cluster *cluster,
                                 struct mt_error *err);

/* Record in the store of --db the jobs of this cluster and program that have ended. A
   problem is reported on stderr, without any other failure. */
void mt_submit_collect(const struct mt_inputs *inputs);

#endif
