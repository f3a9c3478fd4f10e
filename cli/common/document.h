/* SPDX-License-Identifier: BSD-3-Clause */
/* document.h - what a command prints as JSON; motley-json(5) lists the documents. */
#ifndef MT_CLI_DOCUMENT_H
#define MT_CLI_DOCUMENT_H

#include "motley/error.h"

#include <jansson.h>
#include <stdio.h>

/*
 * Print an object, which is released in any case, with the members "schema", such as
 * "motley/plan", and "version". The version goes up when a member is removed or changes
 * its meaning, not when one is added. A NULL object is reported as out of memory.
 */
MT_MUST_CHECK int mt_document_print(const char *schema, int version, json_t *object,
                                    FILE *stream, struct mt_error *err);

#endif
