/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_papers.h - the papers' kinds of models: ordinary least squares on the seconds.
 */
#ifndef MT_FIT_PAPERS_H
#define MT_FIT_PAPERS_H

#include "fit_models.h"

MT_MUST_CHECK int mt_fit_nt(const struct mt_fit_task *task, struct mt_error *err);
MT_MUST_CHECK int mt_fit_pt(const struct mt_fit_task *task, struct mt_error *err);
MT_MUST_CHECK int mt_fit_npt(const struct mt_fit_task *task, struct mt_error *err);

#endif
