/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - which rows of A and columns of B each rank needs in each phase of a
 * product, and who has them. All follows from the partition. Pure: no MPI.
 *
 * A phase is the part of a step that ends with products: one for the tiles of turn 0,
 * then one for each subpanel of those of turn 1.
 */
#ifndef MT_PDGEMM_LAYOUT_H
#define MT_PDGEMM_LAYOUT_H

#include "motley/error.h"
#include "motley/partition.h"

#include <stdbool.h>

enum pdgemm_operand { PDGEMM_A, PDGEMM_B };
enum { PDGEMM_OPERANDS = PDGEMM_B + 1 };

/* A rectangle of a matrix. */
struct pdgemm_area {
    struct mt_partition_range rows, columns;
};

/* Rows of A, or columns of B, that a rank needs in every phase of a turn; once, however
   many of its tiles share them. Ranks that need the same in the same phases are a
   group. */
struct pdgemm_span {
    int rank, turn;
    enum pdgemm_operand operand;
    struct mt_partition_range range;
    int panel;  /* that the rank takes first */
    int holder; /* of turn 1: the span of turn 0 that has it already, and
                   whose rank sends it; -1: it comes from its owners */
    struct mt_partition_range group; /* in the layout's spans, in order of rank */
};

/* A tile of the calling rank. */
struct pdgemm_tile {
    int place; /* in the partition */
    int turn, levels;
    int spans[PDGEMM_OPERANDS]; /* what it multiplies */
};

/* Zeroed is empty. */
struct pdgemm_layout {
    const struct mt_partition *partition;       /* borrowed */
    const struct mt_partition_product *product; /* borrowed */
    int rank;                                   /* the calling one */
    int phases;
    struct pdgemm_area
        *areas[PDGEMM_OPERANDS]; /* owned; of all tiles of the partition */
    struct pdgemm_span *spans;   /* owned; of all ranks, groups together */
    int nspans;
    struct pdgemm_tile
        *tiles; /* owned; of the calling rank, in the partition's order */
    int ntiles;
};

/* Of a partition that has been checked. MT_ENOMEM. */
MT_MUST_CHECK int pdgemm_layout_init(struct pdgemm_layout *layout,
                                     const struct mt_partition *partition,
                                     const struct mt_partition_product *product,
                                     int rank, struct mt_error *err);
void pdgemm_layout_clear(struct pdgemm_layout *layout);

int pdgemm_size(struct mt_partition_range range);
bool pdgemm_is_empty(const struct pdgemm_area *area);
bool pdgemm_same_area(const struct pdgemm_area *a, const struct pdgemm_area *b);

/* The step of a phase, and the turn of the tiles that are multiplied in it. */
int pdgemm_step(const struct pdgemm_layout *layout, int phase);
int pdgemm_turn(const struct pdgemm_layout *layout, int phase);
/* The part of k that a rank takes in a phase. */
struct mt_partition_range pdgemm_depth(const struct pdgemm_layout *layout, int rank,
                                       int phase);
/* What a span needs in a phase. */
struct pdgemm_area pdgemm_span_area(const struct pdgemm_layout *layout,
                                    const struct pdgemm_span *span, int phase);

#endif
