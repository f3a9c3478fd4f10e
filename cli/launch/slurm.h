/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm.h - the options that srun and sbatch have in common.
 */
#ifndef MT_CLI_SLURM_H
#define MT_CLI_SLURM_H

#include "motley/cluster.h"
#include "motley/error.h"

/* In a job script, what a component's number follows: the file of its ranks' hosts. */
#define MT_SCRIPT_NODELIST "--nodelist=$hosts/"

/* Add the options that ask for nodes of a group: "--partition=new". */
MT_MUST_CHECK int mt_slurm_add_request(char ***argv,
                                       const struct mt_slurm_request *request,
                                       struct mt_error *err);

#endif
