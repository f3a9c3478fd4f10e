/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a struct from a YAML file by a table of keys. */
#include "yaml_read.h"

#include "lib/base/argv.h"
#include "lib/base/text.h"
#include "yaml_scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member of the struct; NULL: nowhere. */
static void *member(void *object, size_t offset)
{
    return offset == MT_YAML_NOWHERE ? NULL : (char *)object + offset;
}

static int fail_for_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory to read a YAML file");
}

static struct mt_formula make_formula(void *object, const struct mt_yaml_place *place,
                                      const struct mt_yaml_key *key,
                                      char words[MT_PLACE_LENGTH])
{
    const bool is_list = key->type == MT_YAML_EXPRESSIONS;
    return (struct mt_formula){
        .yaml = place->yaml,
        .node = place->node,
        .subject = mt_yaml_describe(place, words),
        .variables = key->variables,
        .counts = key->counts,
        .expr = is_list ? NULL : member(object, key->offset),
        .terms = is_list ? member(object, key->offset) : NULL,
    };
}

static int read_formula(void *object, const struct mt_yaml_place *place,
                        const struct mt_yaml_key *key, struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    const struct mt_formula formula = make_formula(object, place, key, words);
    return mt_formula_parse(&formula, err);
}

/* The place of the i-th entry of a list. */
static struct mt_yaml_place entry_place(const struct mt_yaml_place *list, int i)
{
    return (struct mt_yaml_place){.yaml = list->yaml,
                                  .node = mt_yaml_item(list->yaml, list->node, i),
                                  .key = list->key,
                                  .entry = i + 1,
                                  .around = list->around};
}

/* The number of entries of a list, from `least` to `most`. */
static int count_entries(int *count, const struct mt_yaml_place *list, int least,
                         int most, struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    const int found = mt_yaml_count(list->yaml, list->node);
    if (found == 0 && least > 0)
        return mt_yaml_fail(list->yaml, list->node, err, "%s is empty",
                            mt_yaml_describe(list, words));
    if (found < least)
        return mt_yaml_fail(
            list->yaml, list->node, err, "%s has %d entr%s, fewer than %d",
            mt_yaml_describe(list, words), found, found == 1 ? "y" : "ies", least);
    if (found > most)
        return mt_yaml_fail(list->yaml, list->node, err,
                            "%s has %d entries, more than %d",
                            mt_yaml_describe(list, words), found, most);
    *count = found;
    return MT_OK;
}

static int read_argv(void *object, const struct mt_yaml_place *list,
                     const struct mt_yaml_key *key, struct mt_error *err)
{
    enum { MOST_ARGUMENTS = 1000, MOST_CHARACTERS = 100000 };
    size_t characters = 0; /* aliases can multiply entries */
    int count = 0;
    int status = count_entries(&count, list, 1, MOST_ARGUMENTS, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const struct mt_yaml_place entry = entry_place(list, i);
        const char *text = mt_yaml_text(entry.yaml, entry.node);
        characters += text ? strlen(text) : 0;
        status =
            characters <= MOST_CHARACTERS
                ? mt_yaml_add_argument(member(object, key->offset), &entry, key, err)
                : mt_yaml_fail(list->yaml, list->node, err,
                               "'%s' has more than %d characters", list->key,
                               MOST_CHARACTERS);
    }
    return status;
}

/* Whether an earlier pair of the map has the key of pair `i`. */
static bool is_doubled(const struct mt_yaml_place *map, int i, const char *name)
{
    for (int j = 0; j < i; j++)
        if (strcmp(mt_yaml_text(map->yaml, mt_yaml_key_node(map->yaml, map->node, j)),
                   name) == 0)
            return true;
    return false;
}

/* Valid names of environment variables, without those that motley sets. */
static bool is_setting(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_";
    return *name && !(*name >= '0' && *name <= '9') && !name[strspn(name, letters)] &&
           strcmp(name, "LD_PRELOAD") != 0 && strncmp(name, "MOTLEY_", 7) != 0;
}

