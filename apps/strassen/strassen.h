/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - the tasks of the program: a product on all ranks, from the matrices to
 * its check (multiply.c), or measurements for a plan, of products, of messages, and of
 * both together (measure.c).
 */
#ifndef MT_APPS_STRASSEN_STRASSEN_H
#define MT_APPS_STRASSEN_STRASSEN_H

#include <motley/error.h>
#include <motley/partition.h>
#include <stdbool.h>

enum strassen_task {
    STRASSEN_MULTIPLY, /* on all ranks */
    STRASSEN_PRODUCT,  /* time one on each rank */
    STRASSEN_TRANSFER, /* time a matrix from rank to rank */
    STRASSEN_EXCHANGE, /* and back at the same time */
    STRASSEN_OVERLAP   /* and while both ranks multiply */
};

/* As popt reads them: strings are owned; NULL or 0: not given. */
struct strassen_options {
    int task; /* enum strassen_task */
    char *size;
    int seed, levels, repeat;
    int check, integers, model_only; /* flags */
    char *partition;                 /* a path */

    struct mt_partition_product sizes; /* as `size` says */
};

/* Whether it succeeded; if not, one rank has printed the reason. Collective. */
bool strassen_multiply(const struct strassen_options *options);

/* Measure and print the time of the task. Collective. */
MT_MUST_CHECK int strassen_measure(const struct strassen_options *options,
                                   struct mt_error *err);

/* Whether `status` is MT_OK on all ranks; if not, the first failed rank prints its
   error. Collective. */
bool strassen_agree(int status, const struct mt_error *err);

#endif
