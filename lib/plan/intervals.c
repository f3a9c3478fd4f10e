/* SPDX-License-Identifier: BSD-3-Clause */
/* The search by the papers' models, T = max over the groups used of T_i(N, P | M_i),
   where there are too many configurations to try each: best-first branch and bound over
   intervals of P (Land and Doig 1960). In an interval, interval arithmetic (Moore 1966)
   on a model's terms bounds a layout's time from below, and the run takes at least the
   smallest threshold under which there are nodes for P. */
#include "bounds.h"
#include "climb.h"
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "search.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A layout of a group's nodes, and its least time in the current interval. */
struct use {
    double seconds; /* first, to be compared */
    int group;
    struct mt_layout layout;
    const struct mt_model *models[2]; /* where the program's split is false, true */
};

struct interval {
    struct mt_region region;
    int low, high; /* P */
    double value;  /* that none is below */
};

struct search {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    int top;
    struct mt_plan *plan;
    struct use *uses; /* owned; those of the current interval come first, by seconds */
    int nuses, nhere;
    int most[MT_MAX_GROUPS]; /* processes on a node within the current threshold */
    struct interval *heap;   /* owned */
    int count;
    double unproven; /* lower bound of everything that was not searched */
    int fillings;    /* that may still be tried */
};

/* More than all roundings of sums over the groups, whose terms are whole numbers. */
static const double slack = 1e-12;

static const struct mt_group *group_at(const struct search *search, int g)
{
    return &search->predictor->problem.cluster->groups[g];
}

static int compare_intervals(const void *left, const void *right)
{
    const struct interval *a = left, *b = right;
    return mt_compare_doubles(&a->value, &b->value);
}

static struct mt_range range_of(const struct search *search,
                                const struct interval *interval,
                                const struct mt_expr *expr, int processes)
{
    const double size = search->question->size;
    const struct mt_range variables[MT_NVARIABLES] = {
        [MT_N] = {size, size},
        [MT_P] = {interval->low, interval->high},
        [MT_M] = {processes, processes},
    };
    return mt_expr_range(expr, variables);
}

/* What the layout takes at least; INFINITY: it cannot be used. */
static double least_seconds(const struct search *search,
                            const struct interval *interval, const struct use *use)
{
    const struct mt_program *program = search->predictor->problem.program;
    const double memory = group_at(search, use->group)->memory;
    const int m = use->layout.processes;
    const bool one = interval->low == interval->high;
    const int split = one ? mt_models_split(program, interval->low) : -1;
    double least = INFINITY;
    if (m > interval->high ||
        (memory > 0 && program->memory &&
         m * range_of(search, interval, program->memory, m).low > memory))
        return INFINITY;
    for (int i = 0; i < 2; i++)
        if (use->models[i] && (split < 0 || split == i))
            least = fmin(least, mt_model_least(use->models[i], search->question->size,
                                               interval->low, interval->high));
    return least;
}

/* Put the layouts of the interval's region first, by their least time there. */
static void look_at(struct search *search, const struct interval *interval)
{
    search->nhere = 0;
    for (int i = 0; i < search->nuses; i++) {
        struct use use = search->uses[i];
        use.seconds =
            mt_region_has(interval->region, search->predictor->problem.cluster,
                          use.group, use.layout)
                ? least_seconds(search, interval, &use)
                : INFINITY;
        search->uses[i] = use;
        search->nhere += use.seconds < INFINITY;
    }
    qsort(search->uses, (size_t)search->nuses, sizeof *search->uses,
          mt_compare_doubles);
    memset(search->most, 0, sizeof search->most);
}

/* The groups with a layout within the threshold, in the order of a process's use of the
   resource; returns their number. */
static int order_groups(const struct search *search, enum mt_resource resource,
                        int order[MT_MAX_GROUPS])
{
    double takes[MT_MAX_GROUPS];
    int count = 0;
    for (int g = 0; g < search->predictor->problem.cluster->ngroups; g++) {
        int i = count;
        if (search->most[g] == 0)
            continue;
        takes[g] =
            (double)mt_node_takes(group_at(search, g), resource) / search->most[g];
        for (; i > 0 && takes[order[i - 1]] > takes[g]; i--)
            order[i] = order[i - 1];
        order[i] = g;
        count++;
    }
    return count;
}