/* Add the i-th name of the map with its value. */
static int read_setting(char ***settings, const struct mt_yaml_place *map, int i,
                        const struct mt_yaml_key *key, struct mt_error *err)
{
    const int node = mt_yaml_key_node(map->yaml, map->node, i);
    const char *name = mt_yaml_text(map->yaml, node);
    const struct mt_yaml_place value = {.yaml = map->yaml,
                                        .node = mt_yaml_item(map->yaml, map->node, i),
                                        .key = name,
                                        .around = map};
    if (!name || !is_setting(name))
        return mt_yaml_fail(map->yaml, node, err,
                            "'%s' cannot set '%.60s': names have letters, digits and "
                            "'_', and LD_PRELOAD and MOTLEY_... are motley's to set",
                            map->key, name ? name : "");
    if (is_doubled(map, i, name))
        return mt_yaml_fail(map->yaml, node, err, "'%.60s' comes twice in '%s'", name,
                            map->key);
    if (!mt_yaml_text(value.yaml, value.node))
        return mt_yaml_refuse_kind(&value, "a single value", err);
    const int status = mt_yaml_check_text(&value, key, err);
    return status == MT_OK ? mt_argv_add(settings, err, "%s=%s", name,
                                         mt_yaml_text(value.yaml, value.node))
                           : status;
}

static int read_settings(char ***settings, const struct mt_yaml_place *map,
                         const struct mt_yaml_key *key, struct mt_error *err)
{
    enum { MOST_SETTINGS = 100, MOST_CHARACTERS = 10000 };
    int count = 0;
    int status = count_entries(&count, map, 1, MOST_SETTINGS, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const char *text =
            mt_yaml_text(map->yaml, mt_yaml_item(map->yaml, map->node, i));
        status = text && strlen(text) > MOST_CHARACTERS
                     ? mt_yaml_fail(map->yaml, map->node, err,
                                    "a value in '%s' has more than %d characters",
                                    map->key, MOST_CHARACTERS)
                     : read_setting(settings, map, i, key, err);
    }
    return status;
}

static int read_value(void *object, const struct mt_yaml_place *place,
                      const struct mt_yaml_key *key, struct mt_error *err);

/* Where the entries go: an array of `count`, zeroed. */
static int make_entries(char **entries, void *object, const struct mt_yaml_key *key,
                        int count, struct mt_error *err)
{
    void *target = member(object, key->offset);
    if (key->list->in_place || count == 0) {
        *entries = target;
        return MT_OK;
    }
    *entries = calloc((size_t)count, key->list->size);
    if (!*entries)
        return fail_for_memory(err);
    *(void **)target = *entries;
    return MT_OK;
}

static int read_list(void *object, const struct mt_yaml_place *place,
                     const struct mt_yaml_key *key, struct mt_error *err)
{
    const struct mt_yaml_list *list = key->list;
    int *counted = member(object, list->count), count = 0;
    char *entries = NULL;
    int status = count_entries(&count, place, list->least, list->most, err);
    if (status == MT_OK)
        status = make_entries(&entries, object, key, count, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const struct mt_yaml_place entry = entry_place(place, i);
        if (counted)
            *counted = i + 1; /* from now on the struct owns it */
        status =
            read_value(entries + (size_t)i * list->size, &entry, &list->entry, err);
    }
    return status;
}

/* The next number of a range: powers of two, and the ends. */
static int next_of_range(int number, int high)
{
    int next = 1;
    while (next <= number)
        next *= 2;
    return next < high ? next : high;
}

/* The numbers of a range or a single number, given in place of a list. */
static int read_spread(void *object, const struct mt_yaml_place *place,
                       const struct mt_yaml_key *key, struct mt_error *err)
{
    const struct mt_yaml_range *range = key->list->entry.range;
    const char *text = mt_yaml_text(place->yaml, place->node);
    int low = 0, high = 0, used = 0, *counted = member(object, key->list->count);
    if (sscanf(text, "%5d%n", &low, &used) == 1 && !text[used])
        high = low;
    else if (sscanf(text, "%5d-%5d%n", &low, &high, &used) != 2 || text[used])
        low = 0;
    if (low > high || low < range->low || high > range->high)
        return mt_yaml_refuse_text(place, key->form, err);
    int *numbers = calloc(8 * sizeof low + 2, sizeof *numbers);
    if (!numbers)
        return fail_for_memory(err);
    *(int **)member(object, key->offset) = numbers;
    numbers[(*counted)++] = low;
    while (numbers[*counted - 1] < high) {
        numbers[*counted] = next_of_range(numbers[*counted - 1], high);
        ++*counted;
    }
    return MT_OK;
}

