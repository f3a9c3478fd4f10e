/* SPDX-License-Identifier: BSD-3-Clause */
/* The adaptation as a whole, on ranks that are only numbers here. */
#include "preload/bcast/auto/plan.h"
#include "tests/unit/preload/tree_cases.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 128, LEADER = 0, CLASS = 13 };

struct world {
    struct network network;
    int64_t
        native; /* ns in a call with the MPI's own broadcast; 0: as a binomial tree */
    int64_t noise; /* ns by which ranks enter earlier or later, changing at each call */
    int own_calls, plans, versions;
    int64_t enters[MOST_RANKS]; /* ns after the leader */
    int64_t waited[MOST_RANKS], in_call[MOST_RANKS];
    int64_t ready[MOST_RANKS];
    struct plan plan;
    struct rank_report reports[MOST_RANKS];
};

static void world_init(struct world *world, int size, int64_t hop, int64_t gap)
{
    *world = (struct world){
        .network = {.size = size,
                    .far = {.hop = {.base = hop}, .gap = {.base = gap}},
                    .near = {.hop = {.base = hop}, .gap = {.base = gap}}}};
    plan_init(&world->plan);
}

/* A rank sends in the tree's order, without waiting for the receivers. */
static void broadcast(struct world *world, const struct tree *tree)
{
    const int64_t hop = world->network.far.hop.base, gap = world->network.far.gap.base;
    int64_t message[MOST_RANKS] = {0};
    int order[MOST_RANKS] = {LEADER}, found = 1;
    for (int i = 0; i < found; i++) {
        const int rank = order[i];
        const int64_t noise =
            rank == LEADER ? 0 : (int64_t)(drand48() * (double)world->noise);
        const int64_t enters = world->enters[rank] + noise;
        const bool waits = rank != LEADER && message[rank] > enters;
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
    struct tree tree =
        make_best(&known.network, LEADER, plan_class_bytes(CLASS), known.enters);
    broadcast(&known, &tree);
    tree_free(&tree);
    return mean_in_call(&known);
}

static int64_t native(const struct world *world)
{
    if (world->native)
        return world->native;
    struct world other = *world;
    struct tree tree = make_binomial(other.network.size, LEADER, NULL);
    broadcast(&other, &tree);
    tree_free(&tree);
    return mean_in_call(&other);
}

/* Count a call into the means that a rank tells. */
static void hear(struct rank_report *heard, const struct world *world, int rank,
                 int64_t in_call)
{
    heard->plan = world->plan.call;
    heard->version = world->plan.version;
    heard->class = CLASS;
    heard->waits = ++heard->calls;
    heard->waited += (world->waited[rank] - heard->waited) / heard->calls;
    heard->in_call += (in_call - heard->in_call) / heard->calls;
}

/* `calls` calls; the mean time in each of them is left in `means`. */
static void run(struct world *world, int calls, int64_t *means)
{
    const int size = world->network.size;
    const int32_t first = world->plan.version;
    struct planner planner;
    assert_int_equal(planner_init(&planner, &world->network), 0);
    struct tree tree = {0};
    int next_plan = world->plan.interval;
    int32_t built = -1;
    bool own = true;
    for (int call = 0; call < calls; call++) {
        if (call == next_plan) {
            const struct plan_basis basis = {.network = &world->network,
                                             .planner = &planner,
                                             .reports = world->reports,
                                             .tree = &tree,
                                             .call = call,
                                             .leader = LEADER,
                                             .class = CLASS,
                                             .on = true};
            plan_next(&world->plan, world->ready, &basis);
            next_plan = call + world->plan.interval;
            world->plans++;
            memset(world->reports, 0, sizeof world->reports);
        }
        if (built != world->plan.version) {
            tree_free(&tree);
            tree = make_best(&world->network, LEADER, plan_class_bytes(CLASS),
                             world->ready);
            built = world->plan.version;
        }
        own = plan_uses_own(&world->plan, CLASS);
        world->own_calls += own;
        if (own) {
            broadcast(world, &tree);
            means[call] = mean_in_call(world);
        } else {
            means[call] = native(world);
        }
        for (int i = 0; i < size; i++)
            hear(&world->reports[i], world, i, means[call]);
    }
    world->versions = world->plan.version - first;
    tree_free(&tree);
    planner_free(&planner);
}

/* The first call after which, but for comparisons with the native, all is within 5 %.
 */
static int rounds(const struct world *world, const int64_t *means, int calls)
{
    const int64_t wanted = ideal(world) * 105 / 100 + 1, slow = native(world);
    int first = calls;
    for (int call = calls - 1;
         call >= 0 && (means[call] <= wanted || means[call] == slow); call--)
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
            /* two calls go before the first of these */
            if (needed > 6)
                fail_msg("rank %d late, gap %lld: %d calls", late, (long long)gaps[g],
                         needed);
            const int64_t wanted = ideal(&world) * 105 / 100 + 1;
            for (int call = 6; call < 50; call++)
                assert_true(means[call] <= wanted);
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
        good += rounds(&world, means, 80) <= 20;
        assert_true(means[79] * 10 < native(&world) * 3);
    }
    assert_in_range(good, 48, 50);
}

