/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema.h - the JSON Schemas (draft 7) of what commands print as JSON, from its
 * description, and of what users write in YAML files, from the description of its keys.
 */
#ifndef MT_CLI_SCHEMA_H
#define MT_CLI_SCHEMA_H

#include "document.h"
#include "lib/yaml/yaml_table.h"

#include <jansson.h>

/* A new schema; NULL: out of memory. */
json_t *mt_schema_of_document(const struct mt_document *document);
/* The same of the files whose keys these are; `kind` is "cluster", or another. */
json_t *mt_schema_of_file(const char *kind, const struct mt_yaml_key *keys);

#endif
