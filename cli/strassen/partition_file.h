/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partition_file.h - partitions in files, see motley-cut(5).
 */
#ifndef MT_CLI_STRASSEN_PARTITION_FILE_H
#define MT_CLI_STRASSEN_PARTITION_FILE_H

#include "motley/error.h"
#include "motley/partition.h"

MT_MUST_CHECK int mt_strassen_write_partition(const struct mt_partition *partition,
                                              const char *path, struct mt_error *err);
/* `partition` must be empty. */
MT_MUST_CHECK int mt_strassen_read_partition(struct mt_partition *partition,
                                             const char *path, struct mt_error *err);

#endif
