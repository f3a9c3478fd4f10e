/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that describe the same message with different counts and types.
 *
 *     mixed N...    messages of N ints each, multiples of 4
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* A rank's view of `n` ints: their places, in the order of the message. */
struct view {
    int count;
    MPI_Datatype type;
    int (*at)(int index, int n);
};

static int straight(int index, int n)
{
    (void)n;
    return index;
}

static int spread(int index, int n)
{
    (void)n;
    return 2 * index;
}

static int backwards(int index, int n)
{
    return n - 1 - index;
}

static int halves_swapped(int index, int n)
{
    return index < n / 2 ? index + n / 2 : index - n / 2;
}

static struct view view_of(int rank, int n)
{
    struct view view = {.count = 1, .at = straight};
    switch (rank % 5) {
    case 0:
        view.count = n;
        MPI_Type_dup(MPI_INT, &view.type);
        break;
    case 1:
        view.at = spread;
        MPI_Type_vector(n, 1, 2, MPI_INT, &view.type);
        break;
    case 2:
        view.count = n / 4;
        MPI_Type_contiguous(4, MPI_INT, &view.type);
        break;
    case 3:
        view.at = backwards;
        MPI_Type_create_hvector(n, 1, -(MPI_Aint)sizeof(int), MPI_INT, &view.type);
        break;
    default:
        view.at = halves_swapped;
        MPI_Type_indexed(2, (int[]){n / 2, n / 2}, (int[]){n / 2, 0}, MPI_INT,
                         &view.type);
    }
    MPI_Type_commit(&view.type);
    return view;
}

static void bcast(int *room, int n, int root, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    struct view view = view_of(rank, n);
    for (int i = 0; i < n; i++)
        room[view.at(i, n)] = rank == root ? root + i : -1;
    int *first = view.at == backwards ? room + n - 1 : room;
    MPI_Bcast(first, view.count, view.type, root, comm);
    bool right = true;
    for (int i = 0; i < n; i++)
        right = right && room[view.at(i, n)] == root + i;
    check(right, "%d ints from root %d are wrong", n, root);
    MPI_Type_free(&view.type);
}

/* Enough of the same size for an adapting library to have tried all its ways. */
static void bcasts(int *room, int n)
{
    MPI_Comm comm;
    int ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 8; i++) {
        bcast(room, n, 0, comm);
        bcast(room, n, ranks / 2, comm);
        bcast(room, n, ranks - 1, comm);
        MPI_Barrier(comm);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        const int n = (int)strtol(argv[i], NULL, 10);
        int *room = calloc((size_t)n, 2 * sizeof *room);
        if (!room)
            MPI_Abort(MPI_COMM_WORLD, 1);
        bcasts(room, n);
        free(room);
    }
    return check_finish();
}
