/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cause.h - which lines of a failed program's output tell why it failed: not what
 * launchers say around any failure (that a process has failed, how to look further,
 * backtraces), unless they say nothing else.
 */
#ifndef MT_CLI_CAUSE_H
#define MT_CLI_CAUSE_H

#include <stddef.h>
#include <stdio.h>

/* Copy the first line that tells something; "" when there is no line. What does not fit
   is cut off. `output` is clean text (lib/base/text.h) or NULL. */
void mt_cause_line(char *line, size_t size, const char *output);
/* Print the lines, indented; of many, the first and the last. */
void mt_cause_print(const char *output, FILE *stream);

#endif
