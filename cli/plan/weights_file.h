/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights_file.h - the weights of ranks as files that programs and partitioners read.
 */
#ifndef MT_CLI_WEIGHTS_FILE_H
#define MT_CLI_WEIGHTS_FILE_H

#include "motley/error.h"

enum mt_weights_format {
    MT_WEIGHTS_LIST,  /* a weight a line */
    MT_WEIGHTS_METIS, /* for gpmetis -tpwgts: shares of the whole */
    MT_WEIGHTS_OPENFOAM
};

/* The format of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_weights_format_parse(enum mt_weights_format *format,
                                          const char *name, struct mt_error *err);

/* Write the weights of `count` ranks, in their order, into a file. */
MT_MUST_CHECK int mt_weights_write(const double *weights, int count,
                                   enum mt_weights_format format, const char *path,
                                   struct mt_error *err);

#endif
