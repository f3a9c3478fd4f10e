/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_request.h - whether what a group asks of Slurm can be an option of srun, and a
 * line of a script for sbatch.
 */
#ifndef MT_SLURM_REQUEST_H
#define MT_SLURM_REQUEST_H

#include "lib/yaml/yaml_file.h"

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* Check the group that the file has at the node `map`. MT_EINVAL names the key: its
   value has what Slurm, or who reads the script, would take for more than one value; or
   the cluster is simulated. */
MT_MUST_CHECK int mt_slurm_request_check(const struct mt_group *group, bool simulated,
                                         const struct mt_yaml *yaml, int map,
                                         struct mt_error *err);

#endif
