/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_cut_file.h - cuts in files, see motley-cut(5).
 */
#ifndef MT_CLI_STRASSEN_CUT_FILE_H
#define MT_CLI_STRASSEN_CUT_FILE_H

#include "motley/cut.h"
#include "motley/error.h"

MT_MUST_CHECK int mt_strassen_write_cut(const struct mt_cut *cut, const char *path,
                                        struct mt_error *err);
/* `cut` must be empty. */
MT_MUST_CHECK int mt_strassen_read_cut(struct mt_cut *cut, const char *path,
                                       struct mt_error *err);

#endif
