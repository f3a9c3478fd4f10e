/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_scalar.h - the single values of YAML files: texts, numbers, quantities, choices
 * and the words of command lines.
 */
#ifndef MT_YAML_SCALAR_H
#define MT_YAML_SCALAR_H

#include "yaml_file.h"
#include "yaml_table.h"

#include "motley/error.h"

enum { MT_PLACE_LENGTH = 160 }; /* of a place in words */

/* A value of the file and how it is reached: a list from the inside out. */
struct mt_yaml_place {
    const struct mt_yaml *yaml;
    int node;
    const char *key; /* whose value it is, or whose list has it as an entry */
    int entry;       /* its place in that list, from 1 on; 0: it is the key's value */
    const struct mt_yaml_place *around; /* the map with the key; NULL: the document */
};

/*
 * The place in words: "'nodes' of group 'xeon'", "entry 2 of 'measure' of 'sizes'". An
 * entry that has a name is called by it, and "groups" becomes "group". Returns `words`.
 */
const char *mt_yaml_describe(const struct mt_yaml_place *place,
                             char words[MT_PLACE_LENGTH]);
/* The place of a map's key: " in 'simulate' of group 'xeon'"; empty for the document's
   own keys. */
const char *mt_yaml_describe_map(const struct mt_yaml_place *map,
                                 char words[MT_PLACE_LENGTH]);

/* Fail with "PLACE must be WANTED, not 'TEXT'", or, for a value of another kind, "...,
   not a list". */
int mt_yaml_refuse_text(const struct mt_yaml_place *place, const char *wanted,
                        struct mt_error *err);
int mt_yaml_refuse_kind(const struct mt_yaml_place *place, const char *wanted,
                        struct mt_error *err);

enum { MT_FORM_LENGTH = 160 };

/* Write the valid words of the key, as "one of tcp, none"; nothing if any value of its
   type is valid. Returns `words`. */
const char *mt_yaml_describe_form(const struct mt_yaml_key *key,
                                  char words[MT_FORM_LENGTH]);
/* Read a text, number, quantity, either or choice; the target of a text may be NULL. */
MT_MUST_CHECK int mt_yaml_read_scalar(void *target, const struct mt_yaml_place *place,
                                      const struct mt_yaml_key *key,
                                      struct mt_error *err);
/* Check the placeholders of a text, by the key's own `check`. */
MT_MUST_CHECK int mt_yaml_check_text(const struct mt_yaml_place *place,
                                     const struct mt_yaml_key *key,
                                     struct mt_error *err);
/* Check one of the words of an argv, and add it. */
MT_MUST_CHECK int mt_yaml_add_argument(char ***argv, const struct mt_yaml_place *place,
                                       const struct mt_yaml_key *key,
                                       struct mt_error *err);

#endif
