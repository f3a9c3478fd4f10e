/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - the actions of 'motley strassen', and the picture of a plan.
 */
#ifndef MT_CLI_STRASSEN_H
#define MT_CLI_STRASSEN_H

#include "cli/common/action.h"
#include "cli/plot/plot_tiles.h"
#include "lib/partition/question.h"

/* Each is in the file of its name, and in the table of strassen.c. */
extern const struct mt_action mt_strassen_measure, mt_strassen_plan, mt_strassen_report,
    mt_strassen_run;

/* Which rank has which rectangle of C: `use` is called with it. In picture.c, as what
   follows. */
MT_MUST_CHECK int mt_strassen_tiles(const struct mt_strassen_choice *choice,
                                    const struct mt_strassen_question *question,
                                    mt_tiles_use *use, void *to, struct mt_error *err);

/* Draw it into `target`, as mt_plot_check() knows it. */
MT_MUST_CHECK int mt_strassen_draw(const struct mt_strassen_choice *choice,
                                   const struct mt_strassen_question *question,
                                   const char *target, struct mt_error *err);

#endif
