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

/* A new object, without the run's id; NULL: out of memory. */
json_t *mt_run_to_json(const struct mt_run *run);
/* Fill an empty run; MT_EPARSE names the member that is wrong. On failure the run is
   partly filled, for the caller to clear. */
MT_MUST_CHECK int mt_run_from_json(struct mt_run *run, json_t *object,
                                   struct mt_error *err);

#endif
