/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_parts.h - what the files that make plans share.
 */
#ifndef MT_PLAN_PARTS_H
#define MT_PLAN_PARTS_H

#include "motley/plan.h"

/* Predict a configuration and keep it, as mt_plan_keep() does with `top`, if it may run
   and is allowed. What the models cannot predict is left out. */
MT_MUST_CHECK int mt_plan_consider(struct mt_plan *plan,
                                   const struct mt_cluster *cluster,
                                   const struct mt_program *program,
                                   const struct mt_models *models,
                                   const struct mt_question *question, int top,
                                   const struct mt_configuration *configuration,
                                   struct mt_error *err);

#endif
