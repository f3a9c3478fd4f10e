/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h - the ranks that make a product, as plan and run print them: who they are,
 * and where their time goes.
 */
#ifndef MT_CLI_STRASSEN_RANKS_H
#define MT_CLI_STRASSEN_RANKS_H

#include "cli/page/page.h"
#include "lib/partition/question.h"

#include <jansson.h>

/* The product and its ranks: two lines on stdout, or an object to which more is added.
 */
void mt_strassen_print_question(const struct mt_strassen_question *question);
json_t *mt_strassen_question_json(const struct mt_strassen_question *question);

/* Its members (cli/common/document.h). */
/* clang-format off */
#define MT_STRASSEN_QUESTION_MEMBERS \
    MT_VALUE("simulated", FLAG), MT_VALUE("cluster", TEXT), MT_VALUE("configuration", TEXT), \
    MT_VALUE("m", COUNT), MT_VALUE("n", COUNT), MT_VALUE("k", COUNT)
/* clang-format on */

/* Where the time goes in each rank; `actual`, of every rank, is NULL before a run. */
json_t *mt_strassen_ranks_json(const struct mt_strassen_question *question,
                               const struct mt_strassen_choice *choice,
                               const struct mt_partition_times *actual);
/* The same as a table, equal ranks together: of all choices that are not empty. */
MT_MUST_CHECK int mt_strassen_ranks_print(const struct mt_strassen_question *question,
                                          const struct mt_strassen_choice *choices,
                                          int count, struct mt_error *err);
/* And, of one, on a page. */
MT_MUST_CHECK int mt_strassen_ranks_put(struct mt_page *page,
                                        const struct mt_strassen_question *question,
                                        const struct mt_strassen_choice *choice,
                                        struct mt_error *err);
/* And of one that was made. */
MT_MUST_CHECK int mt_strassen_ranks_compare(const struct mt_strassen_question *question,
                                            const struct mt_strassen_choice *choice,
                                            const struct mt_partition_times *actual,
                                            struct mt_error *err);

#endif
