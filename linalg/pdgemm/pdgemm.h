/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdgemm.h - what the parts of a matrix have to look like, and memory for many values.
 */
#ifndef MT_PDGEMM_PARTS_H
#define MT_PDGEMM_PARTS_H

#include "motley/pdgemm.h"

#include <stddef.h>

/* MT_EINVAL unless the part's blocks are those that mt_pdgemm_part_init() makes. */
MT_MUST_CHECK int pdgemm_part_check(const struct mt_pdgemm_part *part,
                                    const struct mt_partition *partition,
                                    const struct mt_partition_product *product,
                                    enum mt_pdgemm_matrix matrix, int rank,
                                    struct mt_error *err);

enum { PDGEMM_LINE = 64 }; /* of the cache, bytes */

/* Begins with a line of the cache; in large pages where the system has them, as what is
   received goes to new memory, whose small pages take a third of the time of a product
   to make ready on some virtual machines. NULL when memory is short; to be released by
   free(). */
void *pdgemm_memory(size_t bytes);

#endif
