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

/* The colour of a group's blocks, 0xRRGGBB; it is a little lighter or darker for ranks
   side by side. And black or white, whichever can be read on it: a contrast of 4.5 at
   least. */
unsigned mt_strassen_fill(int group, int place);
unsigned mt_strassen_ink(unsigned fill);

#endif
