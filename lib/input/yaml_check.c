/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_load.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUBJECT_LENGTH = 160, /* of a place in words */
    LONGEST_KEY = 31      /* that is compared with the known ones for a typing error */
};

/* A value of the file and how it is reached: a list from the inside out. */
struct place {
    const struct mt_yaml *yaml;
    int node;
    const char *key; /* whose value it is, or, of an entry, whose list it is in */
    int entry;       /* its place in that list, from 1 on; 0: it is the key's value */
    const struct place *around; /* the map that has the key; NULL: the document */
};

/*
 * The place in words: "'nodes' of group 'xeon'", "entry 2 of 'measure' of 'sizes'". An
 * entry that has a name is called by it, and "groups" becomes "group".
 */
static const char *describe(const struct place *place, char words[SUBJECT_LENGTH])
{
    snprintf(words, SUBJECT_LENGTH, "the file");
    for (size_t used = 0; place->around && used < SUBJECT_LENGTH;
         place = place->around) {
        char *end = words + used;
        const size_t room = SUBJECT_LENGTH - used;
        const char *of = used ? " of " : "";
        const char *name =
            mt_yaml_text(place->yaml, mt_yaml_member(place->yaml, place->node, "name"));
        if (place->entry == 0)
            used += (size_t)snprintf(end, room, "%s'%s'", of, place->key);
        else if (!name)
            used += (size_t)snprintf(end, room, "%sentry %d of '%s'", of, place->entry,
                                     place->key);
        else
            used += (size_t)snprintf(end, room, "%s%.*s '%.40s'", of,
                                     (int)strlen(place->key) - 1, place->key, name);
    }
    return words;
}

/* " in 'simulate' of group 'xeon'"; of the document's own keys: nothing. */
static const char *describe_map(const struct place *place, char words[SUBJECT_LENGTH])
{
    char subject[SUBJECT_LENGTH];
    words[0] = 0;
    if (place->around)
        snprintf(words, SUBJECT_LENGTH, " in %.*s", SUBJECT_LENGTH - 5,
                 describe(place, subject));
    return words;
}

/* Single letters to insert, delete or replace to make one text of the other. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST_KEY + 1], length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[length];
}

/* The known key that the user may have meant, or NULL. */
static const char *closest_key(const struct cyaml_schema_field *fields, const char *key)
{
    const char *closest = NULL;
    size_t least = 3; /* so many typing errors make another word */
    if (strlen(key) > LONGEST_KEY)
        return NULL;
    for (; fields->key; fields++) {
        size_t letters = distance(key, fields->key);
        if (letters < least && letters < strlen(fields->key)) {
            least = letters;
            closest = fields->key;
        }
    }
    return closest;
}

static const struct cyaml_schema_field *find_field(
    const struct cyaml_schema_field *fields, const char *key)
{
    for (; fields->key; fields++)
        if (strcmp(fields->key, key) == 0)
            return fields;
    return NULL;
}

/* Whether an earlier pair of the map has the key of pair `i`. */
static int is_doubled(const struct mt_yaml *yaml, int map, int i, const char *key)
{
    for (int j = 0; j < i; j++) {
        const char *other = mt_yaml_text(yaml, mt_yaml_key(yaml, map, j));
        if (other && strcmp(other, key) == 0)
            return 1;
    }
    return 0;
}

/* The field of the i-th key of a map; NULL, with the error, when the key is wrong. */
static const struct cyaml_schema_field *check_key(
    const struct place *map, int i, const struct cyaml_schema_field *fields,
    struct mt_error *err)
{
    char where[SUBJECT_LENGTH];
    const int node = mt_yaml_key(map->yaml, map->node, i);
    const char *key = mt_yaml_text(map->yaml, node);
    const struct cyaml_schema_field *field = key ? find_field(fields, key) : NULL;
    const char *closest = key && !field ? closest_key(fields, key) : NULL;
    if (!key)
        mt_yaml_fail(map->yaml, node, err, "a key that is not a word%s",
                     describe_map(map, where));
    else if (!field)
        mt_yaml_fail(map->yaml, node, err, "unknown key '%.60s'%s%s%s%s", key,
                     describe_map(map, where), closest ? "; did you mean '" : "",
                     closest ? closest : "", closest ? "'?" : "");
    else if (is_doubled(map->yaml, map->node, i, key))
        mt_yaml_fail(map->yaml, node, err, "key '%s' comes twice%s", key,
                     describe_map(map, where));
    else
        return field;
    return NULL;
}

static int check_value(const struct place *place,
                       const struct cyaml_schema_value *schema, struct mt_error *err);

