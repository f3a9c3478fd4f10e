/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_print.h - plans of products as tables and as JSON, and what both share with
 * the report of a run.
 */
#ifndef MT_CLI_STRASSEN_PRINT_H
#define MT_CLI_STRASSEN_PRINT_H

#include "choice.h"
#include "question.h"

#include "motley/error.h"

#include <jansson.h>

/* "12000 x 6000 x 3000 on xeon:4x1: " and the like: what is asked. To stdout. */
void mt_strassen_print_question(const struct mt_strassen_question *question);

/* All kinds of partitions: how long they take, and where the time goes. To stdout. */
MT_MUST_CHECK int mt_strassen_plan_print(const struct mt_strassen_choice *choices,
                                         const struct mt_strassen_question *question,
                                         struct mt_error *err);
MT_MUST_CHECK int mt_strassen_plan_json(const struct mt_strassen_choice *choices,
                                        const struct mt_strassen_question *question,
                                        struct mt_error *err);

/* New members of a JSON object that say what is asked. NULL: memory is short. */
json_t *mt_strassen_question_json(const struct mt_strassen_question *question);
/* A new array: each rank's group, share and predicted times, and, unless they are NULL,
   the measured ones. */
json_t *mt_strassen_ranks_json(const struct mt_strassen_question *question,
                               const struct mt_strassen_choice *choice,
                               const struct mt_partition_times *actual);

#endif
