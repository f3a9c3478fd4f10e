/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen - the product C = A B of matrices by Strassen's method on unequal ranks, cut
 * as a file says; and the times of products and messages from which a partition is
 * planned.
 */
#include "agree.h"
#include "measure.h"
#include "multiply.h"
#include "options.h"

#include <cblas.h>
#include <mpi.h>
#include <stdlib.h>

static int run(const struct strassen_options *options)
{
    struct mt_error err = {0};
    const bool good = options->task == STRASSEN_MULTIPLY
                          ? strassen_multiply(options)
                          : strassen_agree(strassen_measure(options, &err), &err);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    openblas_set_num_threads(1); /* a rank has one core */
    struct strassen_options options = {.task = STRASSEN_MULTIPLY};
    int ranks, code = EXIT_SUCCESS;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    switch (strassen_options_read(&options, ranks, argc, argv)) {
    case ARGUMENTS_RUN:
        code = run(&options);
        break;
    case ARGUMENTS_HELPED:
        break;
    case ARGUMENTS_WRONG:
        code = 2;
        break;
    }
    strassen_options_clear(&options);
    MPI_Finalize();
    return code;
}
