/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * document.h - what a command prints as JSON: an object that begins with the members
 * "schema", the document's name, and "version".
 *
 * Its other members are described for the JSON Schema that is installed (schema.h): the
 * columns of views describe the rows that are in it, and this the rest:
 *
 *     static const struct mt_member members[] = {
 *         MT_VALUE("cluster", TEXT),
 *         MT_OBJECTS("nodes", node_object),
 *         {.key = "note", .unit = MT_COLUMN_TEXT, .optional = true},
 *         {0},
 *     };
 *     const struct mt_document mt_document_plan = {
 *         "motley/plan", 1, {.members = members}};
 *
 * A new document needs its line here and in tools/schemas/schemas.c.
 */
#ifndef MT_CLI_DOCUMENT_H
#define MT_CLI_DOCUMENT_H

#include "view.h"

#include "motley/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct mt_object;

/* A member of an object. A text, a number and an object may be null: unknown. */
struct mt_member {
    const char *key; /* NULL ends a list of them */
    enum mt_column_unit unit;
    const struct mt_object *of; /* it is an object; NULL: a value */
    bool many;                  /* it is a list of them */
    bool optional;              /* it may be left out, and a list may be null */
};

/* A value of MT_COLUMN_<what>, or a list of them; an object, or a list of them. */
/* clang-format off */
#define MT_VALUE(name, what) {.key = name, .unit = MT_COLUMN_##what}
#define MT_VALUES(name, what) {.key = name, .unit = MT_COLUMN_##what, .many = true}
#define MT_OBJECT(name, object) {.key = name, .of = &object}
#define MT_OBJECTS(name, object) {.key = name, .of = &object, .many = true}
/* clang-format on */

/* The members of an object. */
struct mt_object {
    const struct mt_column *columns; /* of the view whose row it is; or NULL */
    int ncolumns;
    const struct mt_member *members; /* others, and columns whose cells are no single
                                        values of their unit; or NULL */
    bool open; /* it may have more, as it was read from elsewhere */
};

struct mt_document {
    const char *name; /* as "motley/plan": the schema's, which never changes */
    int version; /* goes up when a member is taken away or changes its meaning, not when
                    there are new ones */
    struct mt_object object;
};

/* All there are, each in the file that prints it. */
extern const struct mt_document mt_document_check, mt_document_measure,
    mt_document_measure_dry_run, mt_document_measure_budget,
    mt_document_measure_budget_dry_run, mt_document_fit, mt_document_predict,
    mt_document_plan, mt_document_plan_front, mt_document_plan_map, mt_document_weights,
    mt_document_run, mt_document_evaluate, mt_document_report,
    mt_document_surface_predict, mt_document_surface_report,
    mt_document_surface_compare, mt_document_surface_advise, mt_document_surface_fit,
    mt_document_surface_evaluate, mt_document_strassen_dry_run,
    mt_document_strassen_plan, mt_document_strassen_report, mt_document_strassen_run,
    mt_document_runs, mt_document_models, mt_document_links, mt_document_lateness,
    mt_document_lateness_list, mt_document_tune;

/* Print the object, which is released in any case, with the members "schema" and
   "version"; NULL is taken for one that memory did not suffice for. */
MT_MUST_CHECK int mt_document_print(const struct mt_document *document, json_t *object,
                                    FILE *stream, struct mt_error *err);

#endif
