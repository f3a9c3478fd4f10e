/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan_cases.h"

#include "lib/input/internal.h"
#include "lib/stats/random.h"
#include "tests/unit/lib/model/made_posterior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char terms[] = "1e6/P, P, 1, log(P)";

/* A number that is at least 0 and less than 1. */
static double uniform(struct plan_case *c)
{
    return mt_random_uniform(mt_random_next(&c->state));
}

/* A whole number from low to high. */
static int pick(struct plan_case *c, int low, int high)
{
    return low + (int)(uniform(c) * (high - low + 1));
}

static bool chance(struct plan_case *c, double probability)
{
    return uniform(c) < probability;
}

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void begin(struct plan_case *c, uint64_t number, int groups)
{
    *c = (struct plan_case){.state = number << 32};
    c->cluster.name = need(strdup("random"));
    c->cluster.ngroups = groups > 0 ? groups : pick(c, 1, 4);
    c->cluster.groups =
        need(calloc((size_t)c->cluster.ngroups, sizeof *c->cluster.groups));
    c->models.kind = MT_MODEL_NPT;
    c->models.models = need(calloc(1024, sizeof *c->models.models));
}

static void name_group(struct mt_group *group, int g)
{
    char name[16];
    snprintf(name, sizeof name, "g%d", g);
    group->name = need(strdup(name));
}

static void add_model(struct plan_case *c, const struct mt_group *group, int processes,
                      int split, const double coefficients[4])
{
    struct mt_model *model = &c->models.models[c->models.count++];
    *model = (struct mt_model){.group = need(strdup(group->name)),
                               .layout.processes = processes,
                               .split = split,
                               .ranks_low = 1,
                               .ranks_high = 8,
                               .runs = 10,
                               .size_low = 100,
                               .size_high = 1000,
                               .cross_validated = NAN,
                               .residual = 0.05};
    model->coefficients = need(calloc(4, sizeof *model->coefficients));
    memcpy(model->coefficients, coefficients, 4 * sizeof *coefficients);
    if (mt_terms_parse(&model->terms, terms, NULL) != MT_OK)
        abort();
}

static void parse(struct mt_expr **expr, const char *text)
{
    if (mt_expr_parse(expr, text, NULL) != MT_OK)
        abort();
}

/* Coefficients on a coarse grid, so that ties happen. */
static void small_coefficients(struct plan_case *c, double coefficients[4])
{
    coefficients[0] = pick(c, 1, 8) * 1e-5;
    coefficients[1] = chance(c, 0.5) ? pick(c, 0, 4) * 0.25 : 0;
    coefficients[2] = pick(c, 0, 4) * 0.5;
    coefficients[3] = chance(c, 0.3) ? pick(c, 0, 4) * 0.5 : 0;
    if (chance(c, 0.3)) /* as ordinary least squares may give */
        coefficients[pick(c, 0, 3)] = -0.25 * pick(c, 1, 8);
}

static void small_models(struct plan_case *c)
{
    double coefficients[4];
    for (int g = 0; g < c->cluster.ngroups; g++) {
        const struct mt_group *group = &c->cluster.groups[g];
        for (int i = 0; i < group->nlayouts; i++) {
            if (c->models.count == 0 || chance(c, 0.7)) /* or the same as before */
                small_coefficients(c, coefficients);
            if (chance(c, 0.08))
                continue;
            add_model(c, group, group->layouts[i].processes, c->program.split ? 0 : -1,
                      coefficients);
            if (c->program.split) {
                small_coefficients(c, coefficients);
                add_model(c, group, group->layouts[i].processes, 1, coefficients);
            }
        }
    }
}

static void small_groups(struct plan_case *c)
{
    static const double prices[] = {0, 0.1, 0.1, 0.25, 1.7};
    static const int most_nodes[] = {40, 12, 6, 4};
    for (int g = 0; g < c->cluster.ngroups; g++) {
        struct mt_group *group = &c->cluster.groups[g];
        name_group(group, g);
        group->nodes = pick(c, 1, most_nodes[c->cluster.ngroups - 1]);
        group->layouts = need(calloc(3, sizeof *group->layouts));
        for (int m = pick(c, 1, 4); m <= 9 && group->nlayouts < 3; m += pick(c, 1, 6))
            group->layouts[group->nlayouts++].processes = m;
        group->price = prices[pick(c, 0, 4)];
        group->watts = pick(c, 0, 3) * 50;
        group->memory = chance(c, 0.5) ? pick(c, 1, 20) * 1e5 : 0;
    }
}

