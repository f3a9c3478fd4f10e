/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_explain.h - say why no configuration can be planned.
 */
#ifndef MT_PLAN_EXPLAIN_H
#define MT_PLAN_EXPLAIN_H

#include "motley/plan.h"

/* As mt_plan_search(), but finding nothing is no failure. */
MT_MUST_CHECK int mt_plan_find(struct mt_plan *plan, const struct mt_cluster *cluster,
                               const struct mt_program *program,
                               const struct mt_models *models,
                               const struct mt_question *question,
                               struct mt_error *err);

/* MT_EINFEASIBLE with the constraint without which there would be a plan, or what else
   leaves nothing over; or the failure of the search for it. */
MT_MUST_CHECK int mt_plan_explain(const struct mt_cluster *cluster,
                                  const struct mt_program *program,
                                  const struct mt_models *models,
                                  const struct mt_question *question,
                                  struct mt_error *err);

#endif
