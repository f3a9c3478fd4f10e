/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keys.h - the keys of cluster, program and machine files: see motley-cluster(5),
 * motley-program(5) and motley-machine(5). Here a key is added.
 */
#ifndef MT_KEYS_H
#define MT_KEYS_H

#include "lib/yaml/yaml_table.h"

extern const struct mt_yaml_key mt_cluster_keys[]; /* of struct mt_cluster */
extern const struct mt_yaml_key mt_program_keys[]; /* of struct mt_program */
extern const struct mt_yaml_key mt_machine_keys[]; /* of struct mt_machine */

#endif
