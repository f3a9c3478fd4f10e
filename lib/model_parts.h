/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_parts.h - what fitting and predicting share.
 */
#ifndef MT_MODEL_PARTS_H
#define MT_MODEL_PARTS_H

#include "motley/model.h"

/* What struct mt_model's `split` has to be for a model to answer for P: -1 for programs
   without a split, otherwise 0 or 1. */
int mt_program_split(const struct mt_program *program, int ranks);

/* The model that mt_models_find() gives for P of that split. */
const struct mt_model *mt_models_find_split(const struct mt_models *models,
                                            const char *group, int processes,
                                            int split);

/* Seconds of a P-T model's reference N-T model, which may be negative where that model
   does not hold; 0 for the other kinds. */
double mt_model_reference(const struct mt_model *model, double size);

#endif
