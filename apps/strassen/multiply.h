/* SPDX-License-Identifier: BSD-3-Clause */
/* strassen_multiply.h - the product on all ranks, from the matrices to its check. */
#ifndef MT_APPS_STRASSEN_MULTIPLY_H
#define MT_APPS_STRASSEN_MULTIPLY_H

#include "options.h"

/* Whether all went well; if not, one rank has said why. Collective. */
bool strassen_multiply(const struct strassen_options *options);

#endif
