/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int mt_yaml_amount(double *value, const struct mt_yaml *yaml, int node, const char *key,
                   const char *text, enum mt_quantity quantity, struct mt_error *err)
{
    struct mt_error reason;
    if (mt_quantity_parse(value, text, quantity, &reason))
        return mt_yaml_fail(yaml, node, err, "'%s': %s", key, reason.text);
    return MT_OK;
}

int mt_yaml_quantity(double *value, const struct mt_yaml *yaml, int map,
                     const char *key, const char *text, enum mt_quantity quantity,
                     struct mt_error *err)
{
    if (!text)
        return MT_OK;
    double parsed;
    int node = mt_yaml_member(yaml, map, key);
    int status = mt_yaml_amount(&parsed, yaml, node, key, text, quantity, err);
    if (status)
        return status;
    if (parsed <= 0)
        return mt_yaml_fail(yaml, node, err, "'%s' must be more than 0, not '%s'", key,
                            text);
    *value = parsed;
    return MT_OK;
}

/* The length of the placeholder that begins at this brace; 0: it is only a brace. */
static size_t placeholder_length(const char *text)
{
    size_t length = 1;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length > 1 && text[length] == '}' ? length + 1 : 0;
}

static int is_known(const char *text, size_t length, const char *const *known)
{
    for (; *known; known++)
        if (strlen(*known) == length && memcmp(*known, text, length) == 0)
            return 1;
    return 0;
}

/* The first placeholder of the word that is not known, or NULL. */
static const char *unknown_placeholder(const char *word, const char *const *known)
{
    for (const char *brace = strchr(word, '{'); brace; brace = strchr(brace + 1, '{')) {
        size_t length = placeholder_length(brace);
        if (length > 0 && !is_known(brace, length, known))
            return brace;
    }
    return NULL;
}

int mt_yaml_command(char ***command, const struct mt_yaml *yaml, int map,
                    const char *key, char ***words, unsigned count,
                    const char *const *known, struct mt_error *err)
{
    if (!*words)
        return MT_OK;
    int node = mt_yaml_member(yaml, map, key);
    if (!*(*words)[0])
        return mt_yaml_fail(yaml, mt_yaml_item(yaml, node, 0), err,
                            "'%s' begins with an empty word", key);
    for (unsigned i = 0; i < count; i++) {
        const char *unknown = unknown_placeholder((*words)[i], known);
        if (unknown)
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, node, (int)i), err,
                                "unknown placeholder '%.*s' in '%s'",
                                (int)placeholder_length(unknown), unknown, key);
    }
    char **terminated = realloc(*words, (count + 1) * sizeof **words);
    if (!terminated)
        return mt_fail(err, MT_ENOMEM, "no memory for a command");
    terminated[count] = NULL;
    *command = terminated;
    *words = NULL;
    return MT_OK;
}
