/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_question.h - what plan and run are asked: the product, and the ranks that
 * are to make it.
 */
#ifndef MT_CLI_STRASSEN_QUESTION_H
#define MT_CLI_STRASSEN_QUESTION_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/partition.h"

#include <stdbool.h>

/* Zeroed is empty. It must stay where it is. */
struct mt_strassen_question {
    struct mt_cluster cluster;
    struct mt_configuration configuration;
    char *text; /* owned; the configuration's */
    struct mt_partition_product product;
    int most;                            /* of mt_partition_choose() */
    int *groups;                         /* owned; of every rank */
    struct mt_strassen_speed *speeds;    /* owned; of every rank */
    struct mt_partition_cluster machine; /* the ranks, in the launcher's order */
    bool any;                            /* all kinds of partitions are wanted ... */
    enum mt_partition_kind kind;         /* ... otherwise this one */
};

/*
 * What the options ask of the cluster of that name, with what is known about it.
 * `question` must be empty; the caller clears it, also after a failure.
 */
MT_MUST_CHECK int mt_strassen_question_read(struct mt_strassen_question *question,
                                            const char *cluster, struct mt_error *err);
void mt_strassen_question_clear(struct mt_strassen_question *question);

/* Operations a second: of 2 m n k operations. */
double mt_strassen_flops(const struct mt_strassen_question *question, double seconds);

#endif
