/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of all kinds while ranks are late in turn: the numbers are right. */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { MOST = 40000 };

static int rank, size, calls;

static void sum(const char *what, MPI_Comm comm, int count, int root)
{
    static double mine[MOST], all[MOST];
    int here, ranks;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &ranks);
    calls++;
    for (int i = 0; i < count; i++) {
        mine[i] = here + i % 7 + calls % 5;
        all[i] = -1;
    }
    /* MPICH 4.0 crashes where another rank than 0 reduces in place. */
    const bool in_place = here == 0 && root == 0 && calls % 3 == 0;
    if (in_place)
        memcpy(all, mine, (size_t)count * sizeof *all);
    const int status = MPI_Reduce(in_place ? MPI_IN_PLACE : mine, all, count,
                                  MPI_DOUBLE, MPI_SUM, root, comm);
    check(status == MPI_SUCCESS, "%s: status %d", what, status);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        const double right =
            here == root ? ranks * (ranks - 1) / 2.0 + ranks * (i % 7 + calls % 5) : -1;
        wrong += all[i] != right;
    }
    check(wrong == 0, "%s: %d of %d numbers are wrong, root %d", what, wrong, count,
          root);
}

static void late_sums(const char *what, MPI_Comm comm, int late, int n)
{
    static const int counts[] = {256, 100, 1, 3000, 2001, MOST};
    int here, ranks;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < n; i++) {
        if (here == late % ranks)
            usleep(500);
        sum(what, comm, i % 2 ? counts[i / 2 % 6] : 300, i % 5 ? 0 : i % ranks);
        if (late < 3) /* otherwise early ranks run ahead */
            MPI_Barrier(comm);
    }
}

/* All ranks wait for one rank here, so that the library sets up for reductions. */
static void wait_long(void)
{
    if (rank == size - 1)
        usleep(2000000);
    sum("after a long wait", MPI_COMM_WORLD, MOST, 0);
}

/* Numbers of 4 bytes. */
static void expect(MPI_Op op, MPI_Datatype type, int root, int right)
{
    int mine[600], all[600];
    for (int i = 0; i < 600; i++) {
        mine[i] = rank + 1;
        all[i] = -1;
    }
    MPI_Reduce(mine, all, 600, type, op, root, MPI_COMM_WORLD);
    for (int i = 0; i < 600; i++)
        check(all[i] == (rank == root ? right : -1), "number %d is %d, not %d", i,
              all[i], right);
}

static void operations(void)
{
    int bits = 0;
    for (int i = 1; i <= size; i++)
        bits |= i;
    for (int i = 0; i < 15; i++) {
        expect(MPI_MAX, MPI_INT, 0, size);
        expect(MPI_MIN, MPI_INT32_T, 0, 1);
        expect(MPI_BOR, MPI_UNSIGNED, i % size, bits);
        expect(MPI_LAND, MPI_INT, size - 1, 1);
    }
}

/* The left one of two: an operation whose order counts. */
static void left(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    memcpy(inout, in, (size_t)*length * (size_t)bytes);
}

/* Calls that the library leaves to the MPI, between others. */
static void other_operations(void)
{
    struct {
        double value;
        int place;
    } here = {rank % 3, rank}, most = {0, 0};
    const int mine[600] = {rank + 7};
    int first[600] = {0};
    MPI_Op op;
    MPI_Datatype pair;
    MPI_Op_create(left, 0, &op);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 40; i++) {
        MPI_Reduce(mine, first, 600, MPI_INT, op, 0, MPI_COMM_WORLD);
        check(rank || first[0] == 7, "the first is %d", first[0]);
        MPI_Reduce(mine, first, 300, pair, op, 0, MPI_COMM_WORLD);
        MPI_Reduce(&here, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
        check(rank || most.place == (size > 2 ? 2 : size - 1), "the largest is of %d",
              most.place);
        MPI_Reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        sum("between other operations", MPI_COMM_WORLD, 257, 0);
    }
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wait_long();
    late_sums("one late rank", MPI_COMM_WORLD, 1, 300);
    for (int late = 0; late < size; late += 1 + size / 6)
        late_sums("late in turn", MPI_COMM_WORLD, late, 12);
    operations();
    other_operations();

    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
    late_sums("in a part", part, 0, 180);
    for (int i = 0; i < 5; i++) { /* broadcasts in between */
        int number = rank == 0 ? i : -1;
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        check(number == i, "broadcast %d, not %d", number, i);
        late_sums("between broadcasts", MPI_COMM_WORLD, i, 6);
    }
    MPI_Comm_free(&part);
    return check_finish();
}
