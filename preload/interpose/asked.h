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
/* Collective over MPI_COMM_WORLD: the same, but nothing if ranks were asked for
   different things, which rank 0 says. */
const struct options *asked_of_all(void);

#endif
