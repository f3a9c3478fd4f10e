/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - whether a product of small integers is exact. */
#ifndef MT_APPS_STRASSEN_VERIFY_H
#define MT_APPS_STRASSEN_VERIFY_H

#include <motley/error.h>
#include <motley/pdgemm.h>

/*
 * The largest difference between C t and A (B t), t a vector of small integers, which
 * is exact in doubles; and, where no size is above 600, between C and the product of A
 * and B as it is defined. Collective; the difference is the same on all ranks.
 */
MT_MUST_CHECK int strassen_verify_integers(double *difference,
                                           const struct mt_pdgemm_part *a,
                                           const struct mt_pdgemm_part *b,
                                           const struct mt_pdgemm_part *c,
                                           struct mt_error *err);

#endif
