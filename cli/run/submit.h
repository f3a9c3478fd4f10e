/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * submit.h - runs by jobs that are handed in to Slurm: the options that ask for them,
 * and what earlier ones have left.
 */
#ifndef MT_CLI_SUBMIT_H
#define MT_CLI_SUBMIT_H

#include "cli/common/inputs.h"
#include "motley/error.h"
#include "run.h"

#include <popt.h>

/* --submit and --cancel, to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE, and what they ask for. MT_EINVAL: --cancel without --submit;
   or the cluster's launcher is not slurm. */
extern struct poptOption mt_submit_options[];
MT_MUST_CHECK int mt_submit_read(struct mt_submit *submit,
                                 const struct mt_cluster *cluster,
                                 struct mt_error *err);

/* Keep in the store of --db what jobs of this cluster and program have ended since.
   What stands in the way is told on stderr, and nothing else fails by it. */
void mt_submit_collect(const struct mt_inputs *inputs);

#endif
