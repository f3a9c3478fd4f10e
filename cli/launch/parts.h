/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.h - the nodes of the Slurm job in which motley was started, and whether they
 * suffice; and the parts of a configuration for Slurm: one part if one request covers
 * all nodes, otherwise the components of a heterogeneous job, with a request each.
 */
#ifndef MT_CLI_PARTS_H
#define MT_CLI_PARTS_H

#include "launcher.h"
#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

struct mt_allocated_node {
    char *host;    /* owned */
    int component; /* of the heterogeneous job that has it; 0: of any other job */
    int cpus;      /* of the job on that node; 0: unknown */
};

/* An allocation. Zeroed: motley is not inside a job. */
struct mt_allocation {
    char *job;                       /* owned; its number */
    int components;                  /* of a heterogeneous job; otherwise 1 */
    struct mt_allocated_node *nodes; /* owned */
    int count;                       /* 0: unknown */
};

/* Read the allocation from the environment. MT_EPARSE: its nodes cannot be parsed. */
MT_MUST_CHECK int mt_allocation_read(struct mt_allocation *allocation,
                                     struct mt_error *err);
void mt_allocation_clear(struct mt_allocation *allocation);

/* The node of that name; NULL: it is not in the allocation. */
const struct mt_allocated_node *mt_allocation_find(
    const struct mt_allocation *allocation, const char *host);

/* Whether the configuration fits into the allocation; MT_EINVAL names the node that is
   missing, or too small. Without an allocation, and with another launcher, everything
   fits. */
MT_MUST_CHECK int mt_allocation_check(const struct mt_allocation *allocation,
                                      const struct mt_cluster *cluster,
                                      const struct mt_configuration *configuration,
                                      struct mt_error *err);

/* A request for a group's nodes: "partition" and its value; NULL: any. */
struct mt_request_value {
    const char *option, *value;
};
enum { MT_REQUEST_VALUES = 5 };
void mt_request_values(struct mt_request_value values[MT_REQUEST_VALUES],
                       const struct mt_slurm_request *request);

/* A part: the nodes of one request. */
struct mt_part {
    const struct mt_slurm_request *request; /* borrowed */
    char **hosts; /* owned; one a rank, in their order; the names are borrowed */
    int ranks;
    int nodes;
    int per_node; /* ranks of each node, if Slurm's block distribution, over nodes in
                     the order of their names, places them so; else 0 */
    int threads;  /* of each rank, at least 1 */
    int gpus;     /* of each rank */
    int number;   /* of the job's component that contains it; -1: not in a job */
};

/* Empty if zeroed. In the order of the ranks. */
struct mt_parts {
    struct mt_part *parts; /* owned */
    int count;
    bool is_long; /* the list of all ranks' hosts exceeds the limit of an argument or an
                     environment variable, in which Slurm would pass it on */
};

/*
 * Part the launch's nodes. One component has them in the order of the groups; several
 * are in the order in which Slurm sorts names of nodes: Slurm 22.05 tells the ranks of
 * several components where they are as if they were, and MPICH and Open MPI fail where
 * that is wrong. In an allocation they are its own, as srun orders them. MT_EINVAL: it
 * has not got the nodes, has its components in another order, or ranks of one component
 * are to have different threads or GPUs. Parts that would be long are in the order of
 * the names, too, and nodes with different numbers of ranks are parts of their own.
 */
MT_MUST_CHECK int mt_parts_make(struct mt_parts *parts, const struct mt_launch *launch,
                                const struct mt_allocation *allocation,
                                struct mt_error *err);
void mt_parts_clear(struct mt_parts *parts);
/* The names of a part's nodes, each once, as "x[01-08]"; the caller frees them. */
char *mt_part_nodes(const struct mt_part *part);

#endif
