/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap_simulated.h - the core that is linked into simulated programs. */
#ifndef MT_BALANCE_WRAP_SIMULATED_H
#define MT_BALANCE_WRAP_SIMULATED_H

#include "core.h"

/* NULL: calls are passed through. */
const struct core *simulated_core(void);

#endif
