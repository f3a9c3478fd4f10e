/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_messages.h - the messages of a cut without overlap; see cut_work.h.
 */
#ifndef MT_CUT_MESSAGES_H
#define MT_CUT_MESSAGES_H

#include "work.h"

/* Fill in the messages of all phases. MT_ENOMEM. */
MT_MUST_CHECK int mt_cut_find_messages(struct mt_cut_work *work,
                                       const struct mt_cut *cut,
                                       const struct mt_cut_product *product,
                                       struct mt_error *err);

#endif
