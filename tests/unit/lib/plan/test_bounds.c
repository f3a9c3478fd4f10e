/* SPDX-License-Identifier: BSD-3-Clause */
/* The search by bounds of the posterior against trying every configuration, on random
   clusters, programs, runs and questions. */
#include "lib/plan/bounds.h"

#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "lib/stats/random.h"
#include "tests/unit/test.h"

/* The same number gives the same case everywhere. */
struct bounds_case {
    uint64_t state;
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_predictor predictor;
    double speeds[MT_MAX_GROUPS], networks[MT_MAX_GROUPS];
};

static const double sizes[] = {100, 200, 400, 900};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double uniform(struct bounds_case *c)
{
    return mt_random_uniform(mt_random_next(&c->state));
}

/* A whole number from low to high. */
static int pick(struct bounds_case *c, int low, int high)
{
    return low + (int)(uniform(c) * (high - low + 1));
}

static bool chance(struct bounds_case *c, double probability)
{
    return uniform(c) < probability;
}

static void *need(void *memory)
{
    assert_non_null(memory);
    return memory;
}

static void parse(struct mt_expr **expr, const char *text)
{
    assert_int_equal(mt_expr_parse(expr, text, NULL), MT_OK);
}

/* Up to `most` layouts; some with threads, or bound. */
static void make_layouts(struct bounds_case *c, struct mt_group *group, int most)
{
    const bool threads = chance(c, 0.3), binds = chance(c, 0.2);
    group->layouts = need(calloc((size_t)most, sizeof *group->layouts));
    for (int m = pick(c, 1, 3); group->nlayouts < most; m += pick(c, 1, 4))
        for (int t = 0; t <= threads; t++)
            for (int bind = 0; bind <= binds && group->nlayouts < most; bind++)
                group->layouts[group->nlayouts++] = (struct mt_layout){
                    .processes = m, .threads = t ? 2 : 0, .bind = (enum mt_bind)bind};
}

static void make_cluster(struct bounds_case *c, int groups, int nodes, int layouts)
{
    static const double prices[] = {0, 0.1, 0.1, 0.25, 1.7};
    struct mt_cluster *cluster = &c->cluster;
    cluster->name = need(strdup("random"));
    cluster->launcher = chance(c, 0.3) ? MT_LAUNCH_MPICH : MT_LAUNCH_OPENMPI;
    cluster->ngroups = groups;
    cluster->groups = need(calloc((size_t)groups, sizeof *cluster->groups));
    for (int g = 0; g < groups; g++) {
        struct mt_group *group = &cluster->groups[g];
        char name[16];
        snprintf(name, sizeof name, "g%d", g);
        group->name = need(strdup(name));
        group->nodes = pick(c, 1, nodes);
        group->price = prices[pick(c, 0, 4)];
        group->watts = pick(c, 0, 3) * 50;
        group->memory = chance(c, 0.3) ? pick(c, 1, 20) * 1e5 : 0;
        group->alone = chance(c, 0.1);
        make_layouts(c, group, pick(c, 1, layouts));
        c->speeds[g] = exp(uniform(c));
        c->networks[g] = exp(uniform(c));
    }
}

static void make_program(struct bounds_case *c)
{
    static const char *const valid[] = {"P % 2 == 0", "P <= 12", "N >= 10*P", "P != 7"};
    static const char *const work[] = {"2*N^3", "N^2*(1+P/100)", "N^2/(1+P/20)", "N^2"};
    static const char *const memory[] = {"8*N^2/P", "1000*P*M+8*N^2/P"};
    c->program.name = need(strdup("program"));
    if (chance(c, 0.3))
        parse(&c->program.valid, valid[pick(c, 0, 3)]);
    if (chance(c, 0.3))
        parse(&c->program.memory, memory[pick(c, 0, 1)]);
    if (chance(c, 0.5))
        parse(&c->program.work, work[pick(c, 0, 3)]);
    if (chance(c, 0.2))
        parse(&c->program.shape.imbalance, "ceil(N/P)*P/N");
    if (chance(c, 0.2))
        parse(&c->program.shape.working_set, "8*N^2/P+1000");
}

static struct mt_configuration random_configuration(struct bounds_case *c, bool several)
{
    struct mt_configuration configuration = {{{0}}};
    const int only = pick(c, 0, c->cluster.ngroups - 1);
    for (int g = 0; g < c->cluster.ngroups; g++) {
        const struct mt_group *group = &c->cluster.groups[g];
        if (g == only || (several && chance(c, 0.6)))
            configuration.use[g] =
                mt_use_nodes(pick(c, 1, group->nodes),
                             group->layouts[pick(c, 0, group->nlayouts - 1)]);
    }
    return configuration;
}

