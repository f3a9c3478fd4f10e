/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parcels.h - the messages of a partition with overlap; see work.h.
 */
#ifndef MT_PARTITION_PARCELS_H
#define MT_PARTITION_PARCELS_H

#include "work.h"

/* Fill in the parcels of all phases. MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_find_parcels(struct mt_partition_work *work,
                                            const struct mt_partition *partition,
                                            const struct mt_partition_product *product,
                                            struct mt_error *err);

#endif
