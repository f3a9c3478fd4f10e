/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - models as text and as JSON, as fit and show print them; and the options of
 * fitting.
 */
#ifndef MT_CLI_PLAN_FIT_H
#define MT_CLI_PLAN_FIT_H

#include "motley/error.h"
#include "motley/model.h"

#include <jansson.h>
#include <popt.h>
#include <stdbool.h>

/* The origin of models. All borrowed. */
struct mt_models_origin {
    const char *cluster, *program; /* names */
    const char *split;             /* the text of the program's; NULL: not known */
    bool simulated;
};

/* Print models, formulas and refusals on stdout. */
void mt_models_print(const struct mt_models *models,
                     const struct mt_models_origin *origin);
/* A new object. */
json_t *mt_models_to_json(const struct mt_models *models,
                          const struct mt_models_origin *origin);

/* A new list with an object for each model, as in the JSON of fit. */
json_t *mt_models_list(const struct mt_models *models);

/* The options of fitting, shared by fit and evaluate. */

/* For POPT_ARG_INCLUDE_TABLE in a command's table. */
extern struct poptOption mt_fit_option_table[];

/* What the user wrote, except the kind of model; the caller clears it. */
MT_MUST_CHECK int mt_fit_options_read(struct mt_fit_options *options,
                                      struct mt_error *err);
/* The options as text, "--glitch-k 0.8 --training-sizes 400,600", empty if all are
   defaults; the caller frees it. */
char *mt_fit_options_text(const struct mt_fit_options *options);

#endif
