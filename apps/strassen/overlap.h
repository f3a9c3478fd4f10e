/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - how much of messages passes while their ranks multiply.
 */
#ifndef MT_APPS_STRASSEN_OVERLAP_H
#define MT_APPS_STRASSEN_OVERLAP_H

#include "work.h"

#include <motley/error.h>

/*
 * What of the time that `size` x `size` matrices take to pass each other is saved by
 * products on both ranks that take as long meanwhile: 1 all, 0 nothing, as the products
 * take so much longer. They are made by mt_pdgemm(). `exchange` and `product` are the
 * seconds that the matrices take alone, and a product of two of them on the faster
 * rank, the same on both ranks. Collective; sets `overlap` on both ranks.
 */
MT_MUST_CHECK int strassen_overlap(double *overlap, struct strassen_worker *worker,
                                   int size, double exchange, double product,
                                   struct mt_error *err);

#endif
