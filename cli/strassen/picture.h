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

/* In letters, to stdout; strassen_letters.c. */
void mt_strassen_draw_letters(const struct mt_strassen_choice *choice,
                              const struct mt_strassen_question *question);

/* "ohtaki-3: auto, 12000 x 12000, predicted 140.2 s (simulated)". */
enum { MT_STRASSEN_TITLE = 256 };
const char *mt_strassen_title(char title[MT_STRASSEN_TITLE],
                              const struct mt_strassen_choice *choice,
                              const struct mt_strassen_question *question);
/* "xeon-2.4: 4 ranks, 44.5 %": a group's part of C. */
const char *mt_strassen_legend(char text[MT_STRASSEN_TITLE], int group,
                               const struct mt_strassen_choice *choice,
                               const struct mt_strassen_question *question);
bool mt_strassen_uses(const struct mt_strassen_question *question, int group);

#endif
