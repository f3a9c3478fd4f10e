/* SPDX-License-Identifier: BSD-3-Clause */
/* A message of more than 2 GiB, whose bytes no int can count. Most of it is zero, so
   that the sender's needs no memory. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { PIECE = 1 << 20, PIECES = 2049, MARK = 1024 };
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unbalance(MPI_COMM_WORLD);
    char *buffer = calloc(PIECES, PIECE);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Datatype piece;
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_commit(&piece);
    for (uint32_t i = 0; rank == 0 && i < PIECES; i++)
        message_fill(buffer + (size_t)i * PIECE, MARK, i);
    MPI_Bcast(buffer, PIECES, piece, 0, MPI_COMM_WORLD);
    for (uint32_t i = 0; i < PIECES; i++)
        check(message_is(buffer + (size_t)i * PIECE, MARK, i), "MiB %u is wrong", i);
    MPI_Type_free(&piece);
    free(buffer);
    unbalance(MPI_COMM_WORLD);
    return check_finish();
}
