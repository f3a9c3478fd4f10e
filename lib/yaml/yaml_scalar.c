/* SPDX-License-Identifier: BSD-3-Clause */
/* Single values of YAML files, and where they stand, in words. */
#include "yaml_scalar.h"

#include "lib/base/argv.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mt_yaml_describe(const struct mt_yaml_place *place,
                             char words[MT_PLACE_LENGTH])
{
    snprintf(words, MT_PLACE_LENGTH, "the file");
    for (size_t used = 0; place->around && used < MT_PLACE_LENGTH;
         place = place->around) {
        char *end = words + used;
        const size_t room = MT_PLACE_LENGTH - used;
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

const char *mt_yaml_describe_map(const struct mt_yaml_place *map,
                                 char words[MT_PLACE_LENGTH])
{
    char subject[MT_PLACE_LENGTH];
    words[0] = 0;
    if (map->around)
        snprintf(words, MT_PLACE_LENGTH, " in %.*s", MT_PLACE_LENGTH - 5,
                 mt_yaml_describe(map, subject));
    return words;
}

int mt_yaml_refuse_text(const struct mt_yaml_place *place, const char *wanted,
                        struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    return mt_yaml_fail(place->yaml, place->node, err, "%s must be %s, not '%.60s'",
                        mt_yaml_describe(place, words), wanted,
                        mt_yaml_text(place->yaml, place->node));
}

int mt_yaml_refuse_kind(const struct mt_yaml_place *place, const char *wanted,
                        struct mt_error *err)
{
    static const char *const kinds[] = {
        [MT_YAML_NONE] = "nothing",
        [MT_YAML_SCALAR] = "a single value",
        [MT_YAML_SEQUENCE] = "a list",
        [MT_YAML_MAPPING] = "a map of keys and values",
    };
    char words[MT_PLACE_LENGTH];
    return mt_yaml_fail(place->yaml, place->node, err, "%s must be %s, not %s",
                        mt_yaml_describe(place, words), wanted,
                        kinds[mt_yaml_kind(place->yaml, place->node)]);
}

const char *mt_yaml_describe_form(const struct mt_yaml_key *key,
                                  char words[MT_FORM_LENGTH])
{
    size_t used = 0;
    snprintf(words, MT_FORM_LENGTH, "%s", key->form ? key->form : "");
    if (key->type == MT_YAML_EITHER)
        snprintf(words, MT_FORM_LENGTH, "%s or %s", key->either[0], key->either[1]);
    if (key->type == MT_YAML_CHOICE)
        for (int i = 0; key->choice(i) && used < MT_FORM_LENGTH; i++)
            used += (size_t)snprintf(words + used, MT_FORM_LENGTH - used, "%s%s",
                                     i > 0 ? ", " : "one of ", key->choice(i));
    return words;
}

static int check_range(double number, const struct mt_yaml_place *place,
                       const struct mt_yaml_range *range, struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    if (!range || (range->low <= number && number <= range->high))
        return MT_OK;
    return mt_yaml_fail(place->yaml, place->node, err, "%s must be %s, not %.15g",
                        mt_yaml_describe(place, words), range->words, number);
}

/* A decimal number; 010 is not one. */
static bool is_whole(const char *text)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    const size_t count = strspn(digits, "0123456789");
    return count > 0 && !digits[count] && !(count > 1 && digits[0] == '0');
}

static int read_integer(int *value, const struct mt_yaml_place *place,
                        const struct mt_yaml_key *key, struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    const char *text = mt_yaml_text(place->yaml, place->node);
    if (!is_whole(text))
        return mt_yaml_refuse_text(place, "a whole number", err);
    errno = 0;
    const long number = strtol(text, NULL, 10);
    if (errno != 0 || number < INT_MIN || number > INT_MAX)
        return mt_yaml_fail(place->yaml, place->node, err,
                            "%s is out of range: '%.60s'",
                            mt_yaml_describe(place, words), text);
    *value = (int)number;
    return check_range(number, place, key->range, err);
}

static int read_number(double *value, const struct mt_yaml_place *place,
                       const struct mt_yaml_key *key, struct mt_error *err)
{
    const char *text = mt_yaml_text(place->yaml, place->node);
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number))
        return mt_yaml_refuse_text(place, "a number", err);
    *value = number;
    return check_range(number, place, key->range, err);
}

static int read_quantity(double *value, const struct mt_yaml_place *place,
                         const struct mt_yaml_key *key, struct mt_error *err)
{
    static const struct mt_yaml_range above_0 = {DBL_TRUE_MIN, DBL_MAX, "more than 0"};
    const struct mt_yaml_range *range = key->range ? key->range : &above_0;
    char words[MT_PLACE_LENGTH];
    struct mt_error reason;
    double number;
    if (mt_quantity_parse(&number, mt_yaml_text(place->yaml, place->node), key->unit,
                          &reason) != MT_OK)
        return mt_yaml_fail(place->yaml, place->node, err, "%s: %s",
                            mt_yaml_describe(place, words), reason.text);
    if (number < range->low || number > range->high)
        return mt_yaml_refuse_text(place, range->words, err);
    *value = number;
    return MT_OK;
}

