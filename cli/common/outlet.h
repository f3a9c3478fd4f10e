/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlet.h - output of text. Names, messages and results may come from other people's
 * programs, files and stores, so all output is cleaned (text.h) and cannot drive the
 * terminal. JSON loses nothing: it escapes the characters that would be lost (json.h).
 */
#ifndef MT_CLI_OUTLET_H
#define MT_CLI_OUTLET_H

#include "lib/base/draft.h"
#include "motley/error.h"

#include <stdio.h>

/* Clean everything printed on stdout and stderr from now on. These streams then have no
   descriptors: use STDOUT_FILENO and STDERR_FILENO. */
void mt_outlet_begin(void);

/* A file whose text is cleaned as it is written. Empty if zeroed. */
struct mt_outlet {
    FILE *stream;                /* owned; to write into */
    struct mt_draft draft;       /* owned; where that goes */
    struct mt_outlet_sink *sink; /* owned; what cleans it */
};
/* Begin and end writing the file, as mt_draft_open() and mt_draft_close() do. */
MT_MUST_CHECK int mt_outlet_open(struct mt_outlet *outlet, const char *path,
                                 struct mt_error *err);
MT_MUST_CHECK int mt_outlet_close(struct mt_outlet *outlet, int status,
                                  struct mt_error *err);

#endif