void plan_case_small(struct plan_case *c, uint64_t number)
{
    static const char *const valid[] = {"P % 2 == 0", "P <= 12", "N >= 50*P", "P != 7"};
    begin(c, number, 0);
    small_groups(c);
    if (chance(c, 0.4))
        parse(&c->program.valid, valid[pick(c, 0, 3)]);
    if (chance(c, 0.4))
        parse(&c->program.memory, "8*N^2/P");
    if (chance(c, 0.3))
        parse(&c->program.split, "P % 3 == 0");
    small_models(c);
    c->question = (struct mt_question){
        .size = pick(c, 1, 10) * 100,
        .objective = chance(c, 0.5) ? MT_FASTEST : MT_CHEAPEST,
        .deadline = chance(c, 0.3) ? pick(c, 1, 40) * 0.5 : 0,
        .budget = chance(c, 0.3) ? pick(c, 1, 40) * 1e-4 : 0,
        .max_nodes = chance(c, 0.3) ? pick(c, 1, 10) : 0,
        .top = pick(c, 0, 6),
    };
    if (chance(c, 0.3))
        c->question.objective = MT_LEAST_ENERGY;
    if (c->question.objective != MT_FASTEST) { /* whose ties they leave open */
        c->question.cost = chance(c, 0.2) ? pick(c, 1, 40) * 1e-4 : 0;
        c->question.joules = chance(c, 0.2) ? pick(c, 1, 40) * 50 : 0;
    }
    if (mt_question_check(&c->question, &c->cluster, NULL) != MT_OK) {
        c->cluster.groups[0].price = 0.1; /* so that it can be asked */
        c->cluster.groups[0].watts = 50;
    }
}

void plan_case_strange(struct plan_case *c, uint64_t number)
{
    static const char *const lists[] = {
        "1, 1, 1, 1",
        "min(P,8), max(3,P-5), P%3, floor(P/2)",
        "ceil(log2(P)), P^1.5, (P>4)*P, log2(P)*P",
        "log(P-1), 1/(P-3), sqrt(P-4), 1",
        "1/(P%4), (P==6)/(P==6), P, min(P,log(P-2))",
        "P^2-9*P, (P-7)^2, -P, (P-7)^3",
        "2^P, 2^(-P), (0-2)^P, 0^(P-4)",
        "P != 5, !(P-5), P < 3 || P > 9, N%P",
        "1/(P-3.5), ceil(P/4)*4, max(1/(P-6),0), N-100*P",
        "M*P, P%(P-3), T, 0",
        "dims(P,2,1), P/dims(P,3,1), dims(P/2,2,2), dims(P-2,3,2)",
    };
    enum { LISTS = sizeof lists / sizeof *lists };
    plan_case_small(c, number);
    for (int i = 0; i < c->models.count; i++) {
        struct mt_model *model = &c->models.models[i];
        mt_terms_free(model->terms);
        if (mt_terms_parse(&model->terms, lists[pick(c, 0, LISTS - 1)], NULL) != MT_OK)
            abort();
        for (int j = 0; j < 4; j++)
            model->coefficients[j] = 0.25 * pick(c, -3, 8);
        if (chance(c, 0.15))
            model->ranks_low = model->ranks_high = pick(c, 1, 20);
    }
}

static void choose_lone_groups(struct plan_case *c)
{
    for (int g = 0; g < c->cluster.ngroups; g++)
        c->cluster.groups[g].alone = chance(c, 0.2);
}

void plan_case_lone(struct plan_case *c, uint64_t number)
{
    plan_case_small(c, number);
    choose_lone_groups(c);
}

