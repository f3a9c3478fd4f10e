/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - what the program is started for: a product on all ranks, from the
 * matrices to its check (multiply.c), or what a plan has to know, times of products, of
 * messages, and of both together (measure.c).
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

/* Whether all went well; if not, one rank has said why. Collective. */
bool strassen_multiply(const struct strassen_options *options);

/* Take the time that the task is about, and print it. Collective. */
MT_MUST_CHECK int strassen_measure(const struct strassen_options *options,
                                   struct mt_error *err);

/* Whether `status` is MT_OK on all ranks; if not, the first one where it is not prints
   its error. Collective. */
bool strassen_agree(int status, const struct mt_error *err);

#endif
