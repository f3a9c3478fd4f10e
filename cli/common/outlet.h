/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlet.h - where text leaves. Names, messages and results may come from programs,
 * files and stores of others: whatever is printed is cleaned on its way out (text.h),
 * so that nothing can drive the terminal. JSON loses nothing by it: its own escapes
 * stand for what would be lost (json.h).
 */
#ifndef MT_CLI_OUTLET_H
#define MT_CLI_OUTLET_H

#include "lib/base/draft.h"
#include "motley/error.h"

#include <stdio.h>

/* Clean what is printed on stdout and stderr from now on. They have no descriptors
   then: use STDOUT_FILENO and STDERR_FILENO, past which nothing goes. */
void mt_outlet_begin(void);

/* A file whose text is cleaned as it is written. Zeroed is empty. */
struct mt_outlet {
    FILE *stream;                /* owned; to write into */
    struct mt_draft draft;       /* owned; where that goes */
    struct mt_outlet_sink *sink; /* owned; what cleans it */
};
/* Begin to write the file, and end, as mt_draft_open() and mt_draft_close() say. */
MT_MUST_CHECK int mt_outlet_open(struct mt_outlet *outlet, const char *path,
                                 struct mt_error *err);
MT_MUST_CHECK int mt_outlet_close(struct mt_outlet *outlet, int status,
                                  struct mt_error *err);

#endif
