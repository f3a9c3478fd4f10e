/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_value.h - values of YAML files that need more than a type: quantities and
 * command lines. Errors have the line of the value in the file.
 */
#ifndef MT_YAML_VALUE_H
#define MT_YAML_VALUE_H

#include "yaml_file.h"

#include "motley/error.h"
#include "motley/quantity.h"

/*
 * Read the quantity `text`, which stands under `key` of the node `map` and must be more
 * than 0. NULL, as for a key that is not given, leaves `*value` alone.
 */
MT_MUST_CHECK int mt_yaml_quantity(double *value, const struct mt_yaml *yaml, int map,
                                   const char *key, const char *text,
                                   enum mt_quantity quantity, struct mt_error *err);

/*
 * Read the quantity `text`, which stands at `node`, belongs to `key` and may be 0.
 */
MT_MUST_CHECK int mt_yaml_amount(double *value, const struct mt_yaml *yaml, int node,
                                 const char *key, const char *text,
                                 enum mt_quantity quantity, struct mt_error *err);

/*
 * Take over the `count` words of a command line, which stand under `key` of the node
 * `map`, as a NULL-terminated array: `*words` becomes NULL and `*command` owns them.
 * Names in braces, such as "{N}", must be among the `known` ones, which NULL ends.
 */
MT_MUST_CHECK int mt_yaml_command(char ***command, const struct mt_yaml *yaml, int map,
                                  const char *key, char ***words, unsigned count,
                                  const char *const *known, struct mt_error *err);

#endif
