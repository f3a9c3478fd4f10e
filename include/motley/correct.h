/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * correct.h - plans that are corrected by what runs say about the models: the models
 * propose candidates, the evidence ranks them anew.
 */
#ifndef MT_CORRECT_H
#define MT_CORRECT_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/evidence.h"
#include "motley/fit.h"
#include "motley/model.h"
#include "motley/plan.h"
#include "motley/program.h"

/*
 * The configurations among which the best one is looked for, ranked by the models:
 * all that may run where the cluster has up to 20,000; otherwise the best one of each
 * of the best 200 P, and what was run at sizes near this one by `samples`. The
 * question's deadline and budget are left to mt_plan_correct(). `plan` must be empty;
 * failures as of mt_plan_search().
 */
MT_MUST_CHECK int mt_plan_candidates(struct mt_plan *plan,
                                     const struct mt_cluster *cluster,
                                     const struct mt_program *program,
                                     const struct mt_models *models,
                                     const struct mt_question *question,
                                     const struct mt_sample *samples, int nsamples,
                                     struct mt_error *err);

/*
 * Predict every choice anew, by mt_evidence_predict(); leave out what the question does
 * not allow now; and rank again. MT_EINFEASIBLE when nothing is left. On failure the
 * plan is to be cleared.
 */
MT_MUST_CHECK int mt_plan_correct(struct mt_plan *plan,
                                  const struct mt_cluster *cluster,
                                  const struct mt_evidence *evidence,
                                  const struct mt_question *question,
                                  struct mt_error *err);

/* Of a ranked plan keep the best choice of each P, and of these the best `top`. */
void mt_plan_keep_top(struct mt_plan *plan, int top);

#endif
