/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.h - for the tables of keys: where a value goes, and the ranges that values of
 * several kinds of files have.
 */
#ifndef MT_RANGES_H
#define MT_RANGES_H

#include "lib/yaml/yaml_table.h"

#include "motley/machine.h"

#include <float.h>
#include <stddef.h>

#define AT(type, member) .offset = offsetof(struct type, member)

static const struct mt_yaml_range at_least_0 = {0, DBL_MAX, "at least 0"};
static const struct mt_yaml_range above_0 = {DBL_TRUE_MIN, DBL_MAX, "more than 0"};
static const struct mt_yaml_range at_least_1 = {1, DBL_MAX, "at least 1"};
static const struct mt_yaml_range at_least_2 = {2, DBL_MAX, "at least 2"};
static const struct mt_yaml_range some_gpus = {0, 1000, "from 0 to 1000"};
static const struct mt_yaml_range some_nodes = {1, MT_MOST_NODES, "from 1 to 1000000"};

#endif