/* The least resource for `ranks` ranks within the threshold; INFINITY: they have no
   room. */
static double least_takes(const struct search *search, enum mt_resource resource,
                          double ranks)
{
    int order[MT_MAX_GROUPS];
    const int count = order_groups(search, resource, order);
    double takes = 0;
    for (int i = 0; i < count; i++) {
        const struct mt_group *group = group_at(search, order[i]);
        const double most = search->most[order[i]], room = group->nodes * most,
                     of_node = (double)mt_node_takes(group, resource);
        if (ranks <= room)
            return ceil((takes + ranks / most * of_node) * (1 - slack));
        takes += group->nodes * of_node;
        ranks -= room;
    }
    return INFINITY;
}

/* Raise the threshold to the i-th layout, and return a lower bound of the value within
   it; INFINITY: the limits leave no room. */
static double raise(struct search *search, const struct interval *interval, int i)
{
    const struct use *use = &search->uses[i];
    const struct mt_question *question = search->question;
    const enum mt_resource least = mt_objective_resource(question->objective);
    int *most = &search->most[use->group];
    *most = *most > use->layout.processes ? *most : use->layout.processes;
    if (i + 1 < search->nhere && search->uses[i + 1].seconds == use->seconds)
        return INFINITY;
    if (question->deadline > 0 && use->seconds > question->deadline)
        return INFINITY;
    for (int r = 0; r < MT_RESOURCES; r++) {
        const enum mt_resource resource = (enum mt_resource)r;
        if (least_takes(search, resource, interval->low) >
            (double)mt_question_allows(question, resource, use->seconds))
            return INFINITY;
    }
    return least == MT_NODES
               ? use->seconds
               : mt_resource_value(least, use->seconds,
                                   (int64_t)least_takes(search, least, interval->low));
}

static bool any_valid(const struct search *search, const struct interval *interval)
{
    const struct mt_program *program = search->predictor->problem.program;
    if (interval->low == interval->high)
        return mt_program_valid(program, search->question->size, interval->low);
    if (!program->valid)
        return true;
    const struct mt_range valid = range_of(search, interval, program->valid, 0);
    return valid.low != 0 || valid.high != 0;
}

/* Bound an interval, and add it to the waiting ones. */
static int add(struct search *search, struct interval interval, struct mt_error *err)
{
    const bool by_time = search->question->objective == MT_FASTEST;
    if (!any_valid(search, &interval))
        return MT_OK;
    search->plan->evaluated++;
    look_at(search, &interval);
    interval.value = INFINITY;
    for (int i = 0; i < search->nhere && !(by_time && interval.value < INFINITY); i++)
        interval.value = fmin(interval.value, raise(search, &interval, i));
    if (interval.value == INFINITY)
        return MT_OK;
    const int status = mt_array_grow(&search->heap, search->count, sizeof *search->heap,
                                     "intervals of P", err);
    if (status != MT_OK)
        return status;
    search->heap[search->count++] = interval;
    mt_heap_raise(search->heap, search->count, sizeof *search->heap, compare_intervals);
    return MT_OK;
}

/* A configuration of a number of ranks, built group by group. */
struct filling {
    const struct search *search;
    double threshold;
    int order[MT_MAX_GROUPS], count;
    /* For each group: the room of it and all groups after it, and a divisor of their
       ranks. */
    double room[MT_MAX_GROUPS + 1];
    int divisor[MT_MAX_GROUPS + 1];
    int tries;
    struct mt_configuration made;
};

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Begin with the `first`-th group, then take those that need least of a resource. */
static void begin(struct filling *filling, enum mt_resource resource, int first)
{
    const struct search *search = filling->search;
    filling->made = (struct mt_configuration){{{0}}};
    filling->count = order_groups(search, resource, filling->order);
    if (first < filling->count) {
        const int group = filling->order[first];
        memmove(&filling->order[1], filling->order, (size_t)first * sizeof group);
        filling->order[0] = group;
    }
    for (int k = filling->count - 1; k >= 0; k--) {
        const int g = filling->order[k];
        filling->room[k] =
            filling->room[k + 1] + (double)group_at(search, g)->nodes * search->most[g];
        filling->divisor[k] = filling->divisor[k + 1];
        for (int i = 0; i < search->nhere; i++)
            if (search->uses[i].group == g &&
                search->uses[i].seconds <= filling->threshold)
                filling->divisor[k] = common_divisor(filling->divisor[k],
                                                     search->uses[i].layout.processes);
    }
}

