/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm.h - the options of srun, and those that it has in common with sbatch.
 */
#ifndef MT_CLI_SLURM_H
#define MT_CLI_SLURM_H

#include "launcher.h"
#include "parts.h"

#include <stdbool.h>

/* A program that srun starts. All borrowed. */
struct mt_slurm_step {
    const struct mt_launch *launch;
    const struct mt_parts *parts;
    bool inside;   /* a job has the nodes already */
    bool hostfile; /* SLURM_HOSTFILE tells of them; of one component only */
};

/* Add to the job, which has srun already, its options, and `command` with each
   component. */
MT_MUST_CHECK int mt_slurm_add_step(struct mt_job *job,
                                    const struct mt_slurm_step *step,
                                    char *const *command, struct mt_error *err);

/* Add the options that ask for nodes of a group: "--partition=new". */
MT_MUST_CHECK int mt_slurm_add_request(char ***argv,
                                       const struct mt_slurm_request *request,
                                       struct mt_error *err);

#endif
