/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions along trees, whoever is late: every root, plain types and operations, in
 * place and not, many on their way at the same time; and by whichever way was found to
 * be faster.
 */
#include "check.h"
#include "preload/rooted/climb.h"
#include "preload/rooted/order.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 17 };

static int rank, size;
static double mine[MOST], all[MOST];

static struct reduction sum(int count, int root, int seed)
{
    for (int i = 0; i < count; i++) {
        mine[i] = rank + i % 7 + seed % 5;
        all[i] = -1;
    }
    return (struct reduction){.send = mine,
                              .receive = all,
                              .count = count,
                              .type = MPI_DOUBLE,
                              .op = MPI_SUM,
                              .root = root,
                              .bytes = (size_t)count * sizeof(double)};
}

static void check_sum(const char *what, const struct reduction *done, int seed)
{
    int wrong = 0;
    for (int i = 0; i < done->count; i++) {
        const double right = size * (size - 1) / 2.0 + size * (i % 7 + seed % 5);
        wrong += all[i] != (rank == done->root ? right : -1);
    }
    check(wrong == 0, "%s: %d of %d numbers are wrong, root %d", what, wrong,
          done->count, done->root);
}

/* In trees of any order of arrival. */
static void along_trees(struct transfer *transfer)
{
    int64_t *arrival = calloc((size_t)size, sizeof *arrival);
    unsigned seed = 1;
    for (int i = 0; i < 20 * size; i++) {
        struct tree tree;
        const int count = i % 10 ? 1 + rand_r(&seed) % 1000 : MOST;
        struct reduction reduction = sum(count, i % size, i);
        for (int k = 0; k < size; k++)
            arrival[k] = rand_r(&seed) % 3 ? 0 : rand_r(&seed) % 1000000;
        const bool in_place = i % 3 == 0 && rank == reduction.root;
        for (int k = 0; k < count && in_place; k++)
            all[k] = mine[k];
        if (in_place)
            reduction.send = MPI_IN_PLACE;
        check(reduce_tree(&tree, size, reduction.root, arrival) == 0, "no memory");
        transfer_progress(transfer);
        check(climb(transfer, &reduction, &tree) == MPI_SUCCESS, "no reduction");
        check_sum("along a tree", &reduction, i);
        tree_free(&tree);
    }
    free(arrival);
}

static void adapted(struct transfer *transfer)
{
    struct adapted *adapted =
        adapted_new(&adapted_reductions, transfer, MPI_COMM_WORLD, false);
    check(adapted != NULL, "no memory");
    for (int i = 0; i < 400; i++) {
        const struct reduction reduction =
            sum(i % 5 ? 2048 : 1000, i % 20 ? 0 : i % size, i);
        if (rank == 1)
            usleep(300);
        check(adapted_carry(adapted, &reduction, reduction.bytes) == MPI_SUCCESS,
              "no reduction");
        check_sum("adapted", &reduction, i);
        if (i % 2 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        if (i == 200)
            adapted_turn(adapted, false);
    }
    check(transfer_finish(transfer) == MPI_SUCCESS, "what is on its way");
    adapted_free(adapted);
}

int main(int argc, char **argv)
{
    struct context context;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(context_init(&context, MPI_COMM_WORLD) == MPI_SUCCESS, "no context");
    struct transfer transfer = {.context = &context};
    along_trees(&transfer);
    adapted(&transfer);
    context_free(&context);
    return check_finish();
}
