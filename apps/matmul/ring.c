/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every process has consecutive rows of A, B and C. It multiplies with its current rows
 * of B, passes them to the next process and gets those of the one before, until it has
 * used all rows. Nothing is computed during messages.
 */
#include "matmul.h"

#include <mpi.h>

static bool cut(struct matmul *matmul)
{
    matmul->parts[0] = matmul->ranks;
    matmul->parts[1] = 1;
    return true;
}

static void lay_out(struct matmul *matmul)
{
    matmul->a = (struct matmul_block){
        .rows = matmul_range_part(matmul->size, matmul->ranks, matmul->rank),
        .columns = {0, matmul->size},
    };
    matmul->b = matmul->c = matmul->guest = matmul->a;
}

/* Pass on the current rows of B, and receive those of rank `owner`, which the process
   before this one has. */
static void pass_on(struct matmul *matmul, int owner)
{
    const int ranks = matmul->ranks, next = (matmul->rank + 1) % ranks;
    const int previous = (matmul->rank + ranks - 1) % ranks;
    struct matmul_block *guest = &matmul->guest;
    guest->rows = matmul_range_part(matmul->size, ranks, owner);
    MPI_Sendrecv(matmul->b.values, (int)matmul_block_count(&matmul->b), MPI_DOUBLE,
                 next, 0, guest->values, (int)matmul_block_count(guest), MPI_DOUBLE,
                 previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const struct matmul_block sent = matmul->b;
    matmul->b = *guest;
    *guest = sent;
}

static void multiply(struct matmul *matmul)
{
    const int ranks = matmul->ranks;
    for (int step = 0; step < ranks; step++) {
        if (step > 0)
            pass_on(matmul, (matmul->rank + ranks - step) % ranks);
        matmul_block_multiply(&matmul->node, matmul->blas, &matmul->a, &matmul->b,
                              &matmul->c);
    }
}

const struct matmul_method matmul_ring = {"A", cut, lay_out, multiply};
