/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_knowledge.h - what the runs of 'motley strassen measure' tell.
 */
#ifndef MT_CLI_STRASSEN_KNOWLEDGE_H
#define MT_CLI_STRASSEN_KNOWLEDGE_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/partition.h"
#include "motley/store.h"
#include "motley/strassen_cost.h"

struct mt_strassen_knowledge {
    struct mt_strassen_speed speeds[MT_MAX_GROUPS]; /* of a process; of used groups */
    struct mt_partition_network
        network; /* of the slowest pair of nodes that was measured */
};

/*
 * What is known about the nodes of the configuration, with so many processes on each.
 * MT_ENOTFOUND names what was not measured.
 */
MT_MUST_CHECK int mt_strassen_knowledge_read(
    struct mt_strassen_knowledge *knowledge, struct mt_store *store,
    const struct mt_cluster *cluster, const struct mt_configuration *configuration,
    struct mt_error *err);

#endif