/* The group's layout within the threshold with the most processes, but fewer than
   these; NULL: none. */
static const struct use *next_use(const struct filling *filling, int group, int below)
{
    const struct search *search = filling->search;
    const struct use *next = NULL;
    for (int i = 0; i < search->nhere; i++) {
        const struct use *use = &search->uses[i];
        if (use->group == group && use->seconds <= filling->threshold &&
            use->layout.processes < below &&
            (!next || use->layout.processes > next->layout.processes))
            next = use;
    }
    return next;
}

/* Give the groups from the k-th on these ranks; false: impossible, or not found. */
static bool fill(struct filling *filling, int k, int ranks)
{
    if (ranks == 0)
        return true;
    if (k == filling->count || ranks > filling->room[k] ||
        ranks % filling->divisor[k] != 0)
        return false;
    const int g = filling->order[k], nodes = group_at(filling->search, g)->nodes;
    const struct use *use = next_use(filling, g, INT_MAX);
    for (; use; use = next_use(filling, g, use->layout.processes)) {
        const int m = use->layout.processes;
        for (int n = ranks / m < nodes ? ranks / m : nodes;
             n > 0 && ranks - n * m <= filling->room[k + 1] && filling->tries-- > 0;
             n--) {
            filling->made.use[g] = mt_use_nodes(n, use->layout);
            if (fill(filling, k + 1, ranks - n * m))
                return true;
        }
    }
    filling->made.use[g] = (struct mt_use){0};
    return fill(filling, k + 1, ranks);
}

/* Build configurations of a number of ranks within the threshold, from groups that need
   little of some resource, and keep the best; `value`: a lower bound. */
static int make(struct search *search, int ranks, double threshold, double value,
                struct mt_error *err)
{
    const enum mt_objective objective = search->question->objective;
    struct mt_plan found = {0};
    const int most =
        search->fillings < MOST_FILLINGS ? search->fillings : MOST_FILLINGS;
    struct filling filling = {.search = search, .threshold = threshold, .tries = most};
    int status = MT_OK;
    for (int i = 0; status == MT_OK; i++) {
        begin(&filling, (enum mt_resource)(i % MT_RESOURCES), i / MT_RESOURCES);
        /* the first group matters if limits are hard to keep */
        if (i / MT_RESOURCES > 0 && (i / MT_RESOURCES >= filling.count ||
                                     search->plan->count + found.count > 0))
            break;
        if (fill(&filling, 0, ranks))
            status = mt_plan_consider(&found, search->predictor, search->question, 1,
                                      &filling.made, err);
        else if (filling.tries > 0) { /* it cannot be made */
            search->fillings -= most - filling.tries;
            return MT_OK;
        }
    }
    search->fillings -= most - (filling.tries > 0 ? filling.tries : 0);
    if (mt_plan_best_value(&found, objective) > value)
        search->unproven = fmin(search->unproven, value);
    if (found.count > 0 && status == MT_OK)
        status =
            mt_plan_keep(search->plan, objective, search->top, &found.choices[0], err);
    mt_plan_clear(&found);
    return status;
}

/* Find the best configuration of a single P, raising the threshold (for time, the
   value) as long as it may beat the best one so far with that P. */
static int settle(struct search *search, const struct interval *interval,
                  struct mt_error *err)
{
    const struct mt_plan *plan = search->plan;
    double best = INFINITY;
    int status = MT_OK;
    look_at(search, interval);
    for (int i = 0; i < search->nhere && status == MT_OK; i++) {
        const double value = raise(search, interval, i);
        if (value < best)
            status = make(search, interval->low, search->uses[i].seconds, value, err);
        for (int k = 0; k < plan->count; k++)
            if (plan->choices[k].ranks == interval->low)
                best = mt_choice_value(&plan->choices[k], search->question->objective);
    }
    return status;
}

static int split(struct search *search, const struct interval *interval,
                 struct mt_error *err)
{
    struct interval lower = *interval, upper = *interval;
    lower.high = interval->low + (interval->high - interval->low) / 2;
    upper.low = lower.high + 1;
    const int status = add(search, lower, err);
    return status == MT_OK ? add(search, upper, err) : status;
}

