/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - what strassen is asked to do. */
#ifndef MT_APPS_STRASSEN_OPTIONS_H
#define MT_APPS_STRASSEN_OPTIONS_H

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
    char *partition, *a, *b, *c;     /* paths */

    struct mt_partition_product sizes; /* as `size` says; 0: those of the files */
};

/* Whether they make sense together and on this many ranks; rank 0 says what is wrong.
 */
bool strassen_options_check(struct strassen_options *options);
void strassen_options_clear(struct strassen_options *options);

#endif