/* Seconds like those of a program that computes, waits for the slowest, and talks. */
static double seconds_of(struct bounds_case *c,
                         const struct mt_configuration *configuration, double size)
{
    const double ranks = mt_configuration_ranks(configuration);
    double slowest = 0, talk = 0;
    for (int g = 0; g < c->cluster.ngroups; g++) {
        const struct mt_use *use = &configuration->use[g];
        const double m = use->layout.processes;
        if (use->nodes == 0)
            continue;
        slowest = fmax(slowest, (1 + 0.1 * m) / c->speeds[g] /
                                    sqrt(mt_layout_threads(use->layout)));
        talk += use->nodes * m / ranks * c->networks[g];
    }
    return (size * size * 1e-4 * slowest / ranks + 0.02 * talk * log2(ranks) + 0.01) *
           (1 + 0.1 * uniform(c));
}

static void add_run(struct bounds_case *c, struct mt_samples *samples, bool several)
{
    const struct mt_configuration configuration = random_configuration(c, several);
    struct mt_sample run = {.configuration = configuration,
                            .size = sizes[pick(c, 0, SIZES - 2)]};
    if (samples->count > 0 && chance(c, 0.5))
        run.size = samples->samples[0].size;
    run.seconds = seconds_of(c, &configuration, run.size);
    if (samples->nfailed < 3 && chance(c, 0.1))
        samples->failed[samples->nfailed++] = run;
    else
        samples->samples[samples->count++] = run;
}

static void fit(struct bounds_case *c, int runs)
{
    struct mt_samples samples = {
        .samples = need(calloc((size_t)runs, sizeof *samples.samples)),
        .failed = need(calloc(3, sizeof *samples.failed))};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_error err;
    for (int i = 0; i < runs; i++)
        add_run(c, &samples, i % 3 == 2);
    const int status = mt_predictor_fit(&c->predictor, &c->cluster, &c->program,
                                        &samples, &options, &err);
    if (status != MT_OK)
        print_error("%s\n", err.text);
    assert_int_equal(status, MT_OK);
}

/* A cluster of some thousands of configurations at most. */
static void make_case(struct bounds_case *c, uint64_t number)
{
    static const int nodes[] = {40, 12, 6, 4}, layouts[] = {6, 4, 3, 2};
    *c = (struct bounds_case){.state = number << 32};
    const int groups = pick(c, 1, 4);
    make_cluster(c, groups, nodes[groups - 1], layouts[groups - 1]);
    make_program(c);
    fit(c, pick(c, 5, 12));
}

static void clear_case(struct bounds_case *c)
{
    mt_predictor_clear(&c->predictor);
    mt_cluster_clear(&c->cluster);
    mt_program_clear(&c->program);
}

static struct mt_question make_question(struct bounds_case *c, double size)
{
    struct mt_question question = {
        .size = size,
        .objective = (enum mt_objective)pick(c, 0, MT_NOBJECTIVES - 1),
        .deadline = chance(c, 0.3) ? pick(c, 1, 40) * 0.05 : 0,
        .budget = chance(c, 0.2) ? pick(c, 1, 40) * 2e-5 : 0,
        .cost = chance(c, 0.2) ? pick(c, 1, 40) * 2e-5 : 0,
        .joules = chance(c, 0.2) ? pick(c, 1, 40) * 5 : 0,
        .max_nodes = chance(c, 0.3) ? pick(c, 1, 10) : 0,
        .ran_first = chance(c, 0.1),
        .top = pick(c, 1, 6),
        .efficiency = chance(c, 0.1) ? pick(c, 1, 10) * 0.1 : 0,
    };
    return question;
}

/* Every configuration that may run, with its seconds. */
static void list_all(struct mt_plan *all, const struct bounds_case *c,
                     const struct mt_question *question)
{
    struct mt_configuration configuration = {{{0}}};
    while (mt_configuration_next(&configuration, &c->cluster))
        assert_int_equal(
            mt_plan_consider(all, &c->predictor, question, 0, &configuration, NULL),
            MT_OK);
}

