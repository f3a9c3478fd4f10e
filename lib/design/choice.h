/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.h - which candidate of a design is the next: one of the base, the fewest and
 * the most nodes of each class at four sizes, or any other.
 */
#ifndef MT_DESIGN_CHOICE_H
#define MT_DESIGN_CHOICE_H

#include "motley/design.h"
#include "state.h"

/* The runs of the base, as it is seen now. */
struct mt_base {
    int *wanted; /* owned; candidates that are to be made yet, with room for all */
    int left;    /* of them */
    int total;   /* runs of the base, made or not */
};
/* The caller frees base->wanted. */
MT_MUST_CHECK int mt_design_base(struct mt_base *base, const struct mt_design *design,
                                 struct mt_error *err);

/* Of the base, or any other; `*index` is -1, and `*end` says why, if there is none. */
MT_MUST_CHECK int mt_design_choose(struct mt_design *design, int *index, bool *of_base,
                                   enum mt_end *end, struct mt_error *err);

/* The share of the targets' variance that the best run which the limits allow takes. */
double mt_design_promise(const struct mt_design *design);

#endif
