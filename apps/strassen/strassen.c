/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen - the product C = A B of matrices by Strassen's method on unequal ranks, cut
 * as a file says; and the times of products and messages from which a partition is
 * planned.
 */
#include "apps/common/app.h"
#include "motley/error.h"
#include "options.h"
#include "tasks.h"

#include <cblas.h>
#include <stdlib.h>

static bool check_options(void *self)
{
    return strassen_options_check(self);
}

static int run(void *self)
{
    const struct strassen_options *options = self;
    struct mt_error err = {0};
    const bool good = options->task == STRASSEN_MULTIPLY
                          ? strassen_multiply(options)
                          : strassen_agree(strassen_measure(options, &err), &err);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct strassen_options options = {.task = STRASSEN_MULTIPLY, .seed = 1};
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_STRING, &options.size, 0,
         "rows and columns: C is M x N, A is M x K, and B is K x N", "N|MxNxK"},
        {"cut", '\0', POPT_ARG_STRING, &options.partition, 0,
         "how the matrices are cut, see motley-cut(5); without it in equal blocks",
         "FILE"},
        {"seed", 's', POPT_ARG_INT, &options.seed, 0, "of A and B", "S"},
        {"integers", '\0', POPT_ARG_NONE, &options.integers, 0,
         "A and B of small integers, and a check that C is exact", NULL},
        {"a", '\0', POPT_ARG_STRING, &options.a, 0,
         "read A (Matrix Market, array real general)", "FILE"},
        {"b", '\0', POPT_ARG_STRING, &options.b, 0, "read B", "FILE"},
        {"c", '\0', POPT_ARG_STRING, &options.c, 0, "write C", "FILE"},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0, "compare C t with A (B t)",
         NULL},
        {"product", '\0', POPT_ARG_VAL, &options.task, STRASSEN_PRODUCT,
         "time a product on each rank", NULL},
        {"levels", '\0', POPT_ARG_INT, &options.levels, 0, "of Strassen in it", "L"},
        {"transfer", '\0', POPT_ARG_VAL, &options.task, STRASSEN_TRANSFER,
         "time an N x N matrix from one rank to another", NULL},
        {"exchange", '\0', POPT_ARG_VAL, &options.task, STRASSEN_EXCHANGE,
         "time two that pass each other", NULL},
        {"overlap", '\0', POPT_ARG_VAL, &options.task, STRASSEN_OVERLAP,
         "time these, and products on both ranks that alone take as long", NULL},
        {"repeat", 'r', POPT_ARG_INT, &options.repeat, 0, "the median of so many times",
         "R"},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the matrices (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"strassen", table, check_options, run, &options};
    openblas_set_num_threads(1); /* a rank has one core */
    const int status = app_main(&app, argc, argv);
    strassen_options_clear(&options);
    return status;
}