/* Up to three hypotheses on coarse grids, so that ties happen. */
static void add_hypotheses(struct plan_case *c)
{
    enum { MOST = 1024 };
    static const unsigned choices[] = {
        1 << MT_TERM_ONE, 1 << MT_TERM_ONE | 1 << MT_TERM_LOG,
        1 << MT_TERM_ONE | 1 << MT_TERM_RANKS,
        1 << MT_TERM_ONE | 1 << MT_TERM_LOG | 1 << MT_TERM_FACES3,
        1 << MT_TERM_ONE | 1 << MT_TERM_RANKS | 1 << MT_TERM_ALL_TO_ALL};
    struct mt_posterior *posterior = c->models.posterior;
    const int count = pick(c, 1, 3);
    for (int h = 0; h < count; h++) {
        double compute[MOST],
            coefficients[] = {pick(c, 1, 4) * 0.005, pick(c, 1, 4) * 0.125,
                              pick(c, 1, 4) * 0.25};
        for (int i = 0; i < posterior->nspeeds && i < MOST; i++)
            compute[i] = i > 0 && chance(c, 0.3) ? compute[i - 1] : 10 * pick(c, 1, 8);
        add_hypothesis(posterior, choices[pick(c, 0, 4)], 1.0 / count, compute,
                       coefficients);
    }
}

void plan_case_auto(struct plan_case *c, uint64_t number)
{
    plan_case_lone(c, number);
    mt_models_clear(&c->models);
    c->models.kind = MT_MODEL_AUTO;
    c->models.posterior = make_posterior(&c->cluster, &c->program, c->question.size);
    add_hypotheses(c);
}

void plan_case_large(struct plan_case *c, uint64_t number, int nodes, int groups,
                     int choices)
{
    begin(c, number, groups);
    /* From networks that hardly matter to ones that allow a tenth of the nodes. */
    const double network = 1e-6 * pow(10, 4 * uniform(c)), start = 0.2 * uniform(c);
    int left = nodes;
    for (int g = 0; g < groups; g++) {
        struct mt_group *group = &c->cluster.groups[g];
        const int share_of_left = left / (groups - g);
        name_group(group, g);
        group->nodes =
            g == groups - 1 ? left : pick(c, share_of_left / 2, share_of_left * 3 / 2);
        left -= group->nodes;
        group->layouts = need(calloc((size_t)choices, sizeof *group->layouts));
        group->nlayouts = choices;
        group->price = pick(c, 5, 200) * 0.01;
        const double speed = 1 + 4 * uniform(c);
        const int cores = pick(c, 1, choices);
        for (int m = 1; m <= choices; m++) {
            group->layouts[m - 1].processes = m;
            const double share = m > cores ? (double)m / cores : 1 + 0.02 * m;
            const double coefficients[4] = {40 * share / speed,
                                            network * (1 + 0.02 * m), 1 + start,
                                            0.05 + 0.01 * m};
            add_model(c, group, m, -1, coefficients);
        }
    }
    c->question = (struct mt_question){.size = 100000, .top = 5};
}

/* The seconds for all of the work on one rank, by the model of a layout that ran. */
static double compute_of(const struct plan_case *c, const struct mt_speed *speed)
{
    const char *group = c->cluster.groups[speed->group].name;
    for (int i = 0; i < c->models.count; i++) {
        const struct mt_model *model = &c->models.models[i];
        if (strcmp(model->group, group) == 0 &&
            mt_layout_compare(model->layout, speed->layout) == 0)
            return 1e6 * model->coefficients[0];
    }
    abort();
}

void plan_case_make_auto(struct plan_case *c)
{
    enum { TERMS = 1 << MT_TERM_ONE | 1 << MT_TERM_LOG | 1 << MT_TERM_RANKS };
    struct mt_posterior *posterior =
        make_posterior(&c->cluster, &c->program, c->question.size);
    double *compute = need(calloc((size_t)posterior->nspeeds, sizeof *compute));
    int nodes = 0;
    for (int i = 0; i < posterior->nspeeds; i++)
        compute[i] = compute_of(c, &posterior->speeds[i]);
    for (int g = 0; g < c->cluster.ngroups; g++)
        nodes += c->cluster.groups[g].nodes;
    /* serial work from a hundredth of the parallel work on all nodes to all of it */
    const double coefficients[] = {pow(10, -2 * uniform(c)) / nodes, 0.05,
                                   c->models.models[0].coefficients[1]};
    mt_models_clear(&c->models);
    c->models.kind = MT_MODEL_AUTO;
    c->models.posterior = posterior;
    add_hypothesis(posterior, TERMS, 1, compute, coefficients);
    free(compute);
}

