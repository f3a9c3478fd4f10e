/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions along trees, with any late rank: every root, plain types and operations,
 * in place and not, many at the same time; and by the way found to be faster.
 */
#include "check.h"
#include "preload/common/message.h"
#include "preload/rooted/rooted.h"
#include "scarce.h"

#include <stdint.h>
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

static struct tree tree_for(int root, const int64_t *arrival)
{
    void *memory = malloc((size_t)size * TREE_REDUCE_BYTES);
    struct tree tree;
    check(memory && tree_init(&tree, size) == 0, "no memory");
    tree_reduce(&tree, root, arrival, memory);
    free(memory);
    return tree;
}

/* With trees for any order of arrival. */
static void along_trees(struct transfer *transfer)
{
    int64_t *arrival = calloc((size_t)size, sizeof *arrival);
    unsigned seed = 1;
    for (int i = 0; i < 20 * size; i++) {
        const int count = i % 10 ? 1 + rand_r(&seed) % 1000 : MOST;
        struct reduction reduction = sum(count, i % size, i);
        for (int k = 0; k < size; k++)
            arrival[k] = rand_r(&seed) % 3 ? 0 : rand_r(&seed) % 1000000;
        const bool in_place = i % 3 == 0 && rank == reduction.root;
        for (int k = 0; k < count && in_place; k++)
            all[k] = mine[k];
        if (in_place)
            reduction.send = MPI_IN_PLACE;
        struct tree tree = tree_for(reduction.root, arrival);
        transfer_progress(transfer);
        check(climb(transfer, &reduction, &tree) == MPI_SUCCESS, "no reduction");
        check_sum("along a tree", &reduction, i);
        tree_free(&tree);
    }
    free(arrival);
}

/* A tree in which most ranks have others below them. */
static struct tree late_tree(int root)
{
    int64_t *arrival = calloc((size_t)size, sizeof *arrival);
    for (int k = 0; k < size; k++)
        arrival[k] = k * INT64_C(1000000);
    struct tree tree = tree_for(root, arrival);
    free(arrival);
    return tree;
}

static bool is_above(const struct tree *tree, int rank_above, int below)
{
    while (below >= 0 && below != rank_above)
        below = tree->parent[below];
    return below >= 0;
}

/* The result of a failed rank of the tree, and of those above it; the next reduction is
   not affected. `bytes` is this rank's idea of the size. */
static void fails(struct transfer *transfer, const struct tree *tree,
                  struct reduction *reduction, int failing, int right)
{
    const int code = climb(transfer, reduction, tree);
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    if (rank != failing)
        right = is_above(tree, rank, failing) ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    check(class == right, "rank %d fails, and the status is %d, not %d", failing, class,
          right);
    scarce_most_bytes = SIZE_MAX; /* if it was set */
    struct reduction next = sum(MOST, 0, 9);
    check(climb(transfer, &next, tree) == MPI_SUCCESS, "no reduction after a failure");
    check_sum("after a failure", &next, 9);
}

/* Memory for children's numbers is short, on the root and on each inner rank: with a
   reserve the reduction is right, without one it is an error. */
static void where_memory_is_short(struct transfer *transfer)
{
    struct tree tree = late_tree(0);
    for (int count = 300; count <= MOST; count += MOST - 300)
        for (int failing = 0; failing < size; failing++) {
            struct reduction reduction = sum(count, 0, failing);
            if (tree.first[failing] < 0)
                continue;
            if (rank == failing)
                scarce_most_bytes = reduction.bytes / 2;
            check(messages_begin() && climb(transfer, &reduction, &tree) == MPI_SUCCESS,
                  "no reduction by the reserve");
            check_sum("by the reserve", &reduction, failing);
            messages_end();
            reduction = sum(count, 0, failing);
            fails(transfer, &tree, &reduction, failing, MPI_ERR_NO_MEM);
        }
    tree_free(&tree);
}

/* The handler of MPI_COMM_WORLD, which would end the program, is not called. */
static void too_long(struct transfer *transfer)
{
    struct tree tree = late_tree(0);
    const int failing = size > 1 ? tree.first[0] : 0;
    struct reduction reduction = sum(rank == failing ? 200 : 100, 0, 1);
    fails(transfer, &tree, &reduction, 0, MPI_ERR_TRUNCATE);
    tree_free(&tree);
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
    check(context_init(&context, MPI_COMM_WORLD), "no context");
    struct transfer transfer;
    check(transfer_init(&transfer, &context) == 0, "no memory");
    along_trees(&transfer);
    where_memory_is_short(&transfer);
    too_long(&transfer);
    adapted(&transfer);
    context_free(&context);
    return check_finish();
}
