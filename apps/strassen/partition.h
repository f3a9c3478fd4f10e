/* SPDX-License-Identifier: BSD-3-Clause */
/* partition.h - how the matrices are partitioned: as a file says, or equally. */
#ifndef MT_APPS_STRASSEN_PARTITION_H
#define MT_APPS_STRASSEN_PARTITION_H

#include "apps/common/work.h"

#include <motley/error.h>
#include <motley/partition.h>

/*
 * The partition in the file at `path`, which rank 0 reads for all; or, if it is NULL,
 * equal blocks in as many levels as are fastest on rank 0's node. `partition` must be
 * empty. Collective; fails on all ranks or on none.
 */
MT_MUST_CHECK int strassen_partition_make(struct mt_partition *partition,
                                          const char *path,
                                          const struct mt_partition_product *product,
                                          const struct work_node *node,
                                          struct mt_error *err);

#endif
