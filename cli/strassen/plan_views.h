/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_views.h - what 'motley strassen plan' prints, and 'motley strassen report' puts
 * on a page.
 */
#ifndef MT_CLI_STRASSEN_PLAN_VIEWS_H
#define MT_CLI_STRASSEN_PLAN_VIEWS_H

#include "cli/common/view.h"
#include "cli/plot/plot_tiles.h"
#include "lib/partition/question.h"

#include <stdio.h>

/* What is known of the nodes, in whose order the ranks are; and of the network, a line,
   where there are several ranks. */
struct mt_view mt_strassen_known_view(const struct mt_strassen_question *question);
void mt_strassen_print_network(const struct mt_strassen_question *question,
                               FILE *stream);

/* The best partition of each kind. */
struct mt_view mt_strassen_choices_view(const struct mt_strassen_choices *choices,
                                        const struct mt_strassen_question *question);
/* The best of all, and how good it could be: two lines. */
void mt_strassen_print_verdict(const struct mt_strassen_choices *choices, FILE *stream);

/* Which rank has which rectangle of C: `use` is called with it. */
MT_MUST_CHECK int mt_strassen_tiles(const struct mt_strassen_choice *choice,
                                    const struct mt_strassen_question *question,
                                    mt_tiles_use *use, void *to, struct mt_error *err);

/* Draw it into `target`, as mt_plot_check() knows it. */
MT_MUST_CHECK int mt_strassen_draw(const struct mt_strassen_choice *choice,
                                   const struct mt_strassen_question *question,
                                   const char *target, struct mt_error *err);

#endif
