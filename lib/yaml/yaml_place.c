/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_place.h"

#include <stdio.h>
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