static int check_map(const struct place *map, const struct cyaml_schema_field *fields,
                     struct mt_error *err)
{
    for (int i = 0; i < mt_yaml_count(map->yaml, map->node); i++) {
        const struct cyaml_schema_field *field = check_key(map, i, fields, err);
        if (!field)
            return MT_EINVAL;
        struct place value = {.yaml = map->yaml,
                              .node = mt_yaml_item(map->yaml, map->node, i),
                              .key = field->key,
                              .around = map};
        int status = check_value(&value, &field->value, err);
        if (status)
            return status;
    }
    char where[SUBJECT_LENGTH];
    for (; fields->key; fields++)
        if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) &&
            mt_yaml_member(map->yaml, map->node, fields->key) == 0)
            return mt_yaml_fail(map->yaml, map->node, err, "missing key '%s'%s",
                                fields->key, describe_map(map, where));
    return MT_OK;
}

static int check_list(const struct place *list, const struct cyaml_schema_value *schema,
                      struct mt_error *err)
{
    char subject[SUBJECT_LENGTH];
    int count = mt_yaml_count(list->yaml, list->node);
    if (count == 0 && schema->sequence.min > 0)
        return mt_yaml_fail(list->yaml, list->node, err, "%s is empty",
                            describe(list, subject));
    if ((unsigned)count > schema->sequence.max)
        return mt_yaml_fail(list->yaml, list->node, err,
                            "%s has %d entries, more than %u", describe(list, subject),
                            count, schema->sequence.max);
    for (int i = 0; i < count; i++) {
        struct place item = {.yaml = list->yaml,
                             .node = mt_yaml_item(list->yaml, list->node, i),
                             .key = list->key,
                             .entry = i + 1,
                             .around = list->around};
        int status = check_value(&item, schema->sequence.entry, err);
        if (status)
            return status;
    }
    return MT_OK;
}

/* A number in the decimal system: libcyaml would take 010 for 8. */
static int is_whole(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t count = strspn(digits, "0123456789");
    return count > 0 && !digits[count] && !(count > 1 && digits[0] == '0');
}

static int fits_int(const char *text)
{
    errno = 0;
    long value = strtol(text, NULL, 10);
    return errno == 0 && value >= INT_MIN && value <= INT_MAX;
}

static int is_number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return end > text && !*end && isfinite(value);
}

static int is_truth(const char *text)
{
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static int check_scalar(const struct place *place,
                        const struct cyaml_schema_value *schema, struct mt_error *err)
{
    char words[SUBJECT_LENGTH];
    const char *subject = describe(place, words);
    const char *text = mt_yaml_text(place->yaml, place->node);
    const char *problem = NULL;
    if (schema->type == CYAML_INT && !is_whole(text))
        problem = "must be a whole number, not";
    else if (schema->type == CYAML_INT && !fits_int(text))
        problem = "is out of range:";
    else if (schema->type == CYAML_FLOAT && !is_number(text))
        problem = "must be a number, not";
    else if (schema->type == CYAML_BOOL && !is_truth(text))
        problem = "must be true or false, not";
    if (problem)
        return mt_yaml_fail(place->yaml, place->node, err, "%s %s '%.60s'", subject,
                            problem, text);
    return MT_OK;
}

/* Nothing after the colon, where something is needed. */
static int lacks_value(const struct place *place,
                       const struct cyaml_schema_value *schema)
{
    const char *text = mt_yaml_text(place->yaml, place->node);
    return text && !*text && !(schema->type == CYAML_STRING && schema->string.min == 0);
}

static int check_value(const struct place *place,
                       const struct cyaml_schema_value *schema, struct mt_error *err)
{
    static const char *const names[] = {
        [MT_YAML_NONE] = "nothing",
        [MT_YAML_SCALAR] = "a single value",
        [MT_YAML_LIST] = "a list",
        [MT_YAML_MAP] = "a map of keys and values",
    };
    enum mt_yaml_kind wanted = schema->type == CYAML_MAPPING    ? MT_YAML_MAP
                               : schema->type == CYAML_SEQUENCE ? MT_YAML_LIST
                                                                : MT_YAML_SCALAR;
    enum mt_yaml_kind kind = mt_yaml_kind(place->yaml, place->node);
    char subject[SUBJECT_LENGTH];
    if (lacks_value(place, schema))
        return mt_yaml_fail(place->yaml, place->node, err, "%s has no value",
                            describe(place, subject));
    if (kind != wanted)
        return mt_yaml_fail(place->yaml, place->node, err, "%s must be %s, not %s",
                            describe(place, subject), names[wanted], names[kind]);
    switch (kind) {
    case MT_YAML_MAP:
        return check_map(place, schema->mapping.fields, err);
    case MT_YAML_LIST:
        return check_list(place, schema, err);
    case MT_YAML_SCALAR:
    case MT_YAML_NONE:
        break;
    }
    return check_scalar(place, schema, err);
}

int mt_yaml_check(const struct mt_yaml *yaml, const struct cyaml_schema_value *schema,
                  struct mt_error *err)
{
    const struct place document = {.yaml = yaml, .node = mt_yaml_root(yaml)};
    return check_value(&document, schema, err);
}
