/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - how much of messages passes while their ranks multiply.
 */
#ifndef MT_APPS_STRASSEN_OVERLAP_H
#define MT_APPS_STRASSEN_OVERLAP_H

#include "work.h"

#include <motley/error.h>

/*
 * Of two ranks, what `size` x `size` matrices that pass each other and a product on
 * each rank take together, where the product alone takes as long as the matrices alone:
 * (2 - overlap) times as long, if a share `overlap` of them passes meanwhile. The
 * product is made by mt_pdgemm(). `exchange` and `product` are the seconds that the
 * matrices take alone, and a product of two of them on the faster rank, the same on
 * both ranks. Collective; sets `seconds` on both ranks.
 */
MT_MUST_CHECK int strassen_overlap(double *seconds, struct strassen_worker *worker,
                                   int size, double exchange, double product,
                                   struct mt_error *err);

#endif
