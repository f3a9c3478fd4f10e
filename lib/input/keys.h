/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keys.h - the keys of cluster and program files: see motley-cluster(5) and
 * motley-program(5); and ranges that machine files use, too. New keys go here.
 */
#ifndef MT_KEYS_H
#define MT_KEYS_H

#include "lib/yaml/yaml_file.h"
#include "lib/yaml/yaml_table.h"

#include "motley/cluster.h"
#include "motley/error.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

extern const struct mt_yaml_key mt_cluster_keys[]; /* of struct mt_cluster */
extern const struct mt_yaml_key mt_program_keys[]; /* of struct mt_program */

/* Check Slurm's keys of the group at the node `map`. MT_EINVAL names the key: its value
   would be read as more than one word, or the cluster is simulated. */
MT_MUST_CHECK int mt_slurm_request_check(const struct mt_group *group, bool simulated,
                                         const struct mt_yaml *yaml, int map,
                                         struct mt_error *err);

#define AT(type, member) .offset = offsetof(struct type, member)

static const struct mt_yaml_range at_least_0 = {0, DBL_MAX, "at least 0"};
static const struct mt_yaml_range above_0 = {DBL_TRUE_MIN, DBL_MAX, "more than 0"};
static const struct mt_yaml_range at_least_1 = {1, DBL_MAX, "at least 1"};
static const struct mt_yaml_range at_least_2 = {2, DBL_MAX, "at least 2"};
static const struct mt_yaml_range some_gpus = {0, 1000, "from 0 to 1000"};
static const struct mt_yaml_range some_nodes = {1, MT_MOST_NODES, "from 1 to 1000000"};

#endif
