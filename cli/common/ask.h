/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ask.h - a question that the user answers by yes or no.
 */
#ifndef MT_CLI_ASK_H
#define MT_CLI_ASK_H

#include <stdbool.h>

/* Whether the answer is yes. Where there is no terminal nobody is asked, and it is no;
   so it is when a signal comes meanwhile. */
bool mt_ask(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
