/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_choice.h - the best partition of each kind, and what is expected of it.
 */
#ifndef MT_CLI_STRASSEN_CHOICE_H
#define MT_CLI_STRASSEN_CHOICE_H

#include "question.h"

#include "motley/error.h"
#include "motley/partition.h"

/* Zeroed is empty. */
struct mt_strassen_choice {
    struct mt_partition partition;
    struct mt_partition_forecast forecast;
};
/* `choice` must be empty. */
MT_MUST_CHECK int mt_strassen_choose(struct mt_strassen_choice *choice,
                                     enum mt_partition_kind kind,
                                     const struct mt_strassen_question *question,
                                     struct mt_error *err);
void mt_strassen_choice_clear(struct mt_strassen_choice *choice);

/* Those of all kinds; the caller clears each, also after a failure. `choices` are
   empty. */
MT_MUST_CHECK int mt_strassen_choose_all(
    struct mt_strassen_choice choices[MT_PARTITION_KINDS],
    const struct mt_strassen_question *question, struct mt_error *err);
/* The fastest; of equally fast ones the first. */
enum mt_partition_kind mt_strassen_best(
    const struct mt_strassen_choice choices[MT_PARTITION_KINDS]);

/* What unequal ranks could gain over equal blocks if the computation were shared
   without loss, and the communication stayed as it is (Ohtaki et al. 2004). */
struct mt_strassen_ideal {
    double heterogeneity; /* mean speed / speed of the slowest */
    double communication; /* share of the time with equal blocks */
    double gain;          /* time with equal blocks / ideal time - 1 */
};
struct mt_strassen_ideal mt_strassen_ideal(const struct mt_partition_forecast *equal);

/* Sum of height and width of all tiles, and the least that any rectangles of these
   areas have. */
double mt_strassen_perimeters(const struct mt_partition *partition);
double mt_strassen_least_perimeters(const struct mt_partition *partition);

#endif
