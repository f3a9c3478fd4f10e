/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.h - how much memory the messages of a product need. Pure: no MPI. */
#ifndef MT_PDGEMM_NEEDS_H
#define MT_PDGEMM_NEEDS_H

#include "pieces.h"

#include <stddef.h>

/* The most of any phase; but of any step for what is sent packed, and of all of them
   for what is sent in place. */
struct pdgemm_needs {
    size_t panels;    /* values of spans that do not lie in one own block */
    size_t scattered; /* values that are received packed, as they go between others */
    size_t packed;    /* values that are sent packed, as they lie between others */
    size_t longest;   /* values of a message */
    int receives, packed_sends, sends;
};

struct pdgemm_needs pdgemm_count_needs(const struct pdgemm_layout *layout);

size_t pdgemm_values(const struct pdgemm_area *area);
/* Whether a piece is all that its span needs in the phase, and lies in an own block, or
   in a panel of turn 0. */
bool pdgemm_is_own(const struct pdgemm_layout *layout, int phase,
                   const struct pdgemm_piece *piece);
/* Whether other values of the whole lie between those of the piece. */
bool pdgemm_has_gaps(const struct pdgemm_area *piece, const struct pdgemm_area *whole);
/* Likewise, in the block or the held panel that the piece is in. */
bool pdgemm_is_strided(const struct pdgemm_piece *piece);

#endif