static const struct mt_yaml_key *find_key(const struct mt_yaml_key *keys,
                                          const char *name)
{
    for (; keys->name; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

static int refuse_key(const struct mt_yaml_place *map, int node,
                      const struct mt_yaml_key *keys, struct mt_error *err)
{
    char where[MT_PLACE_LENGTH];
    const char *name = mt_yaml_text(map->yaml, node);
    mt_yaml_describe_map(map, where);
    if (!name)
        return mt_yaml_fail(map->yaml, node, err, "a key that is not a word%s", where);
    struct mt_closest closest = {.word = name};
    for (; keys->name; keys++)
        mt_closest_try(&closest, keys->name);
    return mt_yaml_fail(map->yaml, node, err, "unknown key '%.60s'%s%s%s%s", name,
                        where, closest.name ? "; did you mean '" : "",
                        closest.name ? closest.name : "", closest.name ? "'?" : "");
}

/* Read the i-th key and value of a map; after those before it. */
static int read_pair(void *object, const struct mt_yaml_place *map, int i,
                     const struct mt_yaml_key *keys, struct mt_error *err)
{
    char where[MT_PLACE_LENGTH];
    const int node = mt_yaml_key_node(map->yaml, map->node, i);
    const char *name = mt_yaml_text(map->yaml, node);
    const struct mt_yaml_key *key = name ? find_key(keys, name) : NULL;
    const struct mt_yaml_place value = {.yaml = map->yaml,
                                        .node = mt_yaml_item(map->yaml, map->node, i),
                                        .key = name,
                                        .around = map};
    if (!key)
        return refuse_key(map, node, keys, err);
    if (is_doubled(map, i, name))
        return mt_yaml_fail(map->yaml, node, err, "key '%s' comes twice%s", name,
                            mt_yaml_describe_map(map, where));
    return read_value(object, &value, key, err);
}

/* Set the default of a key that is not given. */
static int leave_out(void *object, const struct mt_yaml_place *map,
                     const struct mt_yaml_key *key, struct mt_error *err)
{
    char where[MT_PLACE_LENGTH], form[MT_FORM_LENGTH];
    void *target = member(object, key->offset);
    mt_yaml_describe_form(key, form);
    if (key->required)
        return mt_yaml_fail(map->yaml, map->node, err, "missing key '%s'%s%s%s",
                            key->name, mt_yaml_describe_map(map, where),
                            *form ? ": " : "", form);
    if (key->type == MT_YAML_INTEGER)
        *(int *)target = (int)key->otherwise;
    if (key->type == MT_YAML_NUMBER || key->type == MT_YAML_QUANTITY)
        *(double *)target = key->otherwise;
    return MT_OK;
}

static int read_map(void *object, const struct mt_yaml_place *map,
                    const struct mt_yaml_key *keys, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < mt_yaml_count(map->yaml, map->node) && status == MT_OK; i++)
        status = read_pair(object, map, i, keys, err);
    for (; keys->name && status == MT_OK; keys++)
        if (mt_yaml_member(map->yaml, map->node, keys->name) == 0)
            status = leave_out(object, map, keys, err);
    return status;
}

static int read_value(void *object, const struct mt_yaml_place *place,
                      const struct mt_yaml_key *key, struct mt_error *err)
{
    char words[MT_FORM_LENGTH];
    const enum mt_yaml_kind kind = mt_yaml_kind(place->yaml, place->node);
    const char *text = mt_yaml_text(place->yaml, place->node);
    const bool is_list = key->type == MT_YAML_LIST || key->type == MT_YAML_ARGV;
    const bool is_map = key->type == MT_YAML_MAP || key->type == MT_YAML_SETTINGS;
    if (text && !*text)
        return mt_yaml_fail(place->yaml, place->node, err, "%s has no value",
                            mt_yaml_describe(place, words));
    if (text && key->word)
        return strcmp(text, key->word) == 0
                   ? MT_OK
                   : mt_yaml_refuse_text(place, key->form, err);
    if (is_map && kind != MT_YAML_MAPPING)
        return mt_yaml_refuse_kind(
            place, key->form ? key->form : "a map of keys and values", err);
    if (text && key->type == MT_YAML_LIST && key->list->spread)
        return read_spread(object, place, key, err);
    if (is_list && kind != MT_YAML_SEQUENCE)
        return mt_yaml_refuse_kind(place, key->form ? key->form : "a list", err);
    if (!is_map && !is_list && kind != MT_YAML_SCALAR)
        return mt_yaml_refuse_kind(place, "a single value", err);
    if (key->type == MT_YAML_SETTINGS)
        return read_settings(member(object, key->offset), place, key, err);
    if (is_map)
        return read_map(member(object, key->offset), place, key->keys, err);
    if (key->type == MT_YAML_LIST)
        return read_list(object, place, key, err);
    if (key->type == MT_YAML_ARGV)
        return read_argv(object, place, key, err);
    if (key->type == MT_YAML_EXPRESSION || key->type == MT_YAML_EXPRESSIONS)
        return read_formula(object, place, key, err);
    return mt_yaml_read_scalar(member(object, key->offset), place, key, err);
}

int mt_yaml_read(void *object, const struct mt_yaml *yaml,
                 const struct mt_yaml_key *keys, struct mt_error *err)
{
    const struct mt_yaml_place document = {.yaml = yaml, .node = mt_yaml_root(yaml)};
    const struct mt_yaml_key whole = {.type = MT_YAML_MAP, .keys = keys};
    return read_value(object, &document, &whole, err);
}

/* How to visit each expression. */
struct visitor {
    mt_formula_visit *visit;
    const void *context;
};

static int visit_map(void *object, const struct mt_yaml_place *map,
                     const struct mt_yaml_key *keys, const struct visitor *visitor,
                     struct mt_error *err);

static int visit_value(void *object, const struct mt_yaml_place *place,
                       const struct mt_yaml_key *key, const struct visitor *visitor,
                       struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    int status = MT_OK;
    if (key->type == MT_YAML_EXPRESSION || key->type == MT_YAML_EXPRESSIONS) {
        const struct mt_formula formula = make_formula(object, place, key, words);
        return visitor->visit(&formula, object, visitor->context, err);
    }
    if (key->type == MT_YAML_MAP)
        return visit_map(member(object, key->offset), place, key->keys, visitor, err);
    if (key->type != MT_YAML_LIST || key->list->entry.type != MT_YAML_MAP)
        return MT_OK;
    void *const list = member(object, key->offset);
    char *entries = list;
    if (!key->list->in_place)
        memcpy(&entries, list, sizeof entries);
    const int count = mt_yaml_count(place->yaml, place->node);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const struct mt_yaml_place entry = entry_place(place, i);
        status = visit_map(entries + (size_t)i * key->list->size, &entry,
                           key->list->entry.keys, visitor, err);
    }
    return status;
}

static int visit_map(void *object, const struct mt_yaml_place *map,
                     const struct mt_yaml_key *keys, const struct visitor *visitor,
                     struct mt_error *err)
{
    int status = MT_OK;
    for (; keys->name && status == MT_OK; keys++) {
        const struct mt_yaml_place value = {
            .yaml = map->yaml,
            .node = mt_yaml_member(map->yaml, map->node, keys->name),
            .key = keys->name,
            .around = map};
        if (value.node)
            status = visit_value(object, &value, keys, visitor, err);
    }
    return status;
}

int mt_yaml_visit_formulas(void *object, const struct mt_yaml *yaml,
                           const struct mt_yaml_key *keys, mt_formula_visit *visit,
                           const void *context, struct mt_error *err)
{
    const struct mt_yaml_place document = {.yaml = yaml, .node = mt_yaml_root(yaml)};
    const struct visitor visitor = {visit, context};
    return visit_map(object, &document, keys, &visitor, err);
}
