/* SPDX-License-Identifier: BSD-3-Clause */
#include "schema.h"

#include "json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *schema_of_object(const struct mt_object *object);

/* What a value is counted in; NULL: nothing. */
static const char *unit_words(const char *key, enum mt_column_unit unit)
{
    static const char percent[] = "_percent";
    const size_t length = strlen(key), end = sizeof percent - 1;
    if (length > end && strcmp(key + length - end, percent) == 0)
        return "percent";
    switch (unit) {
    case MT_COLUMN_SECONDS:
        return "seconds";
    case MT_COLUMN_BYTES:
        return "bytes";
    case MT_COLUMN_BANDWIDTH:
        return "bytes a second";
    case MT_COLUMN_FLOPS:
        return "operations a second";
    case MT_COLUMN_PERCENT:
    case MT_COLUMN_CHANGE:
        return "a share of one";
    default:
        return NULL;
    }
}

static json_t *schema_of_value(const char *key, enum mt_column_unit unit)
{
    const char *words = unit_words(key, unit);
    if (unit == MT_COLUMN_FLAG)
        return json_pack("{s:s}", "type", "boolean");
    return json_pack("{s:[s, s], s:s*}", "type",
                     unit == MT_COLUMN_TEXT ? "string" : "number", "null",
                     "description", words);
}

static json_t *schema_of_list(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

static json_t *schema_of_member(const struct mt_member *member)
{
    json_t *one = member->of ? schema_of_object(member->of)
                             : schema_of_value(member->key, member->unit);
    json_t *schema = member->many ? schema_of_list(one) : one;
    if (member->many ? member->optional : member->of != NULL)
        json_object_set_new(
            schema, "type",
            json_pack("[s, s]", member->many ? "array" : "object", "null"));
    return schema;
}

static json_t *schema_of_object(const struct mt_object *object)
{
    json_t *properties = json_object(), *required = json_array();
    for (int i = 0; i < object->ncolumns; i++) {
        const struct mt_column *column = &object->columns[i];
        if (column->key)
            json_object_set_new(properties, column->key,
                                schema_of_value(column->key, column->unit));
    }
    for (const struct mt_member *member = object->members; member && member->key;
         member++) {
        const bool is_column = json_object_get(properties, member->key) != NULL;
        json_object_set_new(properties, member->key, schema_of_member(member));
        if (!member->optional && !is_column)
            json_array_append_new(required, json_string(member->key));
    }
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "required", required,
                     "properties", properties, "additionalProperties", object->open);
}

static json_t *finish_schema(json_t *schema, const char *title)
{
    json_t *whole =
        json_pack("{s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#",
                  "title", title);
    if (json_object_update(whole, schema) != 0) {
        json_decref(whole);
        whole = NULL;
    }
    json_decref(schema);
    return whole;
}

json_t *mt_schema_of_document(const struct mt_document *document)
{
    json_t *schema = schema_of_object(&document->object);
    json_t *own = json_pack("{s:{s:s}, s:{s:i}}", "schema", "const", document->name,
                            "version", "const", document->version);
    json_t *required = json_object_get(schema, "required");
    json_object_update(own, json_object_get(schema, "properties"));
    json_object_set_new(schema, "properties", own);
    json_array_insert_new(required, 0, json_string("schema"));
    json_array_insert_new(required, 1, json_string("version"));
    return finish_schema(schema, document->name);
}

/* A single value as YAML has it: what the file takes for a text may look like a number.
 */
static json_t *schema_of_scalar(void)
{
    return json_pack("{s:[s, s, s], s:i}", "type", "string", "number", "boolean",
                     "minLength", 1);
}

static json_t *schema_of_number(const char *type, const struct mt_yaml_range *range)
{
    json_t *schema = json_pack("{s:s}", "type", type);
    if (!range)
        return schema;
    if (range->low == DBL_TRUE_MIN)
        json_object_set_new(schema, "exclusiveMinimum", json_integer(0));
    else
        json_object_set_new(schema, "minimum", json_real(range->low));
    if (range->high < DBL_MAX)
        json_object_set_new(schema, "maximum", json_real(range->high));
    return schema;
}

static json_t *schema_of_quantity(enum mt_quantity unit)
{
    static const char *const examples[] = {[MT_BYTES] = "2 GiB",
                                           [MT_SECONDS] = "10 min",
                                           [MT_FLOPS] = "1.9 Gf",
                                           [MT_BANDWIDTH] = "117 MB/s"};
    return json_pack("{s:s, s:s, s:[s]}", "type", "string", "pattern",
                     "^[-+.0-9].*[A-Za-z]$", "examples", examples[unit]);
}

/* The words, also as what YAML takes "true" and "false" for. */
static json_t *add_word(json_t *words, const char *word)
{
    json_array_append_new(words, json_string(word));
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        json_array_append_new(words, json_boolean(strcmp(word, "true") == 0));
    return words;
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

static json_t *schema_of_settings(void)
{
    return json_pack("{s:s, s:i, s:{s:s}, s:o}", "type", "object", "minProperties", 1,
                     "propertyNames", "pattern", "^[A-Za-z_][A-Za-z0-9_]*$",
                     "additionalProperties", schema_of_scalar());
}

static json_t *schema_of_keys(const struct mt_yaml_key *keys);
static json_t *schema_of_key(const struct mt_yaml_key *key);

static json_t *schema_of_map(const struct mt_yaml_key *key)
{
    json_t *map = schema_of_keys(key->keys);
    return key->word ? json_pack("{s:[{s:s}, o]}", "anyOf", "const", key->word, map)
                     : map;
}

/* One whose `spread` is set may be a number, or a range. */
static json_t *schema_of_entries(const struct mt_yaml_key *key)
{
    json_t *entries = schema_of_list(schema_of_key(&key->list->entry));
    json_object_set_new(entries, "minItems", json_integer(key->list->least));
    json_object_set_new(entries, "maxItems", json_integer(key->list->most));
    if (!key->list->spread)
        return entries;
    return json_pack("{s:[o, o, {s:s, s:s}]}", "anyOf", entries,
                     schema_of_key(&key->list->entry), "type", "string", "pattern",
                     "^[0-9]+(-[0-9]+)?$");
}

static json_t *schema_of_argv(void)
{
    json_t *words = schema_of_list(
        json_pack("{s:[s, s, s]}", "type", "string", "number", "boolean"));
    json_object_set_new(words, "minItems", json_integer(1));
    return words;
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
        return schema_of_quantity(key->unit);
    case MT_YAML_EITHER:
    case MT_YAML_CHOICE:
        return schema_of_words(key);
    case MT_YAML_ARGV:
        return schema_of_argv();
    case MT_YAML_SETTINGS:
        return schema_of_settings();
    case MT_YAML_MAP:
        return schema_of_map(key);
    case MT_YAML_LIST:
        return schema_of_entries(key);
    }
    return NULL;
}

static json_t *schema_of_key(const struct mt_yaml_key *key)
{
    json_t *schema = schema_of_type(key);
    if (key->help)
        json_object_set_new(schema, "description", json_string(key->help));
    if (key->otherwise != 0 && key->type != MT_YAML_QUANTITY)
        json_object_set_new(schema, "default", mt_json_number(key->otherwise));
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

json_t *mt_schema_of_file(const char *kind, const struct mt_yaml_key *keys)
{
    char title[64];
    snprintf(title, sizeof title, "a %s file of motley", kind);
    return finish_schema(schema_of_keys(keys), title);
}
