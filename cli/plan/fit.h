/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - models as text and as JSON, as fit and show print them.
 */
#ifndef MT_CLI_PLAN_FIT_H
#define MT_CLI_PLAN_FIT_H

#include "motley/model.h"

#include <jansson.h>
#include <stdbool.h>

/* Where models come from. All borrowed. */
struct mt_models_origin {
    const char *cluster, *program; /* names */
    const char *split;             /* the text of the program's; NULL: not known */
    bool simulated;
};

/* Print models, formulas, and who got no model, on stdout. */
void mt_models_print(const struct mt_models *models,
                     const struct mt_models_origin *origin);
/* A new object. */
json_t *mt_models_to_json(const struct mt_models *models,
                          const struct mt_models_origin *origin);

/* A new list with an object for each model, as in that. */
json_t *mt_models_list(const struct mt_models *models);

#endif
