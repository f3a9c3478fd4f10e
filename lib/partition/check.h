/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_check.h - the part of mt_cut_check() that a reader does line by line.
 */
#ifndef MT_CUT_CHECK_H
#define MT_CUT_CHECK_H

#include "motley/cut.h"

/* Whether the tile's numbers are possible in the cut. */
MT_MUST_CHECK int mt_cut_check_tile(const struct mt_cut *cut,
                                    const struct mt_cut_tile *tile,
                                    struct mt_error *err);

#endif
