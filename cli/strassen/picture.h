/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.h - a picture of a partition: which rank has which rectangle of C.
 */
#ifndef MT_CLI_STRASSEN_PICTURE_H
#define MT_CLI_STRASSEN_PICTURE_H

#include "lib/partition/question.h"

#include "motley/error.h"

/* Draw into `target`, as mt_plot_kind_find() says. */
MT_MUST_CHECK int mt_strassen_draw(const struct mt_strassen_choice *choice,
                                   const struct mt_strassen_question *question,
                                   const char *target, struct mt_error *err);

#endif
