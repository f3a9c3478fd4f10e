/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * consent.h - ask whether to go on with what takes long.
 */
#ifndef MT_CLI_CONSENT_H
#define MT_CLI_CONSENT_H

#include <stdbool.h>

/* Say how long all runs are expected to take, and ask whether to make those that are
   left. No where nobody can be asked, as standard input and error are no terminal, or a
   signal comes. */
bool mt_consent_ask(double seconds, int left);

#endif
