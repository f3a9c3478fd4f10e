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

#endif
