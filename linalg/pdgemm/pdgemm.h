/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdgemm.h - checks of a matrix's parts, and memory for many values.
 */
#ifndef MT_PDGEMM_PARTS_H
#define MT_PDGEMM_PARTS_H

#include "motley/pdgemm.h"

#include <stddef.h>

/* MT_EINVAL unless the part's blocks are those of mt_pdgemm_part_init(). */
MT_MUST_CHECK int pdgemm_part_check(const struct mt_pdgemm_part *part,
                                    const struct mt_partition *partition,
                                    const struct mt_partition_product *product,
                                    enum mt_pdgemm_matrix matrix, int rank,
                                    struct mt_error *err);

enum { PDGEMM_LINE = 64 }; /* of the cache, bytes */

/* Aligned to a cache line; in large pages if the system has them, as messages arrive in
   new memory, and preparing small pages takes a third of a product's time on some
   virtual machines. NULL when memory is short; to be released by free(). */
void *pdgemm_memory(size_t bytes);

#endif
