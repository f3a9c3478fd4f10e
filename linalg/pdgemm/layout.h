/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - which rows of A and columns of B each rank needs in each phase of a
 * product, and their owners, from the partition alone. Pure: no MPI.
 */
#ifndef MT_PDGEMM_LAYOUT_H
#define MT_PDGEMM_LAYOUT_H

#include "lib/partition/spans.h"
#include "motley/error.h"
#include "motley/partition.h"

#include <stdbool.h>

/* A rectangle of a matrix. */
struct pdgemm_area {
    struct mt_partition_range rows, columns;
};

/* A tile of the calling rank. */
struct pdgemm_tile {
    int place; /* in the partition */
    int turn, levels;
    int spans[MT_PARTITION_OPERANDS]; /* what it multiplies */
};

/* Empty if zeroed. */
struct pdgemm_layout {
    const struct mt_partition *partition;       /* borrowed */
    const struct mt_partition_product *product; /* borrowed */
    int rank;                                   /* the calling one */
    int phases;
    struct pdgemm_area
        *areas[MT_PARTITION_OPERANDS]; /* owned; of all tiles of the partition */
    struct mt_partition_spans needs;   /* owned; of all ranks */
    struct pdgemm_tile
        *tiles; /* owned; of the calling rank, in the partition's order */
    int ntiles;
};

/* Needs a partition that has been checked. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_layout_init(struct pdgemm_layout *layout,
                                     const struct mt_partition *partition,
                                     const struct mt_partition_product *product,
                                     int rank, struct mt_error *err);
void pdgemm_layout_clear(struct pdgemm_layout *layout);

int pdgemm_size(struct mt_partition_range range);
bool pdgemm_is_empty(const struct pdgemm_area *area);
bool pdgemm_same_area(const struct pdgemm_area *a, const struct pdgemm_area *b);

/* The part of k that the calling rank uses in a phase. */
int pdgemm_depth(const struct pdgemm_layout *layout, int phase);
/* The area that a span needs in a phase. */
struct pdgemm_area pdgemm_span_area(const struct pdgemm_layout *layout,
                                    const struct mt_partition_span *span, int phase);

#endif
