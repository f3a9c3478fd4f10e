/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - the common part of commands that print JSON; motley-json(5) lists the
 * documents.
 */
#ifndef MT_CLI_JSON_H
#define MT_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A new string; bytes that are not UTF-8 are shown as '?'. */
json_t *mt_json_text(const char *text);
/* A new list of strings; `texts` ends with NULL, or is NULL (see argv.h). */
json_t *mt_json_texts(char *const *texts);
/* A new number, written without a fraction where it has none; JSON has no NaN and no
   infinity: null. */
json_t *mt_json_number(double number);
/* A new list of such numbers. */
json_t *mt_json_numbers(const double *numbers, int count);
/* Add the members of `more`, which is released, to `object`. */
void mt_json_merge(json_t *object, json_t *more);
/* Write the object and a line end. It keeps all text, with control characters as
   escapes. `flags` are jansson's. */
void mt_json_write(const json_t *object, size_t flags, FILE *stream);

/*
 * Print an object, which is released in any case, with the members "schema", such as
 * "motley/plan", and "version". The version goes up when a member is removed or changes
 * its meaning, not when one is added.
 */
void mt_document_print(const char *schema, int version, json_t *object, FILE *stream);
/* Print on stdout, in the same way, a list (released) as the member `key`, and whether
   any of it is simulated. Its version is 1. */
void mt_document_print_list(const char *schema, bool simulated, const char *key,
                            json_t *list);

#endif
