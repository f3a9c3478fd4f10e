/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers of all kinds while ranks are late in turn: every block is right,
 * and nothing else is touched. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 20000 };

static int rank, size;
static uint64_t drawn = 1;  /* the same on all ranks */
static MPI_Datatype column; /* an int, and one that is left out */

/* By both names in turn, where there are two. */
#if MPI_VERSION >= 4
static int calls;
#define GATHER(...) (calls++ % 2 ? MPI_Gather_c(__VA_ARGS__) : MPI_Gather(__VA_ARGS__))
#else
#define GATHER MPI_Gather
#endif

/* A block in memory: every int, or every second one, of which the others stay -1. */
static void fill(int *block, int ints, int step, int first)
{
    for (int i = 0; i < ints * step; i++)
        block[i] = first >= 0 && i % step == 0 ? first + i / step : -1;
}

static void check_block(const char *what, const int *block, int ints, int step,
                        int first)
{
    for (int i = 0; i < ints * step; i++) {
        const int right = first >= 0 && i % step == 0 ? first + i / step : -1;
        check(block[i] == right, "%s: %d is %d, not %d", what, i, block[i], right);
    }
}

static MPI_Datatype type_of(int step)
{
    return step == 1 ? MPI_INT : column;
}

struct shape {
    int ints, root, own_step, all_step;
    bool in_place;
};

static struct shape draw_shape(int ranks, int most)
{
    struct shape shape = {.ints = (int)draw(&drawn, (uint32_t)most + 1)};
    shape.root = (int)(draw(&drawn, 4) ? 0 : draw(&drawn, (uint32_t)ranks));
    shape.own_step = 1 + (int)draw(&drawn, 4) / 3;
    shape.all_step = 1 + (int)draw(&drawn, 4) / 3;
    shape.in_place = draw(&drawn, 5) == 0;
    if (rank % 2) /* ranks need not describe the same block alike */
        shape.own_step = 3 - shape.own_step;
    return shape;
}

static void gather(MPI_Comm comm, const struct shape *shape)
{
    int here, ranks;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &ranks);
    const int ints = shape->ints;
    const bool is_root = here == shape->root, in_place = is_root && shape->in_place;
    const size_t stride = (size_t)ints * (size_t)shape->all_step;
    int *own = malloc((size_t)ints * 2 * sizeof *own + 1);
    int *all = is_root ? malloc((size_t)ranks * stride * sizeof *all + 1) : NULL;
    fill(own, ints, shape->own_step, 100 * here);
    for (int k = 0; k < ranks && is_root; k++)
        fill(all + (size_t)k * stride, ints, shape->all_step,
             in_place && k == here ? 100 * k : -1);
    /* An argument that is ignored at a rank is an invalid type there. */
    GATHER(in_place ? MPI_IN_PLACE : own, in_place ? -1 : ints,
           in_place ? MPI_DATATYPE_NULL : type_of(shape->own_step), all,
           is_root ? ints : -1, is_root ? type_of(shape->all_step) : MPI_DATATYPE_NULL,
           shape->root, comm);
    for (int k = 0; k < ranks && is_root; k++)
        check_block("gathered", all + (size_t)k * stride, ints, shape->all_step,
                    100 * k);
    free(own);
    free(all);
}

static void share(MPI_Comm comm, int late, int n)
{
    int here, ranks;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < n; i++) {
        const struct shape shape = draw_shape(ranks, i % 50 ? 600 : MOST);
        if (here == late % ranks)
            usleep(300);
        gather(comm, &shape);
        if (i % 3) /* otherwise early ranks run ahead */
            MPI_Barrier(comm);
    }
}

/* The ranks wait for one rank here, so that the library sets up. */
static void wait_long(void)
{
    const struct shape shape = {.ints = MOST, .own_step = 1, .all_step = 1, .root = 0};
    if (rank == size - 1)
        usleep(2000000);
    gather(MPI_COMM_WORLD, &shape);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &column);
    MPI_Type_commit(&column);
    wait_long();
    for (int late = 0; late < size; late += 1 + size / 4)
        share(MPI_COMM_WORLD, late, 300);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
    share(part, 0, 400);
    MPI_Comm_free(&part);
    MPI_Type_free(&column);
    return check_finish();
}
