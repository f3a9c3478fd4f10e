/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base.h - the base of a design: the fewest and the most nodes of each class, at four
 * sizes.
 */
#ifndef MT_DESIGN_BASE_H
#define MT_DESIGN_BASE_H

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

#endif
