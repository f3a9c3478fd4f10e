/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.h - the nodes of a configuration, as Slurm starts ranks on them: in one
 * piece where one request is for all, and otherwise as the components of a
 * heterogeneous job, each of which is asked for by itself.
 */
#ifndef MT_CLI_PARTS_H
#define MT_CLI_PARTS_H

#include "allocation.h"
#include "launcher.h"
#include "motley/cluster.h"
#include "motley/error.h"

/* Nodes that one request is for. */
struct mt_part {
    const struct mt_slurm_request *request; /* borrowed */
    char **hosts; /* owned; one a rank, in their order; the names are borrowed */
    int ranks;
    int nodes;
    int threads; /* of each rank, at least 1 */
    int gpus;    /* of each rank */
    int number;  /* of the job's component inside which it is; -1: there is no such job
                  */
};

/* Zeroed is empty. In the order of the ranks. */
struct mt_parts {
    struct mt_part *parts; /* owned */
    int count;
};

/*
 * Part the launch's nodes. One component has them in the order of the groups; several
 * are in the order in which Slurm sorts names of nodes: Slurm 22.05 tells the ranks of
 * several components where they are as if they were, and MPICH and Open MPI fail where
 * that is wrong. In an allocation they are its own, as srun orders them. MT_EINVAL: it
 * has not got the nodes, has its components in another order, or ranks of one component
 * are to have different threads or GPUs.
 */
MT_MUST_CHECK int mt_parts_make(struct mt_parts *parts, const struct mt_launch *launch,
                                const struct mt_allocation *allocation,
                                struct mt_error *err);
void mt_parts_clear(struct mt_parts *parts);

#endif
