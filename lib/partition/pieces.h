/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - which parts of A and B ranks need of each other, phase by phase.
 */
#ifndef MT_PARTITION_PIECES_H
#define MT_PARTITION_PIECES_H

#include "motley/partition.h"

/* What lies in a tile of what others need in a phase. */
struct mt_partition_piece {
    int operand; /* 0: of A, 1: of B */
    int phase;
    int owner;         /* or who holds it; see mt_partition_parent() */
    const int *others; /* borrowed; in order of rank; without the owner */
    int count;         /* of them; above 0 */
    double bytes;      /* that each of them gets */
};
typedef int (*mt_partition_visit_piece)(void *context,
                                        const struct mt_partition_piece *piece,
                                        struct mt_error *err);

/* Those of A, then those of B, in the order in which their owners send them. Ends at
   the first visit that fails, and returns its status. MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_visit_pieces(const struct mt_partition *partition,
                                            const struct mt_partition_product *product,
                                            mt_partition_visit_piece visit,
                                            void *context, struct mt_error *err);

#endif
