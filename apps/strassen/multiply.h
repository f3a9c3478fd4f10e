/* SPDX-License-Identifier: BSD-3-Clause */
/* multiply.h - the product on all ranks, from the matrices to its check. */
#ifndef MT_APPS_STRASSEN_MULTIPLY_H
#define MT_APPS_STRASSEN_MULTIPLY_H

#include "options.h"

/* Whether all went well; if not, one rank has said why. Collective. */
bool strassen_multiply(const struct strassen_options *options);

/* Whether `status` is MT_OK on all ranks; if not, the first one where it is not prints
   its error. Collective. */
bool strassen_agree(int status, const struct mt_error *err);

#endif
