/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-schemas FOLDER - write the JSON Schemas (draft 7) of cluster, program and
 * machine files, by which editors complete and check them. Runs when motley is built.
 */
#include "lib/input/keys.h"
#include "lib/machine/internal.h"

#include <errno.h>
#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static json_t *schema_of_keys(const struct mt_yaml_key *keys);
static json_t *schema_of_key(const struct mt_yaml_key *key);

/* In YAML, a text that looks like a number or a boolean has that type. */
static json_t *schema_of_scalar(void)
{
    return json_pack("{s:[s, s, s]}", "type", "string", "number", "boolean");
}

static json_t *schema_of_number(const char *type, const struct mt_yaml_range *range)
{
    json_t *schema = json_pack("{s:s}", "type", type);
    if (range && range->low == DBL_TRUE_MIN)
        json_object_set_new(schema, "exclusiveMinimum", json_integer(0));
    else if (range)
        json_object_set_new(schema, "minimum", json_real(range->low));
    if (range && range->high < DBL_MAX)
        json_object_set_new(schema, "maximum", json_real(range->high));
    return schema;
}

/* YAML reads "true" and "false" as booleans. */
static void add_word(json_t *words, const char *word)
{
    json_array_append_new(words, json_string(word));
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        json_array_append_new(words, json_boolean(strcmp(word, "true") == 0));
}

static json_t *schema_of_words(const struct mt_yaml_key *key)
{
    json_t *words = json_array();
    for (int i = 0; key->type == MT_YAML_EITHER && i < 2; i++)
        add_word(words, key->either[i]);
    for (int i = 0; key->type == MT_YAML_CHOICE && key->choice(i); i++)
        add_word(words, key->choice(i));
    return json_pack("{s:o}", "enum", words);
}

static json_t *schema_of_map(const struct mt_yaml_key *key)
{
    json_t *map = schema_of_keys(key->keys);
    return key->word ? json_pack("{s:[{s:s}, o]}", "anyOf", "const", key->word, map)
                     : map;
}

static json_t *schema_of_list(const struct mt_yaml_list *list)
{
    json_t *entries = json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items",
                                schema_of_key(&list->entry), "minItems", list->least,
                                "maxItems", list->most);
    if (!list->spread)
        return entries;
    return json_pack("{s:[o, o, {s:s, s:s}]}", "anyOf", entries,
                     schema_of_key(&list->entry), "type", "string", "pattern",
                     "^[0-9]+(-[0-9]+)?$");
}

static json_t *schema_of_type(const struct mt_yaml_key *key)
{
    switch (key->type) {
    case MT_YAML_TEXT:
    case MT_YAML_EXPRESSION:
    case MT_YAML_EXPRESSIONS:
        return schema_of_scalar();
    case MT_YAML_INTEGER:
        return schema_of_number("integer", key->range);
    case MT_YAML_NUMBER:
        return schema_of_number("number", key->range);
    case MT_YAML_QUANTITY:
        return json_pack("{s:s, s:s}", "type", "string", "pattern",
                         "^[-+.0-9].*[A-Za-z]$");
    case MT_YAML_EITHER:
    case MT_YAML_CHOICE:
        return schema_of_words(key);
    case MT_YAML_ARGV:
        return json_pack("{s:s, s:o, s:i}", "type", "array", "items",
                         schema_of_scalar(), "minItems", 1);
    case MT_YAML_SETTINGS:
        return json_pack("{s:s, s:i, s:o}", "type", "object", "minProperties", 1,
                         "additionalProperties", schema_of_scalar());
    case MT_YAML_MAP:
        return schema_of_map(key);
    case MT_YAML_LIST:
        return schema_of_list(key->list);
    }
    return NULL;
}

static json_t *schema_of_key(const struct mt_yaml_key *key)
{
    json_t *schema = schema_of_type(key);
    if (key->help)
        json_object_set_new(schema, "description", json_string(key->help));
    return schema;
}

static json_t *schema_of_keys(const struct mt_yaml_key *keys)
{
    json_t *properties = json_object(), *required = json_array();
    for (; keys->name; keys++) {
        json_object_set_new(properties, keys->name, schema_of_key(keys));
        if (keys->required)
            json_array_append_new(required, json_string(keys->name));
    }
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "required", required,
                     "properties", properties, "additionalProperties", 0);
}

static void write_schema(const char *folder, const char *kind,
                         const struct mt_yaml_key *keys)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.schema.json", folder, kind);
    json_t *schema = schema_of_keys(keys);
    json_object_set_new(schema, "$schema",
                        json_string("http://json-schema.org/draft-07/schema#"));
    if (json_dump_file(schema, path, JSON_INDENT(2)) != 0) {
        fprintf(stderr, "motley-schemas: cannot write '%s': %s\n", path,
                strerror(errno));
        exit(EXIT_FAILURE);
    }
    json_decref(schema);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (mkdir(argv[1], 0777) != 0 && errno != EEXIST)) {
        fprintf(stderr, "usage: motley-schemas FOLDER\n");
        return EXIT_FAILURE;
    }
    write_schema(argv[1], "cluster", mt_cluster_keys);
    write_schema(argv[1], "program", mt_program_keys);
    write_schema(argv[1], "machine", mt_machine_keys);
    return EXIT_SUCCESS;
}
