/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - the part of mt_partition_check() that a reader does line by line.
 */
#ifndef MT_PARTITION_CHECK_H
#define MT_PARTITION_CHECK_H

#include "motley/partition.h"

/* Whether the tile's numbers are possible in the partition. */
MT_MUST_CHECK int mt_partition_check_tile(const struct mt_partition *partition,
                                          const struct mt_partition_tile *tile,
                                          struct mt_error *err);

#endif
