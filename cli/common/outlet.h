/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlet.h - where text leaves. Names, messages and results may come from programs,
 * files and stores of others: whatever is printed is cleaned on its way out (text.h),
 * so that nothing can drive the terminal. JSON loses nothing by it: its own escapes
 * stand for what would be lost (json.h).
 */
#ifndef MT_CLI_OUTLET_H
#define MT_CLI_OUTLET_H

#include "motley/error.h"

#include <stdio.h>

/* From now on clean what is printed on stdout and stderr, which have no descriptors
   then: use STDOUT_FILENO and STDERR_FILENO, past which nothing goes. */
void mt_outlet_begin(void);

/* Create the file, or empty it; what is written is cleaned. */
MT_MUST_CHECK int mt_outlet_open(FILE **stream, const char *path, struct mt_error *err);
/* Close it; `status` is what has happened so far, which is returned unless it is MT_OK
   and not all was written. */
MT_MUST_CHECK int mt_outlet_close(FILE *stream, const char *path, int status,
                                  struct mt_error *err);

#endif
