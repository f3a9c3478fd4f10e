/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h - which pieces of A and B pass from rank to rank in each phase. Sender and
 * receiver come to the same list in the same order. Pure: no MPI.
 */
#ifndef MT_PDGEMM_PIECES_H
#define MT_PDGEMM_PIECES_H

#include "layout.h"

/* A part of what a span needs in a phase, that lies in one block; see
 * mt_partition_parent().
 */
struct pdgemm_piece {
    int span;
    int owner;    /* or holder */
    int from, to; /* its parent's and the span's own rank */
    int block;    /* of the owner, in the partition's order; -1 on other ranks */
    int holder;   /* the span that it is taken from; -1: from a block */
    struct pdgemm_area area, home; /* its own, and that of the block or the holder */
};
typedef int (*pdgemm_visit)(void *context, const struct pdgemm_piece *piece);

/* The pieces that the calling rank gets in a phase, its own ones among them; and its
   own ones as it sends them to others. Ends at the first visit that does not return 0,
   and returns that. */
int pdgemm_visit_receives(const struct pdgemm_layout *layout, int phase,
                          pdgemm_visit function, void *context);
int pdgemm_visit_sends(const struct pdgemm_layout *layout, int phase,
                       pdgemm_visit function, void *context);
/* A piece that the calling rank gets from another one, as it sends it on. */
int pdgemm_visit_forwards(const struct pdgemm_layout *layout,
                          const struct pdgemm_piece *piece, pdgemm_visit function,
                          void *context);

#endif
