/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - the lines of the source that call sites are in.
 */
#ifndef MT_BALANCE_LINES_H
#define MT_BALANCE_LINES_H

#include "counts.h"

/*
 * Ask addr2line for the lines of all sites, where it is installed and the programs were
 * compiled with -g; it gets 10 seconds for each program or library. Sites of the same
 * call in the same line, which a compiler makes of one, are then one site.
 */
void lines_find(struct counts *counts);

#endif