static void try_all(struct mt_plan *best, const struct mt_plan *all,
                    const struct bounds_case *c, const struct mt_question *question)
{
    const struct mt_measured_list *measured = &c->predictor.measured;
    for (int i = 0; i < all->count; i++) {
        struct mt_choice choice = all->choices[i];
        choice.behind =
            mt_measured_any(measured, question->size) &&
            (question->ran_first
                 ? !mt_measured_at(measured, &choice.configuration, question->size)
                 : !mt_measured_at(measured, &choice.configuration, question->size) &&
                       mt_predictor_guesses(&c->predictor, &choice.configuration));
        if (mt_choice_allowed(&choice, &c->predictor, question))
            assert_int_equal(
                mt_plan_keep(best, question->objective, question->top, &choice, NULL),
                MT_OK);
    }
    best->failed = all->failed;
}

static void fail_choice(const struct bounds_case *c, const struct mt_choice *found,
                        const struct mt_choice *best)
{
    char *a = mt_configuration_format(&found->configuration, &c->cluster);
    char *b = mt_configuration_format(&best->configuration, &c->cluster);
    print_error("found %s (%.17g s, %.17g, %.17g J, %d nodes, behind %d), best is %s "
                "(%.17g s, %.17g, %.17g J, %d nodes, behind %d)\n",
                a, found->prediction.seconds, found->cost, found->joules, found->nodes,
                found->behind, b, best->prediction.seconds, best->cost, best->joules,
                best->nodes, best->behind);
    free(a);
    free(b);
    fail();
}

static void compare(const struct bounds_case *c, const struct mt_plan *all,
                    const struct mt_question *question, int *empty)
{
    struct mt_plan best = {0}, found = {0};
    struct mt_error err = {0};
    try_all(&best, all, c, question);
    assert_int_equal(
        mt_bounds_search(&found, &c->predictor, question, question->top, &err), MT_OK);
    assert_true(found.exact);
    assert_int_equal(found.failed, best.failed);
    if (best.count > 0)
        assert_true(found.bound ==
                    mt_choice_value(&best.choices[0], question->objective));
    for (int i = 0; i < best.count && i < found.count; i++)
        if (!mt_configuration_equal(&found.choices[i].configuration,
                                    &best.choices[i].configuration) ||
            found.choices[i].behind != best.choices[i].behind)
            fail_choice(c, &found.choices[i], &best.choices[i]);
    assert_int_equal(found.count, best.count);
    *empty += best.count == 0;
    mt_plan_clear(&best);
    mt_plan_clear(&found);
}

static void equals_trying_all(void **state)
{
    (void)state;
    enum { FIRST = 12, CASES = 20, QUESTIONS = 100 }; /* 31: multipliers grow large */
    int empty = 0;
    for (uint64_t number = FIRST; number < FIRST + CASES; number++) {
        struct bounds_case c;
        struct mt_plan all[SIZES] = {0};
        make_case(&c, number);
        for (int i = 0; i < QUESTIONS; i++) {
            const struct mt_question question = make_question(&c, sizes[i % SIZES]);
            const struct mt_question any = {.size = question.size};
            if (i < SIZES)
                list_all(&all[i], &c, &any);
            compare(&c, &all[i % SIZES], &question, &empty);
        }
        for (int i = 0; i < SIZES; i++)
            mt_plan_clear(&all[i]);
        clear_case(&c);
    }
    assert_in_range(empty, 200, 800);
}

/* Whether a configuration is in a box. */
static bool is_in(const struct mt_bounds *bounds, const struct mt_box *box,
                  const struct mt_configuration *configuration)
{
    const int ranks = mt_configuration_ranks(configuration);
    int slowest = -1, used = 0;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use *use = &configuration->use[g];
        const struct mt_stretch *nodes = &box->groups[g];
        bool any = use->nodes == 0;
        if (use->nodes < nodes->low || use->nodes > nodes->high)
            return false;
        for (int i = nodes->first; i <= nodes->last && use->nodes > 0; i++)
            if (mt_layout_compare(bounds->ways[i].layout, use->layout) == 0) {
                any = true;
                used++;
                if (bounds->ways[i].place > slowest)
                    slowest = bounds->ways[i].place;
            }
        if (!any)
            return false;
    }
    const double price = (double)mt_configuration_takes(
                             configuration, bounds->predictor->problem.cluster,
                             mt_objective_resource(bounds->question->objective)) /
                         ranks;
    if (price < box->cheap || price > box->dear)
        return false;
    return ranks >= box->low && ranks <= box->high && slowest >= box->fastest &&
           slowest <= box->slowest && (used > 1) == box->several &&
           mt_configuration_nodes(configuration) > 1;
}