void plan_case_large_auto(struct plan_case *c, uint64_t number, int nodes, int groups,
                          int choices)
{
    plan_case_large(c, number, nodes, groups, choices);
    plan_case_make_auto(c);
}

/* The models of a layout with threads: those of one with a thread, of which the threads
   do the work, and start. */
static void add_threaded_models(struct plan_case *c, const struct mt_group *group,
                                struct mt_layout layout, double efficiency)
{
    const int count = c->models.count;
    const double threads = mt_layout_threads(layout);
    for (int i = 0; i < count; i++) {
        const struct mt_model *like = &c->models.models[i];
        if (strcmp(like->group, group->name) != 0 || like->layout.threads > 0 ||
            like->layout.processes != layout.processes)
            continue;
        double coefficients[4];
        memcpy(coefficients, like->coefficients, sizeof coefficients);
        coefficients[0] /= 1 + (threads - 1) * efficiency;
        coefficients[2] += 0.25 * (threads - 1) * (1 - efficiency);
        add_model(c, group, layout.processes, like->split, coefficients);
        struct mt_model *model = &c->models.models[c->models.count - 1];
        model->layout.threads = layout.threads;
    }
}

/* Layout `i` of the group is followed by those with more threads. */
static void give_group_threads(struct plan_case *c, struct mt_group *group, int numbers,
                               double probability)
{
    const size_t room = (size_t)group->nlayouts * (size_t)numbers;
    struct mt_layout *layouts = need(calloc(room, sizeof *layouts));
    int count = 0;
    for (int i = 0; i < group->nlayouts; i++)
        for (int t = 0; t < numbers; t++) {
            const struct mt_layout layout = {.processes = group->layouts[i].processes,
                                             .threads = t > 0 ? 1 << t : 0};
            if (t > 0 && probability < 1 && !chance(c, probability))
                continue;
            layouts[count++] = layout;
            if (t > 0)
                add_threaded_models(c, group, layout, pick(c, 0, 4) * 0.25);
        }
    free(group->layouts);
    group->layouts = layouts;
    group->nlayouts = count;
}

/* Bind some of the group's layouts, and their models alike. */
static void bind_some(struct plan_case *c, struct mt_group *group)
{
    for (int i = 0; i < group->nlayouts; i++) {
        const struct mt_layout layout = group->layouts[i];
        group->layouts[i].bind = chance(c, 0.4) ? MT_BIND_CORE : MT_BIND_DEFAULT;
        for (int m = 0; m < c->models.count; m++) {
            struct mt_model *model = &c->models.models[m];
            if (strcmp(model->group, group->name) == 0 &&
                mt_layout_compare(model->layout, layout) == 0)
                model->layout = group->layouts[i];
        }
    }
}

void plan_case_threads(struct plan_case *c, uint64_t number)
{
    plan_case_lone(c, number);
    for (int g = 0; g < c->cluster.ngroups; g++)
        give_group_threads(c, &c->cluster.groups[g], 3, 0.6);
    for (int g = 0; g < c->cluster.ngroups && chance(c, 0.5); g++)
        bind_some(c, &c->cluster.groups[g]);
}

void plan_case_give_threads(struct plan_case *c, int numbers)
{
    for (int g = 0; g < c->cluster.ngroups; g++)
        give_group_threads(c, &c->cluster.groups[g], numbers, 1);
}

void plan_case_clear(struct plan_case *c)
{
    mt_cluster_clear(&c->cluster);
    mt_program_clear(&c->program);
    mt_models_clear(&c->models);
}
