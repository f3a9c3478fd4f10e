/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * range.h - bounds of expressions over a box of the variables, by interval arithmetic.
 */
#ifndef MT_EXPR_RANGE_H
#define MT_EXPR_RANGE_H

#include "code.h"

/* Write the bounds of each expression to row[0 .. nresults-1]. */
void mt_code_ranges(const struct mt_code *code,
                    const struct mt_range box[MT_NVARIABLES], struct mt_range *row);

#endif