/* Whether it is mixed and ran, which is not bounded. */
static bool is_explicit(const struct bounds_case *c,
                        const struct mt_configuration *configuration, double size)
{
    const struct mt_samples *samples = &c->predictor.samples;
    for (int i = 0; i < samples->count; i++)
        if (mt_configuration_equal(&samples->samples[i].configuration, configuration) &&
            (samples->samples[i].size == size ||
             mt_configuration_only_group(configuration) < 0))
            return true;
    return false;
}

/* A walk down from a box, cut by cut, until one configuration is left. */
struct walk {
    struct mt_bounds bounds;
    double most[MT_RESOURCES];
    struct mt_box box;
    int checked;
};

/* Shrinking a box keeps its configurations, and they do not lie below its bounds. */
static bool check_box(const struct bounds_case *c, const struct mt_plan *all,
                      struct walk *walk, struct mt_bound *bound)
{
    const struct mt_question *question = walk->bounds.question;
    const enum mt_resource least = mt_objective_resource(question->objective);
    struct mt_box box = walk->box;
    const bool left = mt_box_tighten(&box, &walk->bounds, walk->most);
    int count = 0;
    if (left)
        mt_bounds_find(&walk->bounds, &box, walk->most, bound);
    for (int i = 0; i < all->count; i++) {
        const struct mt_choice *choice = &all->choices[i];
        const struct mt_configuration *configuration = &choice->configuration;
        bool allowed = mt_choice_allowed(choice, &c->predictor, question);
        for (int r = 0; r < MT_RESOURCES; r++)
            allowed &=
                (double)mt_configuration_takes(configuration, &c->cluster,
                                               (enum mt_resource)r) <= walk->most[r];
        if (!allowed || !is_in(&walk->bounds, &walk->box, configuration) ||
            is_explicit(c, configuration, question->size))
            continue;
        count++;
        assert_true(left);
        assert_true(is_in(&walk->bounds, &box, configuration));
        const double seconds = log(choice->prediction.seconds);
        const double takes =
            (double)mt_configuration_takes(configuration, &c->cluster, least);
        assert_true(bound->seconds <= seconds);
        if (least != MT_NODES)
            assert_true(bound->value <= seconds + log(takes));
    }
    walk->box = box;
    walk->checked += count;
    return count > 0;
}

static void go_down(struct bounds_case *c, const struct mt_plan *all,
                    const struct mt_question *question, struct walk *walk)
{
    struct mt_configuration only;
    struct mt_bound bound;
    walk->box = mt_box_all(&walk->bounds, pick(c, MT_MAINLAND, c->cluster.ngroups - 1));
    for (int r = 0; r < MT_RESOURCES; r++)
        walk->most[r] = INFINITY;
    if (question->max_nodes > 0)
        walk->most[MT_NODES] = question->max_nodes;
    if (chance(c, 0.3))
        walk->most[pick(c, MT_PRICE, MT_POWER)] = pick(c, 1, 20) * 1e6;
    while (check_box(c, all, walk, &bound) &&
           !mt_box_single(&walk->box, &walk->bounds, &only)) {
        assert_true(bound.seconds < INFINITY);
        walk->box = mt_box_part(&walk->box, &bound.cut, chance(c, 0.5));
    }
}

/* No configuration is below the bound of a box that it is in. */
static void bounds_hold(void **state)
{
    (void)state;
    enum { FIRST = 112, CASES = 8, WALKS = 60 }; /* 116: limits that are just kept */
    struct walk walk = {0};
    for (uint64_t number = FIRST; number < FIRST + CASES; number++) {
        struct bounds_case c;
        make_case(&c, number);
        const struct mt_region region = {MT_MAINLAND, MT_BIND_DEFAULT,
                                         c.cluster.launcher == MT_LAUNCH_MPICH ? 1 : 0};
        for (int i = 0; i < SIZES; i++) {
            const struct mt_question question = make_question(&c, sizes[i]);
            const struct mt_question any = {.size = question.size};
            struct mt_plan all = {0};
            list_all(&all, &c, &any);
            assert_int_equal(
                mt_bounds_init(&walk.bounds, &c.predictor, &question, region, NULL),
                MT_OK);
            for (int k = 0; k < WALKS && walk.bounds.nways > 0; k++)
                go_down(&c, &all, &question, &walk);
            mt_bounds_clear(&walk.bounds);
            mt_plan_clear(&all);
        }
        clear_case(&c);
    }
    assert_true(walk.checked > 10000);
}

