/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.h - which site of the counts an address in the program belongs to.
 */
#ifndef MT_BALANCE_CALLER_H
#define MT_BALANCE_CALLER_H

#include "counts.h"

#include <stdbool.h>

/* The site of the call that returns to `caller`, made if there is none yet. NULL when
   memory is short. */
struct site *caller_site(struct counts *counts, const void *caller, bool simulated);

#endif
