/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_parcels.h - the messages of a cut with overlap; see cut_work.h.
 */
#ifndef MT_CUT_PARCELS_H
#define MT_CUT_PARCELS_H

#include "work.h"

/* Fill in the parcels of all phases. MT_ENOMEM. */
MT_MUST_CHECK int mt_cut_find_parcels(struct mt_cut_work *work,
                                      const struct mt_cut *cut,
                                      const struct mt_cut_product *product,
                                      struct mt_error *err);

#endif