/* Where the memory of all groups but one is too small, none are mixed. */
static void boxes_leave_out_what_does_not_fit(void **state)
{
    (void)state;
    enum { GROUPS = 3, RUNS = 9 };
    const double most[MT_RESOURCES] = {INFINITY, INFINITY, INFINITY};
    const struct mt_question question = {.size = sizes[0]};
    const struct mt_region region = {MT_MAINLAND, MT_BIND_DEFAULT, 0};
    struct bounds_case c = {.state = 1};
    struct mt_bounds bounds = {0};
    make_cluster(&c, GROUPS, 4, 1);
    c.cluster.launcher = MT_LAUNCH_OPENMPI;
    c.program.name = need(strdup("program"));
    parse(&c.program.memory, "1000*P");
    for (int g = 0; g < GROUPS; g++) {
        c.cluster.groups[g].alone = false;
        c.cluster.groups[g].memory = g == 1 ? 1e9 : 1;
        c.cluster.groups[g].layouts[0] = (struct mt_layout){.processes = 1};
    }
    fit(&c, RUNS);
    assert_int_equal(mt_bounds_init(&bounds, &c.predictor, &question, region, NULL),
                     MT_OK);
    for (int g = MT_MAINLAND; g < GROUPS; g++) {
        struct mt_box box = mt_box_all(&bounds, g);
        assert_true(mt_box_tighten(&box, &bounds, most) == (g == 1));
    }
    mt_bounds_clear(&bounds);
    clear_case(&c);
}

/* Eight groups with 100,000 nodes together, each with one to eight processes on a node,
   of which the fewest and the most ran, on few nodes. */
static void make_large(struct bounds_case *c, uint64_t number)
{
    enum { GROUPS = 8, NODES = 100000, LAYOUTS = 8, RUNS = 20 };
    struct mt_samples samples = {.samples =
                                     need(calloc(RUNS, sizeof *samples.samples))};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    *c = (struct bounds_case){.state = number << 32};
    make_cluster(c, GROUPS, 1, 1);
    c->program.name = need(strdup("program"));
    parse(&c->program.work, "N^2");
    int left = NODES;
    for (int g = 0; g < GROUPS; g++) {
        struct mt_group *group = &c->cluster.groups[g];
        const int mean = left / (GROUPS - g);
        group->nodes = g == GROUPS - 1 ? left : pick(c, mean / 2, mean * 3 / 2);
        left -= group->nodes;
        group->alone = false;
        group->memory = 0;
        group->price = pick(c, 5, 200) * 0.01;
        free(group->layouts);
        group->layouts = need(calloc(LAYOUTS, sizeof *group->layouts));
        group->nlayouts = LAYOUTS;
        for (int m = 1; m <= LAYOUTS; m++)
            group->layouts[m - 1].processes = m;
    }
    while (samples.count < RUNS) {
        const int i = samples.count, g = i % GROUPS;
        struct mt_configuration configuration = {{{0}}};
        configuration.use[g] =
            mt_use_nodes(i < GROUPS ? 1 : pick(c, 4, 40),
                         c->cluster.groups[g].layouts[i < GROUPS ? 0 : LAYOUTS - 1]);
        if (i >= 2 * GROUPS)
            configuration.use[g + 1] =
                mt_use_nodes(pick(c, 4, 40), c->cluster.groups[g + 1].layouts[0]);
        const double size = sizes[i % SIZES];
        samples.samples[samples.count++] =
            (struct mt_sample){.configuration = configuration,
                               .size = size,
                               .seconds = seconds_of(c, &configuration, size)};
    }
    assert_int_equal(mt_predictor_fit(&c->predictor, &c->cluster, &c->program, &samples,
                                      &options, NULL),
                     MT_OK);
}

/* The proof for a large cluster is complete, and needs few bounds. */
static void large_cluster_is_proven(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 2; number++) {
        struct bounds_case c;
        make_large(&c, number);
        for (int i = 0; i < 9; i++) {
            const struct mt_question question = {
                .size = i % 3 == 0   ? 1000
                        : i % 3 == 1 ? 10000
                                     : 100000,
                .objective = i < 6 ? MT_FASTEST : MT_CHEAPEST,
                .max_nodes = i >= 3 && i < 6 ? 3000 : 0,
                .top = 5};
            struct mt_plan plan = {0};
            assert_int_equal(mt_bounds_search(&plan, &c.predictor, &question, 5, NULL),
                             MT_OK);
            assert_int_equal(plan.count, 5);
            assert_true(plan.exact && plan.evaluated < 10000);
            assert_true(plan.bound ==
                        mt_choice_value(&plan.choices[0], question.objective));
            mt_plan_clear(&plan);
        }
        clear_case(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(equals_trying_all),
        cmocka_unit_test(boxes_leave_out_what_does_not_fit),
        cmocka_unit_test(large_cluster_is_proven),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
