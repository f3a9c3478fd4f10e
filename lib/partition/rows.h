/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - the ranks of a partition, equal ones taken together: where the time goes,
 * and who has how much of the product.
 */
#ifndef MT_PARTITION_ROWS_H
#define MT_PARTITION_ROWS_H

#include "question.h"

#include "motley/error.h"
#include "motley/partition.h"

/* Ranks of one group with equally large parts of the product. */
struct mt_strassen_row {
    int group;
    char *ranks; /* owned; as "0-3,6" */
    int count;
    double share;                     /* of the product, of each; the mean */
    struct mt_partition_times times;  /* the mean; predicted */
    struct mt_partition_times actual; /* the mean; measured; NaN: unknown */
};
/* Zeroed is empty. */
struct mt_strassen_rows {
    struct mt_strassen_row *rows; /* owned */
    int count;
};

/* The share of C of a rank. */
double mt_strassen_share(const struct mt_partition *partition, int rank);

/* In the order of their first ranks. `actual`, of every rank, may be NULL. `rows` must
   be empty. */
MT_MUST_CHECK int mt_strassen_rows_make(struct mt_strassen_rows *rows,
                                        const struct mt_strassen_question *question,
                                        const struct mt_strassen_choice *choice,
                                        const struct mt_partition_times *actual,
                                        struct mt_error *err);
void mt_strassen_rows_clear(struct mt_strassen_rows *rows);

#endif