static void another_late_rank_is_found_within_an_interval(void **state)
{
    (void)state;
    struct world world;
    int64_t means[1000];
    world_init(&world, 64, 5000, 1000);
    world.enters[32] = 1000000;
    run(&world, 300, means);
    world.enters[32] = 0;
    world.enters[16] = 1000000;
    run(&world, 200, means);
    assert_true(rounds(&world, means, 200) <= 130);
}

static void the_mpis_own_broadcast_is_kept_where_it_is_faster(void **state)
{
    (void)state;
    struct world world;
    static int64_t means[20000];
    world_init(&world, 16, 5000, 1000);
    world.native = 8000;
    run(&world, 20000, means);
    assert_int_equal(world.plan.classes[CLASS].mode, PLAN_NATIVE);
    assert_in_range(world.own_calls, 4, 200);
    assert_in_range(world.plans, 10, 400);
    assert_false(plan_uses_own(&world.plan, CLASS - 3)); /* never compared */
}

static void our_trees_are_taken_up_again_when_a_rank_becomes_late(void **state)
{
    (void)state;
    struct world world;
    static int64_t means[5000];
    world_init(&world, 16, 5000, 1000);
    world.native = 8000;
    run(&world, 1000, means);
    assert_false(plan_uses_own(&world.plan, CLASS));
    world.native = 0;
    world.enters[8] = 1000000;
    world.plan.call = 0;
    for (int c = 0; c < PLAN_CLASSES; c++)
        world.plan.classes[c].look -= 1000; /* run() counts calls from 0 again */
    run(&world, 5000, means);
    assert_int_equal(world.plan.classes[CLASS].mode, PLAN_OWN);
    assert_true(means[4999] * 5 < native(&world));
}

static void noise_does_not_change_the_trees_for_long(void **state)
{
    (void)state;
    struct world world;
    static int64_t means[5000];
    srand48(1);
    world_init(&world, 64, 5000, 1000);
    world.noise = 20000;
    run(&world, 5000, means);
    assert_in_range(world.versions, 0, 60);
}

static void late_ranks_whose_copies_get_stuck_are_waited_for(void **state)
{
    (void)state;
    struct world world;
    struct planner planner;
    world_init(&world, 16, 5000, 1000);
    assert_int_equal(planner_init(&planner, &world.network), 0);
    world.ready[8] = world.enters[8] = 1000000;
    world.plan.classes[CLASS].mode = PLAN_OWN;
    world.plan.classes[CLASS].look = 100;
    struct tree tree =
        make_best(&world.network, LEADER, plan_class_bytes(CLASS), world.ready);
    assert_true(tree.late[8]);
    const struct plan_basis basis = {.network = &world.network,
                                     .planner = &planner,
                                     .reports = world.reports,
                                     .tree = &tree,
                                     .call = 1,
                                     .leader = LEADER,
                                     .class = CLASS,
                                     .on = true};
    broadcast(&world, &tree);
    for (int i = 0; i < 16; i++)
        hear(&world.reports[i], &world, i, 10000);
    plan_next(&world.plan, world.ready, &basis);
    assert_false(plan_waits_for_late(&world.plan, CLASS));

    world.waited[8] = 5000000;
    memset(world.reports, 0, sizeof world.reports);
    for (int i = 0; i < 16; i++)
        hear(&world.reports[i], &world, i, 10000);
    assert_true(plan_next(&world.plan, world.ready, &basis));
    assert_true(plan_waits_for_late(&world.plan, CLASS));
    assert_false(plan_waits_for_late(&world.plan, CLASS - 1));
    tree_free(&tree);
    planner_free(&planner);
}

/* A leader goes on from the arrivals that another one has found. */
static void arrivals_count_from_whichever_rank_is_home(void **state)
{
    (void)state;
    struct world world[2];
    int64_t means[60];
    for (int i = 0; i < 2; i++) {
        world_init(&world[i], 64, 5000, 1000);
        world[i].enters[1] = world[i].enters[7] = 1000000;
        for (int rank = 0; rank < 64; rank++)
            world[i].ready[rank] = (rank == 7 ? 500000 : 0) - i * 300000;
        run(&world[i], 60, means);
    }
    for (int rank = 0; rank < 64; rank++)
        assert_int_equal(world[0].ready[rank], world[1].ready[rank]);
}

