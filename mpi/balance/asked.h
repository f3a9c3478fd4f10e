/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * asked.h - what this program was asked to do by MOTLEY_BALANCE.
 */
#ifndef MT_BALANCE_ASKED_H
#define MT_BALANCE_ASKED_H

#include "options.h"

/* Read at the first call, while the MPI runs: rank 0 then says what is wrong, and
   nothing is asked for. */
const struct options *asked(void);

#endif
