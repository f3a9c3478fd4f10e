/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * question.h - a product on the ranks of a cluster, and the best partition of each kind
 * with its forecast. A table of ranks, with equal ones merged, shows their shares of
 * the product and their times.
 */
#ifndef MT_PARTITION_QUESTION_H
#define MT_PARTITION_QUESTION_H

#include "internal.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>

/* Empty if zeroed. It must stay where it is: `machine` points into it. */
struct mt_strassen_question {
    struct mt_cluster cluster;
    struct mt_configuration configuration;
    char *text; /* owned; the configuration's */
    struct mt_partition_product product;
    int most;                       /* of mt_partition_choose() */
    bool kinds[MT_PARTITION_KINDS]; /* of partitions that are compared */
    /* Filled in by mt_strassen_question_calibrate(): */
    int *groups;                         /* owned; of every rank */
    struct mt_strassen_speed *speeds;    /* owned; of every rank */
    struct mt_partition_cluster machine; /* the ranks, in the launcher's order */
    double measured[MT_PARTITION_KINDS]; /* median seconds of such products in the
                                            store; NaN: none was made */
};

/* Fill in the ranks of the configuration and their measurements in the store;
   MT_ENOTFOUND names a missing measurement. */
MT_MUST_CHECK int mt_strassen_question_calibrate(struct mt_strassen_question *question,
                                                 struct mt_store *store,
                                                 struct mt_error *err);
void mt_strassen_question_clear(struct mt_strassen_question *question);

/* Operations a second: of 2 m n k operations. */
double mt_strassen_flops(const struct mt_strassen_question *question, double seconds);

/* The program name in the store of products by `motley strassen run` with partitions of
   the kind. */
void mt_strassen_product_name(char name[32], enum mt_partition_kind kind);

/* Empty if zeroed. */
struct mt_strassen_choice {
    struct mt_partition partition;
    struct mt_partition_forecast forecast;
};
/* The best partition of the kind; `choice` must be empty. The caller clears it, also
   after a failure. */
MT_MUST_CHECK int mt_strassen_choose(struct mt_strassen_choice *choice,
                                     enum mt_partition_kind kind,
                                     const struct mt_strassen_question *question,
                                     struct mt_error *err);
void mt_strassen_choice_clear(struct mt_strassen_choice *choice);

/* The choice of each kind; empty if the question does not ask for it. */
struct mt_strassen_choices {
    struct mt_strassen_choice of[MT_PARTITION_KINDS];
    double seconds[MT_PARTITION_KINDS]; /* as measured, or else as predicted */
    /* The fastest kind, by measurements where available; except on simulated clusters,
       an unconfirmed prediction does not replace equal blocks. Ties go to the first. */
    enum mt_partition_kind best;
    enum mt_partition_kind
        promising; /* the same if all predictions hold: the kind to run next */
};
/* `choices` must be empty; the caller clears it, also after a failure. */
MT_MUST_CHECK int mt_strassen_choose_all(struct mt_strassen_choices *choices,
                                         const struct mt_strassen_question *question,
                                         struct mt_error *err);
void mt_strassen_choices_clear(struct mt_strassen_choices *choices);

/* The possible gain over equal blocks if the computation were shared ideally and the
   communication stayed the same (Ohtaki et al. 2004). */
struct mt_strassen_ideal {
    double heterogeneity; /* mean speed / speed of the slowest */
    double communication; /* share of the time with equal blocks */
    double gain;          /* time with equal blocks / ideal time - 1 */
};
struct mt_strassen_ideal mt_strassen_ideal(const struct mt_partition_forecast *equal);

/* The sum of height and width of all tiles, and a lower bound for rectangles of these
   areas. */
double mt_strassen_perimeters(const struct mt_partition *partition);
double mt_strassen_least_perimeters(const struct mt_partition *partition);

/* A row: ranks of one group with equally large parts of the product. */
struct mt_strassen_row {
    int group;
    char *ranks; /* owned; as "0-3,6" */
    int count;
    double share;                     /* of the product, mean of a rank */
    struct mt_partition_times times;  /* the mean; predicted */
    struct mt_partition_times actual; /* mean measured times; NaN: unknown */
};
/* Empty if zeroed. */
struct mt_strassen_rows {
    struct mt_strassen_row *rows; /* owned */
    int count;
};

/* The share of C of a rank. */
double mt_strassen_share(const struct mt_partition *partition, int rank);

/* Make the rows, in the order of their first ranks. `actual`, of every rank, may be
   NULL. `rows` must be empty. */
MT_MUST_CHECK int mt_strassen_rows_make(struct mt_strassen_rows *rows,
                                        const struct mt_strassen_question *question,
                                        const struct mt_strassen_choice *choice,
                                        const struct mt_partition_times *actual,
                                        struct mt_error *err);
void mt_strassen_rows_clear(struct mt_strassen_rows *rows);

#endif
