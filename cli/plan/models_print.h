/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * models_print.h - models as text, as fit and show print them.
 */
#ifndef MT_CLI_MODELS_PRINT_H
#define MT_CLI_MODELS_PRINT_H

#include "motley/error.h"
#include "motley/models.h"

#include <stdbool.h>

/* Where models come from. All borrowed. */
struct mt_models_origin {
    const char *cluster, *program; /* names */
    const char *split;             /* the text of the program's; NULL: not known */
    bool simulated;
};

/* Print models, formulas, and who got no model, on stdout. */
MT_MUST_CHECK int mt_models_print(const struct mt_models *models,
                                  const struct mt_models_origin *origin,
                                  struct mt_error *err);

#endif
