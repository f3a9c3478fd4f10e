/* SPDX-License-Identifier: BSD-3-Clause */
/* The adaptation as a whole, on ranks that are only numbers here. */
#include "arrival.h"
#include "plan.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 128, HOME = 0, CLASS = 13 };

struct world {
    struct network network;
    int64_t enters[MOST_RANKS]; /* ns after the home rank */
    int64_t waited[MOST_RANKS], in_call[MOST_RANKS];
    int64_t ready[MOST_RANKS];
    struct plan plan;
    struct heard heard[MOST_RANKS];
};

static void world_init(struct world *world, int size, int64_t hop, int64_t gap)
{
    *world = (struct world){.network = {.size = size,
                                        .far = {.hop = {.base = hop}, .gap = {.base = gap}},
                                        .near = {.hop = {.base = hop},
                                                 .gap = {.base = gap}}}};
    plan_init(&world->plan);
}

/* Ranks are sent to in the tree's order, and nobody waits for who takes a message. */
static void broadcast(struct world *world, const struct tree *tree)
{
    const int64_t hop = world->network.far.hop.base, gap = world->network.far.gap.base;
    int64_t message[MOST_RANKS] = {0};
    int order[MOST_RANKS] = {HOME}, found = 1;
    for (int i = 0; i < found; i++) {
        const int rank = order[i];
        const int64_t enters = world->enters[rank];
        const bool waits = rank != HOME && message[rank] > enters;
        int64_t time = waits ? message[rank] : enters;
        world->waited[rank] = waits ? message[rank] - enters : 0;
        for (int c = tree->first[rank]; c >= 0; c = tree->next[c]) {
            message[c] = time + hop;
            time += gap;
            order[found++] = c;
        }
        world->in_call[rank] = time - enters;
    }
    assert_int_equal(found, world->network.size);
}

static int64_t mean_in_call(const struct world *world)
{
    int64_t sum = 0;
    for (int i = 0; i < world->network.size; i++)
        sum += world->in_call[i];
    return sum / world->network.size;
}

/* The mean time in the call with the tree for arrivals that are known beforehand. */
static int64_t ideal(const struct world *world)
{
    struct world known = *world;
    struct tree tree;
    assert_int_equal(tree_best(&tree, &known.network, HOME, plan_class_bytes(CLASS),
                               known.enters),
                     0);
    broadcast(&known, &tree);
    tree_free(&tree);
    return mean_in_call(&known);
}

static int64_t stock(const struct world *world)
{
    struct world other = *world;
    struct tree tree;
    assert_int_equal(tree_binomial(&tree, other.network.size, HOME, NULL), 0);
    broadcast(&other, &tree);
    tree_free(&tree);
    return mean_in_call(&other);
}

/* `calls` calls; the mean time in each of them is left in `means`. */
static void run(struct world *world, int calls, int64_t *means)
{
    const int size = world->network.size;
    struct tree tree = {0};
    int next_plan = world->plan.interval;
    int32_t built = -1;
    bool own = true;
    for (int call = 0; call < calls; call++) {
        if (call == next_plan) {
            const struct plan_basis basis = {.network = &world->network,
                                             .heard = world->heard,
                                             .tree = &tree,
                                             .call = call,
                                             .home = HOME,
                                             .class = CLASS,
                                             .on = true};
            assert_true(plan_next(&world->plan, world->ready, &basis) >= 0);
            next_plan = call + world->plan.interval;
        }
        if (built != world->plan.version) {
            tree_free(&tree);
            assert_int_equal(tree_best(&tree, &world->network, HOME,
                                       plan_class_bytes(CLASS), world->ready),
                             0);
            built = world->plan.version;
        }
        own = plan_uses_own(&world->plan, CLASS);
        if (own) {
            broadcast(world, &tree);
            means[call] = mean_in_call(world);
        } else {
            means[call] = stock(world);
        }
        for (int i = 0; i < size; i++)
            world->heard[i] = (struct heard){
                .version = world->plan.version,
                .own_calls = own,
                .stock_calls = !own,
                .waited = world->waited[i],
                .own_ns = means[call],
                .stock_ns = means[call],
            };
    }
    tree_free(&tree);
}

/* The first call after which, but for comparisons with the stock, all is within 5 %. */
static int rounds(const struct world *world, const int64_t *means, int calls)
{
    const int64_t wanted = ideal(world) * 105 / 100 + 1, slow = stock(world);
    int first = calls;
    for (int call = calls - 1; call >= 0 && (means[call] <= wanted || means[call] == slow);
         call--)
        first = call;
    return first;
}

static void one_late_rank_is_put_aside_within_eight_calls(void **state)
{
    (void)state;
    const int64_t gaps[] = {0, 500, 5000};
    for (int g = 0; g < 3; g++)
        for (int late = 1; late < MOST_RANKS; late++) {
            struct world world;
            int64_t means[60];
            world_init(&world, MOST_RANKS, 5000, gaps[g]);
            world.enters[late] = 1000000;
            run(&world, 60, means);
            const int needed = rounds(&world, means, 60);
            if (needed > 8)
                fail_msg("rank %d late, gap %lld: %d calls", late, (long long)gaps[g],
                         needed);
        }
}

static void random_arrivals_are_learned_within_twenty_calls(void **state)
{
    (void)state;
    int good = 0;
    for (int seed = 0; seed < 50; seed++) {
        struct world world;
        int64_t means[80];
        srand48(seed);
        world_init(&world, MOST_RANKS, 5000, 1000);
        for (int i = 1; i < MOST_RANKS; i++)
            world.enters[i] = (int64_t)(drand48() * 500000) - 100000;
        run(&world, 80, means);
        const int needed = rounds(&world, means, 80);
        print_message("seed %d: %d calls; first %lld last %lld ideal %lld stock %lld\n",
                      seed, needed, (long long)means[0], (long long)means[79],
                      (long long)ideal(&world), (long long)stock(&world));
        good += needed <= 20;
    }
    assert_in_range(good, 48, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_late_rank_is_put_aside_within_eight_calls),
        cmocka_unit_test(random_arrivals_are_learned_within_twenty_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
