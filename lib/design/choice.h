/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.h - which candidate of a design is the next.
 */
#ifndef MT_DESIGN_CHOICE_H
#define MT_DESIGN_CHOICE_H

#include "state.h"

/* Of the base, or any other; `*index` is -1, and `*end` says why, if there is none. */
MT_MUST_CHECK int mt_design_choose(struct mt_design *design, int *index, bool *of_base,
                                   enum mt_end *end, struct mt_error *err);

#endif
