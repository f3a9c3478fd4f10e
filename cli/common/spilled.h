/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spilled.h - runs that an earlier call could not put into the store.
 */
#ifndef MT_CLI_SPILLED_H
#define MT_CLI_SPILLED_H

/* Put them into the store of --db, and say so, or why it cannot be. */
void mt_take_spilled(void);

#endif
