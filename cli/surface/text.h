/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - what the actions of 'motley surface' say in the same words.
 */
#ifndef MT_CLI_SURFACE_TEXT_H
#define MT_CLI_SURFACE_TEXT_H

#include "cli/common/format.h"
#include "motley/error.h"
#include "motley/surface.h"

#include <jansson.h>
#include <stdio.h>

enum { MT_SURFACE_LABEL = 128 };

/* "ap1000 A". The text is `label`. */
const char *mt_surface_label(char label[MT_SURFACE_LABEL],
                             const struct mt_surface *surface);
/* " (simulated)", or nothing. */
const char *mt_surface_simulated(const struct mt_surface *surface);

/* "1 node", "10 nodes". The text is `buffer`. */
const char *mt_format_nodes(char buffer[32], double count);

/* Print what is to be known of predictions for up to so many nodes: what they were
   learned from, and that the machine has fewer. Nothing when there is nothing. */
void mt_surface_print_origin(const struct mt_surface *surface, double nodes,
                             FILE *stream);

/* The members of a JSON object that say whose surface it is. */
json_t *mt_surface_json(const struct mt_surface *surface);
/* Print them and those of `found`, which is released in any case, as one object. */
MT_MUST_CHECK int mt_surface_print_json(const struct mt_surface *surface,
                                        const char *schema, int version, json_t *found,
                                        struct mt_error *err);

/* Print each as a warning on stderr; the list ends with NULL, or is NULL. */
void mt_surface_warn(char *const *warnings);

#endif
