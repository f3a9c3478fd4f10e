/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen - the product C = A B of matrices by Strassen's method on unequal ranks,
 * partitioned by a file; and the times of products and messages for planning a
 * partition.
 */
#include "strassen.h"

#include "apps/common/app.h"
#include "apps/common/work.h"
#include "matrix.h"

#include <cblas.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define complain(...) app_complain("strassen", __VA_ARGS__)

static const struct {
    const char *option;
    int ranks; /* 0: any number; as in a run, they may share a node */
} timings[] = {
    [STRASSEN_PRODUCT] = {"--product", 0},
    [STRASSEN_TRANSFER] = {"--transfer", 2},
    [STRASSEN_EXCHANGE] = {"--exchange", 2},
    [STRASSEN_OVERLAP] = {"--overlap", 2},
};

/* "N", or "MxNxK". */
static bool read_sizes(struct mt_partition_product *sizes, const char *text)
{
    int end = 0;
    if (sscanf(text, "%8d%n", &sizes->m, &end) == 1 && !text[end])
        sizes->n = sizes->k = sizes->m;
    else if (sscanf(text, "%8dx%8dx%8d%n", &sizes->m, &sizes->n, &sizes->k, &end) < 3 ||
             text[end])
        return false;
    return sizes->m >= 1 && sizes->n >= 1 && sizes->k >= 1 &&
           sizes->m <= STRASSEN_MAX_SIZE && sizes->n <= STRASSEN_MAX_SIZE &&
           sizes->k <= STRASSEN_MAX_SIZE;
}

static bool check_sizes(struct strassen_options *options)
{
    const char *text = options->size;
    if (!text)
        return complain("--size is missing");
    if (!read_sizes(&options->sizes, text))
        return complain("--size must be N or MxNxK, each between 1 and %d: '%s'",
                        STRASSEN_MAX_SIZE, text);
    return true;
}

static bool check_multiplication(const struct strassen_options *given)
{
    if (given->repeat)
        return complain("--repeat is for --product, --transfer, --exchange and "
                        "--overlap");
    if (given->levels)
        return complain(
            "--levels is for --product: the partition has the levels of each tile");
    if (given->model_only && (given->check || given->integers))
        return complain("--model-only leaves nothing to check");
    return true;
}

static bool check_timing(const struct strassen_options *given, int ranks)
{
    const char *option = timings[given->task].option;
    if (given->partition || given->check || given->integers)
        return complain("%s times only: no partition and no checks", option);
    if (timings[given->task].ranks && ranks != timings[given->task].ranks)
        return complain("%s takes %d ranks: '%d'", option, timings[given->task].ranks,
                        ranks);
    if (given->repeat < 0)
        return complain("--repeat must be at least 1: '%d'", given->repeat);
    if (given->levels && given->task != STRASSEN_PRODUCT)
        return complain("--levels is for --product");
    if (given->levels < 0 || given->levels > MT_STRASSEN_MAX_LEVELS)
        return complain("--levels must be between 0 and %d: '%d'",
                        MT_STRASSEN_MAX_LEVELS, given->levels);
    if (given->sizes.n != given->sizes.m || given->sizes.k != given->sizes.m)
        return complain("%s needs square matrices", option);
    return true;
}

/* Whether the options are consistent, and possible on this many ranks; rank 0 prints
   the reason. */
static bool check_options(void *self)
{
    struct strassen_options *options = self;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (options->seed < 0 || options->seed > STRASSEN_MAX_SEED)
        return complain("--seed must be between 0 and %d: '%d'", STRASSEN_MAX_SEED,
                        options->seed);
    if (options->model_only && !work_simulated)
        return complain("--model-only works in a simulation only");
    if (!check_sizes(options))
        return false;
    return options->task == STRASSEN_MULTIPLY ? check_multiplication(options)
                                              : check_timing(options, ranks);
}

static void clear_options(struct strassen_options *options)
{
    free(options->size);
    free(options->partition);
    *options = (struct strassen_options){.task = STRASSEN_MULTIPLY};
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
        {"seed", 's', POPT_ARG_INT, &options.seed, 0, "seed of A and B", "S"},
        {"integers", '\0', POPT_ARG_NONE, &options.integers, 0,
         "A and B of small integers, and a check that C is exact", NULL},
        {"check", 'c', POPT_ARG_NONE, &options.check, 0, "compare C t with A (B t)",
         NULL},
        {"product", '\0', POPT_ARG_VAL, &options.task, STRASSEN_PRODUCT,
         "time a product on each rank", NULL},
        {"levels", '\0', POPT_ARG_INT, &options.levels, 0,
         "Strassen levels of the product", "L"},
        {"transfer", '\0', POPT_ARG_VAL, &options.task, STRASSEN_TRANSFER,
         "time an N x N matrix from one rank to another", NULL},
        {"exchange", '\0', POPT_ARG_VAL, &options.task, STRASSEN_EXCHANGE,
         "time two matrices in opposite directions", NULL},
        {"overlap", '\0', POPT_ARG_VAL, &options.task, STRASSEN_OVERLAP,
         "time an exchange during products that take as long", NULL},
        {"repeat", 'r', POPT_ARG_INT, &options.repeat, 0, "the median of R times", "R"},
        {"model-only", '\0', POPT_ARG_NONE, &options.model_only, 0,
         "leave out the arithmetic and the matrices (simulated build)", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"strassen", table, check_options, run, &options};
    openblas_set_num_threads(1); /* a rank has one core */
    const int status = app_main(&app, argc, argv);
    clear_options(&options);
    return status;
}
