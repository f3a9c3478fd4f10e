/* SPDX-License-Identifier: BSD-3-Clause */
/* strassen_options.h - what strassen is asked to do. */
#ifndef MT_APPS_STRASSEN_OPTIONS_H
#define MT_APPS_STRASSEN_OPTIONS_H

#include "apps/common/arguments.h"

#include <motley/partition.h>

#include <stdbool.h>

enum strassen_task {
    STRASSEN_MULTIPLY, /* on all ranks */
    STRASSEN_PRODUCT,  /* time one on each rank */
    STRASSEN_TRANSFER, /* time a matrix from rank to rank */
    STRASSEN_EXCHANGE  /* and back at the same time */
};

/* Paths are owned; NULL: not given. */
struct strassen_options {
    enum strassen_task task;
    struct mt_partition_product sizes; /* 0: those of the files */
    int seed, levels, repeat;
    bool check, integers, model_only;
    char *partition, *a, *b, *c;
};

/* Read argv, on `ranks` ranks; rank 0 says what is wrong. */
enum arguments_outcome strassen_options_read(struct strassen_options *options,
                                             int ranks, int argc, char **argv);
void strassen_options_clear(struct strassen_options *options);

#endif
