/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast=auto as a whole, with invented times: all ranks take the same way at each call;
 * it is the faster one, even with late reports; a late rank ends up where no rank waits
 * for it; and only savings by the library's trees count.
 */
#include "preload/bcast/tree/tree.h"
#include "preload/common/method.h"
#include "tests/preload/programs/check.h"

#include <unistd.h>

enum { SMALL = 64, LARGE = 32768, HOP = 100000 };
static const int64_t US = 1000;

static int rank, ranks;

/* The times of the broadcasts: ns. */
static struct {
    int64_t native;   /* in the MPI's own broadcast, on each rank */
    int64_t overhead; /* of our trees, in addition to hops and waits */
    int late;         /* the rank that comes late; -1: none */
    int64_t lateness;
    bool slow; /* all ranks except one take long to leave a call */
} world;

/* A rank's times for a message that takes HOP from rank to rank. */
static struct bcast_timing along(const struct tree *tree, int root)
{
    int64_t sum = 0;
    for (int r = rank; r != root; r = tree->parent[r]) {
        const int parent = tree->parent[r];
        const int64_t enters = parent == world.late ? world.lateness : 0;
        sum = (sum > enters ? sum : enters);
        sum += HOP;
    }
    const int64_t entered = rank == world.late ? world.lateness : 0;
    const int64_t waited = rank != root && sum > entered ? sum - entered : 0;
    return (struct bcast_timing){.waited = waited, .in_call = waited + world.overhead};
}

/* All ranks have the same tree, or none. */
static void check_agreement(const struct tree *tree)
{
    int least[2], most[2];
    const int mine[2] = {tree != NULL, tree ? tree->parent[ranks - 1] : 0};
    MPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check(least[0] == most[0] && least[1] == most[1], "ranks go different ways");
}

/* One broadcast; returns its tree, NULL: the MPI's own. */
static const struct tree *call_once(struct method *method, size_t bytes, int root)
{
    const struct bcast_call call = {.message = {.bytes = bytes}, .root = root};
    const struct tree *tree = NULL;
    struct bcast_timing timing = {0};
    int status = MPI_SUCCESS;
    if (!method->kind->is_idle(method, &call)) {
        tree = method->kind->route(method, &call, &status);
        timing = (struct bcast_timing){.waited = rank == root ? 0 : world.native,
                                       .in_call = world.native};
        if (tree)
            timing = along(tree, root);
    }
    check(status == MPI_SUCCESS, "route fails: %d", status);
    check_agreement(tree);
    if (world.slow && rank != root)
        usleep(1000);
    const int64_t before = method->kind->saved(method);
    method->kind->learn(method, &call, &timing);
    check(tree || method->kind->saved(method) == before,
          "the MPI's own broadcast has saved %lld ns",
          (long long)(method->kind->saved(method) - before));
    /* cppcheck-suppress returnDanglingLifetime; the tree is the method's */
    return tree;
}

/* The number of calls, of `calls`, that took a tree. */
static int count_trees(struct method *method, size_t bytes, int root, int calls)
{
    int trees = 0;
    for (int i = 0; i < calls; i++)
        trees += call_once(method, bytes, root) != NULL;
    return trees;
}

/* One of our trees, in which known late ranks are leaves. */
static const struct tree *some_tree(struct method *method)
{
    const struct tree *tree = NULL;
    for (int i = 0; i < 10 && !tree; i++)
        tree = call_once(method, LARGE, 0);
    if (!tree)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return tree;
}

/* The first inner rank comes late from then on. */
static void faster_way_is_taken(struct method *method)
{
    world.native = 9000 * US;
    world.late = -1;
    const struct tree *first = some_tree(method);
    int late = 1;
    while (late < ranks - 1 && first->first[late] < 0)
        late++;
    check(first->first[late] >= 0, "there is no inner rank to be late");
    world.late = late;
    world.lateness = 5000 * US;
    count_trees(method, LARGE, 0, 300);
    check(count_trees(method, LARGE, 0, 100) > 80, "our trees are faster");
    check(some_tree(method)->first[late] < 0, "others wait for the rank that is late");
    check(method->kind->saved(method) > 0, "nothing is saved");
}

/* The leader makes its plan before it receives the reports on the last call. */
static void slower_trees_are_left_although_ranks_tell_late(struct method *method)
{
    world.late = -1;
    world.native = 20 * US;
    world.overhead = 500 * US;
    world.slow = true;
    count_trees(method, SMALL, 0, 300);
    check(count_trees(method, SMALL, 0, 100) < 20, "the MPI's broadcast is faster");
    world.slow = false;
    world.overhead = 0;
}

/* A second class of messages, for which the MPI's own broadcast is the faster way,
   while the first goes on as it is. */
static void each_class_has_its_own_way(struct method *method)
{
    world.late = -1;
    int large = 0, small = 0;
    for (int i = 0; i < 1200; i++) {
        world.overhead = 0;
        world.native = 2000 * US;
        large += call_once(method, LARGE, 0) != NULL && i >= 1000;
        world.overhead = 500 * US;
        world.native = 20 * US;
        small += call_once(method, SMALL, 0) != NULL && i >= 1000;
    }
    check(large > 150, "%d of 200 large messages took a tree", large);
    check(small < 50, "%d of 200 small messages took a tree", small);
}

static void another_root_leads(struct method *method)
{
    world.overhead = 0;
    world.native = 2000 * US;
    for (int i = 0; i < 200; i++)
        call_once(method, LARGE, i % ranks);
    count_trees(method, LARGE, 5, 200);
    check(count_trees(method, LARGE, 5, 100) > 80, "our trees from another root");
}

/* All ranks follow the leader, whatever their own setting. */
static void switched_off(struct method *method)
{
    count_trees(method, LARGE, 5, 200);
    method->kind->turn(method, rank != 5);
    count_trees(method, LARGE, 5, 100);
    check(count_trees(method, LARGE, 5, 100) == 0, "trees although switched off");
    method->kind->turn(method, true);
    count_trees(method, LARGE, 5, 1000);
    check(count_trees(method, LARGE, 5, 100) > 80, "no trees when switched on again");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct context context;
    context_init(&context, MPI_COMM_WORLD);
    static void (*const scenarios[])(struct method *) = {
        faster_way_is_taken, slower_trees_are_left_although_ranks_tell_late,
        each_class_has_its_own_way, another_root_leads, switched_off};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        struct method *method = method_auto.create(&context, false);
        if (!method)
            MPI_Abort(MPI_COMM_WORLD, 1);
        scenarios[i](method);
        method->kind->finish(method);
    }
    context_free(&context);
    return check_finish();
}
