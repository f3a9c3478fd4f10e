/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes are a grid of q x q, and have a block each of A, B and C. In each of q
 * steps, every column of processes passes a block of B down until all have it; all
 * multiply; and every row of processes passes a sum along, to which each adds its
 * product, until it is a block of C.
 *
 * In step s it is the turn of C's column of blocks s, for which column k of the
 * processes needs B's block (k, s). The block starts at row s + k (modulo q) and goes
 * down from there. The sum starts at the first owner of the block, continues with the
 * process that got it last, and ends at the one that got it first, which starts the
 * next step. So steps do not overlap, and each takes 2 (q - 1) consecutive messages
 * between neighbours.
 */
#include "matmul.h"

#include <mpi.h>

/* A process's position in the grid. */
struct place {
    int edge, row, column;
};

static int modulo(int number, int edge)
{
    return (number % edge + edge) % edge;
}

static struct place find_place(const struct matmul *matmul)
{
    const int edge = matmul->parts[0];
    return (struct place){edge, matmul->rank / edge, matmul->rank % edge};
}

/* The rank `rows` and `columns` further on. */
static int neighbour(const struct place *place, int rows, int columns)
{
    return modulo(place->row + rows, place->edge) * place->edge +
           modulo(place->column + columns, place->edge);
}

static bool cut(struct matmul *matmul)
{
    int edge = 1;
    while (edge * edge < matmul->ranks)
        edge++;
    matmul->parts[0] = matmul->parts[1] = edge;
    return edge * edge == matmul->ranks;
}

/* Set the place of `block` in its matrix. */
static void set_block(struct matmul_block *block, const struct matmul *matmul, int row,
                      int column)
{
    const int edge = matmul->parts[0];
    block->rows = matmul_range_part(matmul->size, edge, row);
    block->columns = matmul_range_part(matmul->size, edge, column);
}

static void lay_out(struct matmul *matmul)
{
    const struct place place = find_place(matmul);
    const int own_step = modulo(place.row - place.column, place.edge);
    set_block(&matmul->a, matmul, place.row, place.column);
    set_block(&matmul->b, matmul, place.column, own_step);
    set_block(&matmul->c, matmul, place.row, modulo(own_step - 1, place.edge));
    matmul->guest = matmul->b;
    matmul->partial = matmul->c;
}

static void receive(struct matmul_block *block, int rank)
{
    MPI_Recv(block->values, (int)matmul_block_count(block), MPI_DOUBLE, rank, 0,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Send only when the receiver is ready, even a short message, so that the time grows
   steadily with the size. */
static void send(const struct matmul_block *block, int rank)
{
    MPI_Ssend(block->values, (int)matmul_block_count(block), MPI_DOUBLE, rank, 0,
              MPI_COMM_WORLD);
}

/* Get the block of B for this step, which `turn` processes have before this one. */
static const struct matmul_block *distribute(struct matmul *matmul,
                                             const struct place *place, int step,
                                             int turn)
{
    struct matmul_block *block = turn == 0 ? &matmul->b : &matmul->guest;
    set_block(block, matmul, place->column, step);
    if (turn > 0)
        receive(block, neighbour(place, -1, 0));
    if (turn < place->edge - 1)
        send(block, neighbour(place, 1, 0));
    return block;
}

/* Receive the sum of `turn` processes before this one, add this one's product, and pass
   it on. */
static void collect(struct matmul *matmul, const struct place *place,
                    struct matmul_block *sum, int turn)
{
    if (turn > 0) {
        struct matmul_block *before = &matmul->guest;
        before->rows = sum->rows;
        before->columns = sum->columns;
        receive(before, neighbour(place, 0, -1));
        matmul_block_add(&matmul->node, before, sum);
    }
    if (turn < place->edge - 1)
        send(sum, neighbour(place, 0, 1));
}

static void multiply(struct matmul *matmul)
{
    const struct place place = find_place(matmul);
    for (int step = 0; step < place.edge; step++) {
        const int turn = modulo(place.row - place.column - step, place.edge);
        const int sum_turn = modulo(-turn, place.edge);
        const struct matmul_block *block = distribute(matmul, &place, step, turn);
        struct matmul_block *sum = &matmul->c;
        if (sum_turn < place.edge - 1) {
            sum = &matmul->partial;
            set_block(sum, matmul, place.row, step);
            if (!matmul->node.model_only)
                matmul_block_zero(sum);
        }
        matmul_block_multiply(&matmul->node, matmul->blas, &matmul->a, block, sum);
        collect(matmul, &place, sum, sum_turn);
    }
}

const struct matmul_method matmul_grid = {"B", cut, lay_out, multiply};
