/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repeats.h - runs that are made again because their time surprises.
 */
#ifndef MT_DESIGN_REPEATS_H
#define MT_DESIGN_REPEATS_H

#include "state.h"

/* Look for a run that the others contradict, by models fitted to all of these samples,
   and remember it as suspect. */
MT_MUST_CHECK int mt_design_suspect(struct mt_design *design,
                                    const struct mt_models *models,
                                    const struct mt_samples *samples,
                                    struct mt_error *err);

/* The candidate that is to be run again, as far as the limits allow; -1: none. */
int mt_design_next_repeat(const struct mt_design *design);

#endif
