/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_load.h - bring a YAML file into structs by a schema of libcyaml.
 */
#ifndef MT_YAML_LOAD_H
#define MT_YAML_LOAD_H

#include "yaml_file.h"

#include "motley/error.h"

#include <cyaml/cyaml.h>

/*
 * Check that the file has the form that the schema describes: unknown, doubled and
 * missing keys, wrong types and lists of a wrong length are errors with their line.
 * Understands mappings, sequences, strings, whole numbers (int), numbers, and
 * true and false.
 */
MT_MUST_CHECK int mt_yaml_check(const struct mt_yaml *yaml,
                                const struct cyaml_schema_value *schema,
                                struct mt_error *err);

/*
 * Check the file, and bring it into a struct as the schema describes. On success
 * `*data` is the caller's, to be freed by mt_yaml_unload(); pointers to strings and
 * arrays in it come from malloc() and may be taken out, leaving NULL.
 */
MT_MUST_CHECK int mt_yaml_load(const struct mt_yaml *yaml,
                               const struct cyaml_schema_value *schema, void **data,
                               struct mt_error *err);
void mt_yaml_unload(const struct cyaml_schema_value *schema, void *data);

#endif
