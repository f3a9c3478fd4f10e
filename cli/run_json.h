/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_json.h - a run as a JSON object, as show and export print it and import reads it.
 * What a run has not got (a reason, say) is not in its object.
 */
#ifndef MT_CLI_RUN_JSON_H
#define MT_CLI_RUN_JSON_H

#include "motley/error.h"
#include "motley/run.h"

#include <jansson.h>

/* How all JSON is printed. */
enum { MT_JSON_STYLE = JSON_INDENT(2) };

/* A new object, without the run's id; NULL: out of memory. */
json_t *mt_run_to_json(const struct mt_run *run);
/* Fill an empty run; MT_EPARSE names the member that is wrong. On failure the run is
   partly filled, for the caller to clear. */
MT_MUST_CHECK int mt_run_from_json(struct mt_run *run, json_t *object,
                                   struct mt_error *err);

/* A new string; bytes that are not UTF-8 are shown as '?'. NULL: out of memory. */
json_t *mt_json_text(const char *text);
/* A new number, written without a fraction where it has none; JSON has no NaN and no
   infinity: null. */
json_t *mt_json_number(double number);
/* Print the object, which is released in any case; NULL is taken for one that memory
   did not suffice for. */
MT_MUST_CHECK int mt_json_print(json_t *object, FILE *stream, struct mt_error *err);

#endif