static void the_program_can_switch_everything_off(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, 4, 5000, 1000);
    struct planner planner;
    assert_int_equal(planner_init(&planner, &world.network), 0);
    struct tree tree = make_best(&world.network, LEADER, 1, world.ready);
    struct plan_basis basis = {.network = &world.network,
                               .planner = &planner,
                               .reports = world.reports,
                               .tree = &tree,
                               .call = 1,
                               .leader = LEADER,
                               .class = 0,
                               .on = false};
    plan_next(&world.plan, world.ready, &basis);
    for (int class = 0; class < PLAN_CLASSES; class ++)
        assert_false(plan_uses_own(&world.plan, class));
    world.plan.classes[0].mode = PLAN_OWN;
    world.plan.classes[0].look = 100;
    assert_false(plan_uses_own(&world.plan, 0));
    basis.on = true;
    plan_next(&world.plan, world.ready, &basis);
    assert_true(plan_uses_own(&world.plan, 0));
    tree_free(&tree);
    planner_free(&planner);
}

static void classes_hold_their_messages(void **state)
{
    (void)state;
    assert_int_equal(plan_class(1), 0);
    assert_int_equal(plan_class(2), 1);
    assert_int_equal(plan_class(1024), 10);
    assert_int_equal(plan_class(1025), 11);
    assert_int_equal(plan_class((size_t)1 << 40), PLAN_CLASSES - 1);
}

enum { RANKS = 128 };

struct situation {
    struct network network;
    struct tree tree;
    int64_t ready[RANKS];
    struct plan plan;
    struct rank_report heard[RANKS];
};

static void situation_init(struct situation *situation)
{
    const struct costs costs = {.hop = {.base = 5000}, .gap = {.base = 1000}};
    *situation =
        (struct situation){.network = {.size = RANKS, .far = costs, .near = costs}};
    plan_init(&situation->plan);
    situation->tree = make_best(&situation->network, LEADER, plan_class_bytes(CLASS),
                                situation->ready);
}

/* Every rank tells of its calls of a class, all with other roots than the leader. */
static void tell(struct situation *situation, int class, int64_t in_call)
{
    for (int rank = 0; rank < RANKS; rank++)
        situation->heard[rank] =
            (struct rank_report){.plan = situation->plan.call,
                                 .version = situation->plan.version,
                                 .class = class,
                                 .calls = 1,
                                 .in_call = in_call};
}

static void make_plan_of(struct situation *situation, int class)
{
    struct planner planner;
    assert_int_equal(planner_init(&planner, &situation->network), 0);
    const struct plan_basis basis = {.network = &situation->network,
                                     .planner = &planner,
                                     .reports = situation->heard,
                                     .tree = &situation->tree,
                                     .call = situation->plan.call +
                                             situation->plan.interval,
                                     .leader = LEADER,
                                     .class = class,
                                     .on = true};
    assert_false(plan_next(&situation->plan, situation->ready, &basis));
    planner_free(&planner);
}

static void make_plan(struct situation *situation)
{
    make_plan_of(situation, CLASS);
}

static void a_root_that_goes_round_is_compared_too(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    bool tried = false;
    int longest = 0;
    for (int plans = 0; plans < 60; plans++) {
        tell(&situation, CLASS, plan_uses_own(&situation.plan, CLASS) ? 20000 : 30000);
        make_plan(&situation);
        tried = tried || class->mode == PLAN_TRY_NATIVE;
        if (situation.plan.interval > longest)
            longest = situation.plan.interval;
    }
    assert_true(tried);
    assert_true(class->own.mean < class->native.mean);
    assert_true(plan_uses_own(&situation.plan, CLASS));
    /* The leader is root again before the next plan, in time to tell of it. */
    assert_true(longest > RANKS + 1);
    tree_free(&situation.tree);
}

static void slower_trees_are_given_up_whatever_the_root(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    int64_t own_calls = 0, calls = 0;
    for (int plans = 0; plans < 200; plans++) {
        const bool own = plan_uses_own(&situation.plan, CLASS);
        own_calls += own ? situation.plan.interval : 0;
        calls += situation.plan.interval;
        tell(&situation, CLASS, own ? 30000 : 20000);
        make_plan(&situation);
    }
    assert_true(class->looks > 1); /* ours were tried again */
    assert_true(own_calls * 100 < calls);
    tree_free(&situation.tree);
}

/* Rank 9 and others never report the time of the MPI's broadcast. */
static void what_nobody_knows_is_left_to_the_mpi(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; plans < 200; plans++) {
        tell(&situation, CLASS, 20000);
        for (int rank = 9; rank < RANKS; rank += 10)
            situation.heard[rank].calls = 0;
        make_plan(&situation);
        assert_false(plan_uses_own(&situation.plan, CLASS));
    }
    assert_int_equal(class->native.mean, 0);
    tree_free(&situation.tree);
}

