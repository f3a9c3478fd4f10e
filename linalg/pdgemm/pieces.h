/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - which pieces of A and B pass from rank to rank in each phase. Sender and
 * receiver come to the same list in the same order. Pure: no MPI.
 */
#ifndef MT_PDGEMM_PIECES_H
#define MT_PDGEMM_PIECES_H

#include "layout.h"

/* The part of a span's data in a phase that is in one block; see
   mt_partition_parent(). */
struct pdgemm_piece {
    int span;
    int owner;    /* or holder */
    int from, to; /* its parent's and the span's own rank */
    int block;    /* of the owner, in the partition's order; -1 on other ranks */
    int holder;   /* the span that holds it; -1: from a block */
    struct pdgemm_area area, home; /* its own, and that of the block or the holder */
};
typedef int (*pdgemm_visit)(void *context, const struct pdgemm_piece *piece);

/* Visit the pieces that the calling rank gets in a phase, including its own; and its
   own ones that it sends to others. Ends at the first visit that does not return 0, and
   returns that. */
int pdgemm_visit_receives(const struct pdgemm_layout *layout, int phase,
                          pdgemm_visit function, void *context);
int pdgemm_visit_sends(const struct pdgemm_layout *layout, int phase,
                       pdgemm_visit function, void *context);
/* Visit a piece from another rank that the calling rank forwards. */
int pdgemm_visit_forwards(const struct pdgemm_layout *layout,
                          const struct pdgemm_piece *piece, pdgemm_visit function,
                          void *context);

#endif