static int read_either(bool *value, const struct mt_yaml_place *place,
                       const struct mt_yaml_key *key, struct mt_error *err)
{
    char words[MT_FORM_LENGTH];
    const char *text = mt_yaml_text(place->yaml, place->node);
    if (strcmp(text, key->either[0]) != 0 && strcmp(text, key->either[1]) != 0)
        return mt_yaml_refuse_text(place, mt_yaml_describe_form(key, words), err);
    *value = strcmp(text, key->yes) == 0;
    return MT_OK;
}

static int read_choice(int *value, const struct mt_yaml_place *place,
                       const struct mt_yaml_key *key, struct mt_error *err)
{
    char words[MT_FORM_LENGTH];
    const char *text = mt_yaml_text(place->yaml, place->node);
    for (int i = 0; key->choice(i); i++)
        if (strcmp(text, key->choice(i)) == 0) {
            *value = i;
            return MT_OK;
        }
    return mt_yaml_refuse_text(place, mt_yaml_describe_form(key, words), err);
}

static int read_text(char **text, const struct mt_yaml_place *place,
                     struct mt_error *err)
{
    char *copy = strdup(mt_yaml_text(place->yaml, place->node));
    if (!copy)
        return mt_fail(err, MT_ENOMEM, "no memory to read a YAML file");
    *text = copy;
    return MT_OK;
}

int mt_yaml_read_scalar(void *target, const struct mt_yaml_place *place,
                        const struct mt_yaml_key *key, struct mt_error *err)
{
    switch (key->type) {
    case MT_YAML_TEXT:
        return target ? read_text(target, place, err) : MT_OK;
    case MT_YAML_INTEGER:
        return read_integer(target, place, key, err);
    case MT_YAML_NUMBER:
        return read_number(target, place, key, err);
    case MT_YAML_QUANTITY:
        return read_quantity(target, place, key, err);
    case MT_YAML_EITHER:
        return read_either(target, place, key, err);
    case MT_YAML_CHOICE:
        return read_choice(target, place, key, err);
    case MT_YAML_EXPRESSION:
    case MT_YAML_EXPRESSIONS:
    case MT_YAML_ARGV:
    case MT_YAML_SETTINGS:
    case MT_YAML_MAP:
    case MT_YAML_LIST:
        break;
    }
    return MT_OK; /* not a scalar */
}

/* The length of the placeholder that begins at this brace; 0: it is only a brace. */
static size_t placeholder_length(const char *text)
{
    size_t length = 1;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length > 1 && text[length] == '}' ? length + 1 : 0;
}

static bool is_known(const char *text, size_t length, const char *const *known)
{
    for (; *known; known++)
        if (strlen(*known) == length && memcmp(*known, text, length) == 0)
            return true;
    return false;
}

/* Check that the placeholders are among those of the key. */
static int check_known(const struct mt_yaml_place *place, const struct mt_yaml_key *key,
                       struct mt_error *err)
{
    const char *text = mt_yaml_text(place->yaml, place->node);
    for (const char *brace = strchr(text, '{'); brace; brace = strchr(brace + 1, '{')) {
        const size_t length = placeholder_length(brace);
        if (length > 0 && !is_known(brace, length, key->placeholders))
            return mt_yaml_fail(place->yaml, place->node, err,
                                "unknown placeholder '%.*s' in '%s'", (int)length,
                                brace, key->name);
    }
    return MT_OK;
}

int mt_yaml_check_text(const struct mt_yaml_place *place, const struct mt_yaml_key *key,
                       struct mt_error *err)
{
    char words[MT_PLACE_LENGTH];
    struct mt_error reason;
    int variables = 0;
    const int status =
        key->check(mt_yaml_text(place->yaml, place->node), &variables, &reason);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status != MT_OK)
        return mt_yaml_fail(place->yaml, place->node, err, "%s: %s",
                            mt_yaml_describe(place, words), reason.text);
    return MT_OK;
}

int mt_yaml_add_argument(char ***argv, const struct mt_yaml_place *place,
                         const struct mt_yaml_key *key, struct mt_error *err)
{
    const char *text = mt_yaml_text(place->yaml, place->node);
    if (!text)
        return mt_yaml_refuse_kind(place, "a single value", err);
    if (!*text && !*argv)
        return mt_yaml_fail(place->yaml, place->node, err,
                            "'%s' begins with an empty word", place->key);
    const int status = key->placeholders ? check_known(place, key, err)
                                         : mt_yaml_check_text(place, key, err);
    return status == MT_OK ? mt_argv_add(argv, err, "%s", text) : status;
}
