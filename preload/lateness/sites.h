/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h - the places in the program that call the MPI.
 */
#ifndef MT_BALANCE_SITES_H
#define MT_BALANCE_SITES_H

#include "counts.h"

#include <stdbool.h>

/* The site of the call that returns to `caller`, made if there is none yet. NULL when
   memory is short. */
struct site *caller_site(struct counts *counts, const void *caller, bool simulated);

/*
 * Ask addr2line for the lines of all sites, where it is installed and the programs were
 * compiled with -g; it gets 10 seconds for each program or library. Sites of the same
 * call in the same line, which a compiler makes of one, are then one site.
 */
void lines_find(struct counts *counts);

#endif