/* The same once our trees were found to be better: the comparison is made again. */
static void trees_are_given_up_when_the_mpis_time_is_not_told_again(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; class->mode != PLAN_OWN; plans++) {
        assert_in_range(plans, 0, 60);
        tell(&situation, CLASS, plan_uses_own(&situation.plan, CLASS) ? 20000 : 30000);
        make_plan(&situation);
    }
    for (int plans = 0; class->mode != PLAN_TRY_NATIVE; plans++) {
        assert_in_range(plans, 0, 60);
        tell(&situation, CLASS, 20000);
        make_plan(&situation);
    }
    for (int plans = 0; plans < 60; plans++) {
        make_plan(&situation); /* no rank reports */
        assert_false(plan_uses_own(&situation.plan, CLASS));
    }
    tree_free(&situation.tree);
}

/* Trees that are better in the mean, by less than the change between plans. */
static void an_advantage_within_the_noise_is_none(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    const struct plan_class *class = &situation.plan.classes[CLASS];
    for (int plans = 0; plans < 200; plans++) {
        const bool own = plan_uses_own(&situation.plan, CLASS);
        tell(&situation, CLASS, (own ? 28000 : 30000) + (plans % 2 ? 4000 : -4000));
        make_plan(&situation);
        assert_int_not_equal(class->mode, PLAN_OWN);
    }
    tree_free(&situation.tree);
}

/* Each rank tells of two calls, of which one took longer. */
static void calls_that_differ_are_noise(void **state)
{
    (void)state;
    for (int even = 0; even < 2; even++) {
        struct situation situation;
        situation_init(&situation);
        const struct plan_class *class = &situation.plan.classes[CLASS];
        for (int plans = 0; plans < 3; plans++) {
            const bool own = plan_uses_own(&situation.plan, CLASS);
            tell(&situation, CLASS, own ? 20000 : 30000);
            for (int rank = 0; rank < RANKS; rank++) {
                situation.heard[rank].calls = 2;
                situation.heard[rank].spread = even ? 1000 : 8000;
            }
            make_plan(&situation);
        }
        assert_int_equal(class->mode, even ? PLAN_OWN : PLAN_NATIVE);
        tree_free(&situation.tree);
    }
}

static void words_of_another_class_are_not_listened_to(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    tell(&situation, CLASS, 20000);
    make_plan(&situation);
    const int64_t known = situation.plan.classes[CLASS].native.mean;
    assert_in_range(known, 20000, 20001);
    tell(&situation, CLASS + 1, 1000000);
    make_plan(&situation);
    assert_int_equal(situation.plan.classes[CLASS].native.mean, known);
    assert_int_equal(situation.plan.classes[CLASS + 1].native.mean, 0);
    tree_free(&situation.tree);
}

/* A program that alternates between two messages. */
static void each_class_has_its_own_try(void **state)
{
    (void)state;
    struct situation situation;
    situation_init(&situation);
    for (int plans = 0; plans < 40; plans++) {
        const int class = CLASS + plans % 2;
        tell(&situation, class, plan_uses_own(&situation.plan, class) ? 20000 : 30000);
        make_plan_of(&situation, class);
    }
    assert_int_equal(situation.plan.classes[CLASS].mode, PLAN_OWN);
    assert_int_equal(situation.plan.classes[CLASS + 1].mode, PLAN_OWN);
    tree_free(&situation.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_late_rank_is_put_aside_within_eight_calls),
        cmocka_unit_test(random_arrivals_are_learned_within_twenty_calls),
        cmocka_unit_test(another_late_rank_is_found_within_an_interval),
        cmocka_unit_test(the_mpis_own_broadcast_is_kept_where_it_is_faster),
        cmocka_unit_test(our_trees_are_taken_up_again_when_a_rank_becomes_late),
        cmocka_unit_test(noise_does_not_change_the_trees_for_long),
        cmocka_unit_test(late_ranks_whose_copies_get_stuck_are_waited_for),
        cmocka_unit_test(arrivals_count_from_whichever_rank_is_home),
        cmocka_unit_test(the_program_can_switch_everything_off),
        cmocka_unit_test(classes_hold_their_messages),
        cmocka_unit_test(a_root_that_goes_round_is_compared_too),
        cmocka_unit_test(slower_trees_are_given_up_whatever_the_root),
        cmocka_unit_test(what_nobody_knows_is_left_to_the_mpi),
        cmocka_unit_test(trees_are_given_up_when_the_mpis_time_is_not_told_again),
        cmocka_unit_test(an_advantage_within_the_noise_is_none),
        cmocka_unit_test(calls_that_differ_are_noise),
        cmocka_unit_test(each_class_has_its_own_try),
        cmocka_unit_test(words_of_another_class_are_not_listened_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
