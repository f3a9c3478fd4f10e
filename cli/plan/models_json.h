/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * models_json.h - models and predictions as fit, show and predict print them with
 * --json.
 */
#ifndef MT_CLI_MODELS_JSON_H
#define MT_CLI_MODELS_JSON_H

#include "cli/common/command.h"
#include "models_print.h"
#include "predictions.h"

#include "motley/models.h"

#include <jansson.h>

/* A new object; NULL: memory is short. */
json_t *mt_models_to_json(const struct mt_models *models,
                          const struct mt_models_origin *origin);
/* Print one object on stdout. */
MT_MUST_CHECK int mt_predictions_print_json(const struct mt_predictions *predictions,
                                            const struct mt_inputs *inputs,
                                            struct mt_error *err);

#endif
