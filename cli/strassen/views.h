/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * views.h - output of plan and run: choices, ranks, and the picture of a partition.
 */
#ifndef MT_CLI_STRASSEN_VIEWS_H
#define MT_CLI_STRASSEN_VIEWS_H

#include "cli/common/view.h"
#include "lib/partition/question.h"

#include <jansson.h>

/* The calibration of the nodes, in the order of the ranks; and with several ranks a
   line on the network. */
struct mt_view mt_strassen_known_view(const struct mt_strassen_question *question);
void mt_strassen_print_network(const struct mt_strassen_question *question);

/* The best partition of each kind. */
struct mt_view mt_strassen_choices_view(const struct mt_strassen_choices *choices,
                                        const struct mt_strassen_question *question);
/* The best of all, and the ideal gain: two lines. */
void mt_strassen_print_verdict(const struct mt_strassen_choices *choices);

/* Draw the ranks' rectangles of C into `target`, see mt_plot_check(). */
MT_MUST_CHECK int mt_strassen_draw(const struct mt_strassen_choice *choice,
                                   const struct mt_strassen_question *question,
                                   const char *target, struct mt_error *err);

/* The product and its ranks: two lines on stdout, or an object to which more is added.
 */
void mt_strassen_print_question(const struct mt_strassen_question *question);
json_t *mt_strassen_question_json(const struct mt_strassen_question *question);

/* The parts of each rank's time; `actual`, of every rank, is NULL before a run. */
json_t *mt_strassen_ranks_json(const struct mt_strassen_question *question,
                               const struct mt_strassen_choice *choice,
                               const struct mt_partition_times *actual);
/* The same as a table, equal ranks merged, for all non-empty choices. */
MT_MUST_CHECK int mt_strassen_ranks_print(const struct mt_strassen_question *question,
                                          const struct mt_strassen_choice *choices,
                                          int count, struct mt_error *err);
/* The same for one choice that was run. */
MT_MUST_CHECK int mt_strassen_ranks_compare(const struct mt_strassen_question *question,
                                            const struct mt_strassen_choice *choice,
                                            const struct mt_partition_times *actual,
                                            struct mt_error *err);

#endif
