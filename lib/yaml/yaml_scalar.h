/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_scalar.h - the single values of YAML files: texts, numbers, quantities, choices
 * and the words of command lines.
 */
#ifndef MT_YAML_SCALAR_H
#define MT_YAML_SCALAR_H

#include "yaml_place.h"
#include "yaml_table.h"

#include "motley/error.h"

enum { MT_FORM_LENGTH = 160 };

/* Write which words may stand under the key, "one of tcp, none"; nothing where any
   value of its type may. Returns `words`. */
const char *mt_yaml_describe_form(const struct mt_yaml_key *key,
                                  char words[MT_FORM_LENGTH]);
/* Read a text, number, quantity, either or choice; a text may go to no target, NULL. */
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
