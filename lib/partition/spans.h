/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans.h - which rows of A and columns of B each rank needs, which ranks already hold
 * the parts for a left-over, and which parts pass between ranks. Shared by the
 * prediction and by libmotley-pdgemm, so that both have the same senders and receivers.
 *
 * A phase is the part of a step that ends with products: one for the tiles of turn 0,
 * then one for each subpanel of those of turn 1.
 */
#ifndef MT_PARTITION_SPANS_H
#define MT_PARTITION_SPANS_H

#include "internal.h"

/* The phases of a step, and whether a phase is of the left-over. */
int mt_partition_phases_per_step(const struct mt_partition *partition);
int mt_partition_turn_of_phase(const struct mt_partition *partition, int phase);

/* The part of k that a rank takes in a phase, if its first panel is `first`; see
   mt_partition_panel(). */
struct mt_partition_range mt_partition_depth(const struct mt_partition *partition,
                                             int first, int phase, int k);

enum mt_partition_operand { MT_PARTITION_A, MT_PARTITION_B };
enum { MT_PARTITION_OPERANDS = MT_PARTITION_B + 1 };

/* Rows of A, or columns of B, that a rank needs in every phase of a turn; once, even if
   several of its tiles share them. Ranks with the same needs in the same phases are a
   group. */
struct mt_partition_span {
    int rank, turn;
    enum mt_partition_operand operand;
    struct mt_partition_range range;
    int panel;  /* the rank's first */
    int holder; /* of turn 1: the span of turn 0 that contains it, whose rank sends it;
                   -1: its owners send it */
    struct mt_partition_range group; /* of the spans, in order of rank */
};

/* Empty if zeroed. Sorted by turn, operand, range and panel, so groups are together. */
struct mt_partition_spans {
    struct mt_partition_span *spans; /* owned */
    int count;
};

/* The partition must pass mt_partition_check(). MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_spans_init(struct mt_partition_spans *spans,
                                          const struct mt_partition *partition,
                                          const struct mt_partition_product *product,
                                          struct mt_error *err);
void mt_partition_spans_clear(struct mt_partition_spans *spans);

/* The span that a tile multiplies; -1: it has no rows or no columns, and needs none. */
int mt_partition_spans_find(const struct mt_partition_spans *spans,
                            const struct mt_partition *partition,
                            const struct mt_partition_product *product,
                            const struct mt_partition_tile *tile,
                            enum mt_partition_operand operand);

/* A part in a tile that other ranks need in a phase. */
struct mt_partition_piece {
    int operand; /* 0: of A, 1: of B */
    int phase;
    int owner;         /* or its holder; see mt_partition_parent() */
    const int *others; /* borrowed; in order of rank; without the owner */
    int count;         /* of them; above 0 */
    double bytes;      /* that each of them gets */
};
typedef int (*mt_partition_visit_piece)(void *context,
                                        const struct mt_partition_piece *piece,
                                        struct mt_error *err);

/* Visit the pieces of A, then those of B, in the order in which their owners send them.
   Ends at the first visit that fails, and returns its status. MT_ENOMEM. */
MT_MUST_CHECK int mt_partition_visit_pieces(const struct mt_partition *partition,
                                            const struct mt_partition_product *product,
                                            mt_partition_visit_piece visit,
                                            void *context, struct mt_error *err);

#endif