static int search_intervals(struct search *search, struct mt_error *err)
{
    const struct mt_plan *plan = search->plan;
    const enum mt_objective objective = search->question->objective;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && search->count > 0; i++) {
        const double value = search->heap[0].value;
        const struct mt_choice *last =
            plan->count == search->top ? &plan->choices[search->top - 1] : NULL;
        const bool is_over = last && value >= mt_choice_value(last, objective);
        if (is_over || i == MOST_INTERVALS || search->fillings <= 0) {
            if (!is_over || last->behind) /* an unsearched one may rank before it */
                search->unproven = fmin(search->unproven, value);
            break;
        }
        mt_heap_retire(search->heap, search->count, sizeof *search->heap,
                       compare_intervals);
        const struct interval next = search->heap[--search->count];
        status = next.low == next.high ? settle(search, &next, err)
                                       : split(search, &next, err);
    }
    return status;
}

/* Find the models of a group's layout; false: none. */
static bool find_models(const struct mt_models *models, const char *group,
                        struct use *use)
{
    for (int i = 0; i < 2; i++)
        for (int k = models->count - 1; k >= 0; k--) {
            const struct mt_model *model = &models->models[k];
            if ((model->split < 0 || model->split == i) &&
                mt_layout_compare(model->layout, use->layout) == 0 &&
                strcmp(model->group, group) == 0)
                use->models[i] = model;
        }
    return use->models[0] || use->models[1];
}

static int find_uses(struct search *search, struct mt_error *err)
{
    const struct mt_problem *problem = &search->predictor->problem;
    int status = MT_OK;
    for (int g = 0; g < problem->cluster->ngroups; g++) {
        const struct mt_group *group = group_at(search, g);
        for (int i = 0; i < group->nlayouts && group->nodes > 0; i++) {
            struct use use = {.group = g, .layout = group->layouts[i]};
            if (status != MT_OK || !find_models(problem->models, group->name, &use))
                continue;
            status = mt_array_grow(&search->uses, search->nuses, sizeof *search->uses,
                                   "layouts", err);
            if (status == MT_OK)
                search->uses[search->nuses++] = use;
        }
    }
    return status;
}

/* Search all P of the groups that may be mixed, and of each other group. */
static int add_regions(struct search *search, struct mt_error *err)
{
    const struct mt_cluster *cluster = search->predictor->problem.cluster;
    int status = MT_OK;
    for (int g = MT_MAINLAND; g < cluster->ngroups; g++)
        for (int bind = 0; bind < MT_BINDS; bind++) {
            struct interval all = {
                .region = {g, (enum mt_bind)bind, -1}, .low = 1, .high = INT_MAX};
            while (
                status == MT_OK && (g < 0 || cluster->groups[g].alone) &&
                mt_cluster_next_threads(cluster, all.region.bind, &all.region.threads))
                status = add(search, all, err);
        }
    return status;
}

int mt_intervals_search(struct mt_plan *plan, const struct mt_predictor *predictor,
                        const struct mt_question *question, int top,
                        struct mt_error *err)
{
    struct search search = {.predictor = predictor,
                            .question = question,
                            .top = top,
                            .plan = plan,
                            .unproven = INFINITY,
                            .fillings = ALL_FILLINGS};
    const struct mt_measured_list *ran = &predictor->measured;
    struct mt_climb climb = {
        .predictor = predictor, .question = question, .evaluations = BEFORE_INTERVALS};
    int status = find_uses(&search, err);
    for (int i = 0; i < ran->count && status == MT_OK; i++) /* which rank first */
        status = mt_plan_consider(plan, predictor, question, top,
                                  &ran->all[i].configuration, err);
    if (status == MT_OK)
        status = mt_climb_from_scratch(&climb, plan, top, err);
    if (status == MT_OK)
        status = add_regions(&search, err);
    if (status == MT_OK)
        status = search_intervals(&search, err);
    const double best = mt_plan_best_value(plan, question->objective);
    plan->bound = fmin(search.unproven, best);
    plan->exact = search.unproven >= best;
    free(search.uses);
    free(search.heap);
    return status;
}
