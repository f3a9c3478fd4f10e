/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detail.h - every choice of the trials of a combination, as a table for people.
 */
#ifndef HEHO_DETAIL_H
#define HEHO_DETAIL_H

#include "line.h"

MT_MUST_CHECK int detail_print(const struct combination *combination,
                               const struct trial *trials, int count, FILE *stream,
                               struct mt_error *err);

#endif
