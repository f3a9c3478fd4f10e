/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allocation.h - the nodes that Slurm has given to the job inside which motley was
 * started, and whether they are enough.
 */
#ifndef MT_CLI_ALLOCATION_H
#define MT_CLI_ALLOCATION_H

#include "motley/cluster.h"
#include "motley/error.h"

struct mt_allocated_node {
    char *host;    /* owned */
    int component; /* of the heterogeneous job that has it; 0: of any other job */
    int cpus;      /* that the job has there; 0: unknown */
};

/* Zeroed it is none: motley is not inside a job. */
struct mt_allocation {
    char *job;                       /* owned; its number */
    int components;                  /* of a heterogeneous job; otherwise 1 */
    struct mt_allocated_node *nodes; /* owned; sorted by name */
    int count;                       /* 0: the job does not tell */
};

/* What the environment tells. MT_EPARSE: of nodes that cannot be read. */
MT_MUST_CHECK int mt_allocation_read(struct mt_allocation *allocation,
                                     struct mt_error *err);
void mt_allocation_clear(struct mt_allocation *allocation);

/* The node of that name; NULL: it is not in the allocation. */
const struct mt_allocated_node *mt_allocation_find(
    const struct mt_allocation *allocation, const char *host);

/* Whether the configuration fits into the allocation; MT_EINVAL names the node that is
   missing, or too small. Without an allocation, and on a cluster of another launcher,
   all fits. */
MT_MUST_CHECK int mt_allocation_check(const struct mt_allocation *allocation,
                                      const struct mt_cluster *cluster,
                                      const struct mt_configuration *configuration,
                                      struct mt_error *err);

#endif
