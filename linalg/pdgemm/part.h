/* SPDX-License-Identifier: BSD-3-Clause */
/* pdgemm_part.h - what the parts of a matrix have to look like. Pure: no MPI. */
#ifndef MT_PDGEMM_PART_H
#define MT_PDGEMM_PART_H

#include "motley/pdgemm.h"

/* MT_EINVAL unless the part is what mt_pdgemm_part_init() makes of the partition, the
   product and the rank. */
MT_MUST_CHECK int pdgemm_part_check(const struct mt_pdgemm_part *part,
                                    const struct mt_partition *partition, int rank,
                                    enum mt_pdgemm_matrix matrix,
                                    const struct mt_partition_product *product,
                                    bool no_values, struct mt_error *err);

#endif
