/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - the options that MOTLEY_BALANCE gave this program.
 */
#ifndef MT_BALANCE_SETTINGS_H
#define MT_BALANCE_SETTINGS_H

#include "options.h"

/* Read at the first call, while the MPI runs. When the variable cannot be read rank 0
   says what is wrong, and no option is set. */
const struct options *settings(void);
/* Collective over MPI_COMM_WORLD: the same, but no option is set if ranks were given
   different ones, which rank 0 says. */
const struct options *settings_agree(void);

#endif
