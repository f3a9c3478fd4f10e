/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_table.h - tables that describe the keys of a kind of YAML file: its meaning, its
 * valid values, and the member of a struct that it sets. yaml_read.h reads by them.
 */
#ifndef MT_YAML_TABLE_H
#define MT_YAML_TABLE_H

#include "lib/base/quantity.h"

#include "motley/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mt_yaml_type {                   /* and the type of the member */
                    MT_YAML_TEXT,     /* that is not empty: char *, owned */
                    MT_YAML_INTEGER,  /* int */
                    MT_YAML_NUMBER,   /* double */
                    MT_YAML_QUANTITY, /* a number with a unit: double */
                    MT_YAML_EITHER,   /* one of two words: bool */
                    MT_YAML_CHOICE,   /* one of several words: an enum */
                    MT_YAML_ARGV, /* a list of words: char **, owned, NULL at the end */
                    MT_YAML_SETTINGS,   /* names of the file's own with values: char **,
                                           owned, "NAME=value", NULL at the end */
                    MT_YAML_EXPRESSION, /* struct mt_expr * */
                    MT_YAML_EXPRESSIONS, /* separated by commas: struct mt_terms * */
                    MT_YAML_MAP, /* keys of their own: a struct that begins at the
                                    member */
                    MT_YAML_LIST /* see struct mt_yaml_list */
};

/* The offset of a key that is checked but goes to no member: its reader takes it. */
#define MT_YAML_NOWHERE SIZE_MAX

/* Valid numbers: low <= number <= high. */
struct mt_yaml_range {
    double low, high;
    const char *words; /* "at least 1" */
};

/* A key, or the entries of a list, which have no name and offset. */
struct mt_yaml_key {
    const char *name; /* NULL ends a table */
    const char *help; /* what it means, in a few words */
    enum mt_yaml_type type;
    size_t offset;
    bool required;
    double otherwise; /* the default number, perhaps with a unit */

    enum mt_quantity unit;             /* of a quantity */
    const struct mt_yaml_range *range; /* NULL: any number, a quantity more than 0 */
    const char *(*choice)(int index);  /* the words of a choice; NULL after the last */
    const char *either[2];             /* the words of an either */
    const char *yes;                   /* that of the two for which the bool is true */
    const char *const *placeholders;   /* that an argv may have, NULL at the end */
    /* Settings, and argv without `placeholders`: checks the placeholders of a text;
       adds the variables in them to `*variables`, MT_USES_... */
    int (*check)(const char *text, int *variables, struct mt_error *err);
    int variables;                  /* of expressions, MT_USES_... */
    bool counts;                    /* values must not be negative */
    const struct mt_yaml_key *keys; /* of a map */
    const char *word;               /* that may stand for the map; or NULL */
    const char *form; /* of a map that has a `word`: the valid values, in words */
    const struct mt_yaml_list *list;
};

struct mt_yaml_list {
    struct mt_yaml_key entry;
    int least, most; /* entries */
    size_t size;     /* of an entry in memory */
    size_t count;    /* offset of the int that counts them, next to the list's; or
                        MT_YAML_NOWHERE */
    bool in_place;   /* an array of `most` is in the struct; else a pointer, owned */
    bool spread;     /* of whole numbers: also a single one, or a range, as 1-16, which
                        is 1, 2, 4, ... and its ends */
};

#endif
