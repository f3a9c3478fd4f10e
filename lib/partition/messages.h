/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - the messages of a partition without overlap; see work.h.
 */
#ifndef MT_PARTITION_MESSAGES_H
#define MT_PARTITION_MESSAGES_H

#include "work.h"

/* Fill in the messages of all phases. MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_find_messages(struct mt_partition_work *work,
                                             const struct mt_partition *partition,
                                             const struct mt_partition_product *product,
                                             struct mt_error *err);

#endif
