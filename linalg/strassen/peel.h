/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_peel.h - a product of any sizes: what cannot be halved is peeled off.
 */
#ifndef MT_STRASSEN_PEEL_H
#define MT_STRASSEN_PEEL_H

#include "product.h"

/* No size is below 2^levels. */
void mt_strassen_peel(const struct call *call, const struct product *product,
                      int levels, double *workspace);

#endif
