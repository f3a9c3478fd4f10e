/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact search by the posterior: best-first branch and bound over boxes of
   configurations (Land and Doig 1960). */
#include "bounds.h"

#include "climb.h"
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A waiting box, and the lower bound of its configurations. */
struct waiting {
    struct mt_box box;
    struct mt_bounds *bounds;
    double seconds, value; /* of the objective */
    struct mt_cut cut;
};

struct search {
    const struct mt_predictor *predictor;
    struct mt_question question; /* the question with limits on predicted values */
    int top;
    struct mt_plan *plan;
    struct mt_bounds *regions; /* owned */
    int nregions;
    struct waiting *heap; /* owned */
    int count;
    bool behind;     /* searching for configurations that rank behind */
    double programs; /* linear programs left for bounds */
    double unproven;
};

static int compare_waiting(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    const double x = a->value != b->value ? a->value : a->seconds,
                 y = a->value != b->value ? b->value : b->seconds;
    return (x > y) - (x < y);
}

static int push(struct search *search, const struct waiting *waiting,
                struct mt_error *err)
{
    const int status = mt_array_grow(&search->heap, search->count, sizeof *search->heap,
                                     "boxes of configurations", err);
    if (status != MT_OK)
        return status;
    search->heap[search->count++] = *waiting;
    mt_heap_raise(search->heap, search->count, sizeof *search->heap, compare_waiting);
    return MT_OK;
}

static struct waiting pop(struct search *search)
{
    mt_heap_retire(search->heap, search->count, sizeof *search->heap, compare_waiting);
    return search->heap[--search->count];
}

/* Whether a choice rules out everything with these bounds. */
static bool beats(const struct search *search, const struct mt_choice *choice,
                  double seconds, double value)
{
    const double best = mt_choice_value(choice, search->question.objective);
    if (choice->behind != search->behind)
        return search->behind;
    return value > best || (value == best && seconds > choice->prediction.seconds);
}

/* Whether nothing with these bounds and this number of ranks (0: any) can be kept. */
static bool is_hopeless(const struct search *search, int ranks, double seconds,
                        double value)
{
    const struct mt_plan *plan = search->plan;
    if (plan->count == search->top &&
        beats(search, &plan->choices[search->top - 1], seconds, value))
        return true;
    for (int i = 0; i < plan->count && ranks > 0; i++)
        if (plan->choices[i].ranks == ranks)
            return beats(search, &plan->choices[i], seconds, value);
    return false;
}

/* The most resources that nodes may take for a run of at least these seconds. */
static void find_limits(const struct search *search, double seconds,
                        double most[MT_RESOURCES])
{
    const struct mt_plan *plan = search->plan;
    const enum mt_objective objective = search->question.objective;
    const enum mt_resource least = mt_objective_resource(objective);
    for (int r = 0; r < MT_RESOURCES; r++) {
        const int64_t allowed =
            mt_question_allows(&search->question, (enum mt_resource)r, seconds);
        most[r] = allowed < INT64_MAX ? (double)allowed : INFINITY;
    }
    if (least == MT_NODES || plan->count < search->top ||
        plan->choices[search->top - 1].behind != search->behind)
        return;
    const double value = mt_choice_value(&plan->choices[search->top - 1], objective);
    const int64_t kept = value > 0 ? mt_resource_limit(least, value, seconds) : 0;
    most[least] = fmin(most[least], kept < INT64_MAX ? (double)kept : INFINITY);
}

static int consider(struct search *search, const struct mt_configuration *configuration,
                    struct mt_error *err)
{
    if (mt_plan_has(search->plan, configuration) ||
        mt_samples_failed(&search->predictor->samples, configuration,
                          search->question.size))
        return MT_OK;
    return mt_plan_consider(search->plan, search->predictor, &search->question,
                            search->top, configuration, err);
}

/* Bound a box, and add it to the waiting ones unless nothing in it can be kept.
   `seconds`: a lower bound. */
static int add_box(struct search *search, struct mt_bounds *bounds, struct mt_box box,
                   double seconds, struct mt_error *err)
{
    const enum mt_resource least = mt_objective_resource(search->question.objective);
    const double deadline = search->question.deadline;
    struct mt_configuration only;
    struct mt_bound bound;
    double most[MT_RESOURCES];
    find_limits(search, seconds, most);
    if (!mt_box_tighten(&box, bounds, most))
        return MT_OK;
    search->programs += bounds->solved;
    search->plan->evaluated++;
    mt_bounds_find(bounds, &box, most, &bound);
    search->programs -= bounds->solved;
    if (bound.seconds == INFINITY)
        return MT_OK;
    struct waiting waiting = {.box = box,
                              .bounds = bounds,
                              .seconds = fmax(seconds, exp(bound.seconds)),
                              .value = exp(bound.value),
                              .cut = bound.cut};
    const int ranks = box.low == box.high ? box.low : 0;
    waiting.value = least == MT_NODES ? waiting.seconds
                                      : mt_resource_value(least, waiting.value, 1);
    if ((deadline > 0 && waiting.seconds > deadline) ||
        is_hopeless(search, ranks, waiting.seconds, waiting.value))
        return MT_OK;
    if (mt_box_single(&box, bounds, &only))
        return consider(search, &only, err);
    int status = MT_OK;
    const double likely = exp(bound.estimate - bounds->slack);
    if (bound.any && !is_hopeless(search, mt_configuration_ranks(&bound.likely), likely,
                                  least == MT_NODES ? likely : 0))
        status = consider(search, &bound.likely, err);
    return status == MT_OK ? push(search, &waiting, err) : status;
}

static int search_boxes(struct search *search, struct mt_error *err)
{
    int status = MT_OK;
    while (status == MT_OK && search->count > 0) {
        if (is_hopeless(search, 0, search->heap[0].seconds, search->heap[0].value))
            break;
        if (search->programs <= 0) {
            search->unproven = fmin(search->unproven, search->heap[0].value);
            break;
        }
        const struct waiting next = pop(search);
        for (int upper = 0; upper < 2 && status == MT_OK; upper++)
            status =
                add_box(search, next.bounds, mt_box_part(&next.box, &next.cut, upper),
                        next.seconds, err);
    }
    search->count = 0;
    return status;
}

/* Try the configurations that the bounds do not cover: those that ran at this size or
   always failed, and mixed ones that ran at any size. */
static int consider_runs(struct search *search, struct mt_error *err)
{
    const struct mt_predictor *predictor = search->predictor;
    const struct mt_measured_list *measured = &predictor->measured;
    const struct mt_samples *samples = &predictor->samples;
    const double size = search->question.size;
    int status = MT_OK;
    for (int i = 0; i < measured->count && status == MT_OK; i++)
        status = consider(search, &measured->all[i].configuration, err);
    for (int i = 0; i < samples->nfailed && status == MT_OK; i++) {
        const struct mt_sample *run = &samples->failed[i];
        bool first = run->size == size;
        for (int k = 0; k < i && first; k++)
            first = samples->failed[k].size != size ||
                    !mt_configuration_equal(&samples->failed[k].configuration,
                                            &run->configuration);
        if (first && mt_samples_failed(samples, &run->configuration, size))
            status = mt_plan_consider(search->plan, predictor, &search->question,
                                      search->top, &run->configuration, err);
    }
    return status;
}

static int consider_nodes(struct search *search, struct mt_error *err)
{
    int status = MT_OK;
    for (int k = 0; k < search->nregions; k++)
        for (int i = 0; i < search->regions[k].nways && status == MT_OK; i++) {
            const struct mt_way *way = &search->regions[k].ways[i];
            struct mt_configuration one = {{{0}}};
            one.use[way->group] = mt_use_nodes(1, way->layout);
            status = consider(search, &one, err);
        }
    return status;
}

static int add_region(struct search *search, struct mt_region region,
                      struct mt_error *err)
{
    int status = mt_array_grow(&search->regions, search->nregions,
                               sizeof *search->regions, "regions of a plan", err);
    if (status != MT_OK)
        return status;
    struct mt_bounds *bounds = &search->regions[search->nregions];
    *bounds = (struct mt_bounds){0};
    status = mt_bounds_init(bounds, search->predictor, &search->question, region, err);
    if (status == MT_OK && bounds->nways > 0)
        search->nregions++;
    else
        mt_bounds_clear(bounds);
    return status;
}

static int find_regions(struct search *search, struct mt_error *err)
{
    const struct mt_cluster *cluster = search->predictor->problem.cluster;
    int status = MT_OK;
    for (int g = MT_MAINLAND; g < cluster->ngroups; g++)
        for (int bind = 0; bind < MT_BINDS; bind++) {
            struct mt_region region = {g, (enum mt_bind)bind, -1};
            while (status == MT_OK && (g < 0 || cluster->groups[g].alone) &&
                   mt_cluster_next_threads(cluster, region.bind, &region.threads))
                status = add_region(search, region, err);
        }
    return status;
}

/* The range of P of a group's runs alone, beyond twice which predictions are
   guesses. */
static void known_ranks(const struct search *search, int group, struct mt_box *box)
{
    const struct mt_measured_list *measured = &search->predictor->measured;
    double fewest = INFINITY, most = 0;
    for (int i = 0; i < measured->count; i++) {
        const struct mt_configuration *run = &measured->all[i].configuration;
        if (mt_configuration_only_group(run) != group)
            continue;
        fewest = fmin(fewest, mt_configuration_ranks(run));
        most = fmax(most, mt_configuration_ranks(run));
    }
    box->low = (int)fmax(box->low, fmin(ceil(fewest / 2), INT_MAX));
    box->high = (int)fmin(box->high, 2 * most);
}

/* Whether an earlier run used all groups of a run. */
static bool ran_before(const struct mt_measured_list *measured, int run)
{
    for (int i = 0; i < run; i++) {
        bool all = true;
        for (int g = 0; g < MT_MAX_GROUPS; g++)
            all &= measured->all[run].configuration.use[g].nodes == 0 ||
                   measured->all[i].configuration.use[g].nodes > 0;
        if (all)
            return true;
    }
    return false;
}

/* Search the configurations of each group alone, and of several; if some rank behind,
   of groups that ran together. */
static int search_all(struct search *search, bool known, struct mt_error *err)
{
    const struct mt_cluster *cluster = search->predictor->problem.cluster;
    const struct mt_measured_list *measured = &search->predictor->measured;
    int status = MT_OK;
    for (int k = 0; k < search->nregions; k++) {
        struct mt_bounds *bounds = &search->regions[k];
        const struct mt_box several = mt_box_all(bounds, MT_MAINLAND);
        for (int g = 0; g < cluster->ngroups && status == MT_OK; g++) {
            struct mt_box alone = mt_box_all(bounds, g);
            if (known)
                known_ranks(search, g, &alone);
            if (alone.groups[g].high > 0)
                status = add_box(search, bounds, alone, 0, err);
        }
        for (int i = 0; i < (known ? measured->count : 1) && status == MT_OK; i++) {
            const struct mt_configuration *run = &measured->all[i].configuration;
            struct mt_box box = several;
            if (known && ran_before(measured, i))
                continue;
            for (int g = 0; g < MT_MAX_GROUPS && known; g++)
                if (run->use[g].nodes == 0)
                    box.groups[g] = (struct mt_stretch){0};
            status = add_box(search, bounds, box, 0, err);
        }
    }
    return status == MT_OK ? search_boxes(search, err) : status;
}

static int search_ranks(struct search *search, struct mt_error *err)
{
    const struct mt_question *question = &search->question;
    const bool ranked = mt_measured_any(&search->predictor->measured, question->size);
    struct mt_plan *plan = search->plan;
    int status = MT_OK;
    if (!ranked || !question->ran_first)
        status = search_all(search, ranked, err);
    const bool first = plan->count > 0 && !plan->choices[0].behind;
    const double unproven = search->unproven;
    search->behind = true;
    if (status == MT_OK && ranked &&
        (plan->count < search->top || plan->choices[plan->count - 1].behind))
        status = search_all(search, false, err);
    if (first) /* configurations that are behind do not count */
        search->unproven = unproven;
    return status;
}

int mt_bounds_search(struct mt_plan *plan, const struct mt_predictor *predictor,
                     const struct mt_question *question, int top, struct mt_error *err)
{
    struct mt_plan found = {0};
    struct search search = {.predictor = predictor,
                            .question = *question,
                            .top = top,
                            .plan = &found,
                            .programs = most_programs,
                            .unproven = INFINITY};
    search.question.confidence = 0;
    int status = find_regions(&search, err);
    if (status == MT_OK)
        status = consider_runs(&search, err);
    if (status == MT_OK)
        status = consider_nodes(&search, err);
    struct mt_climb climb = {.predictor = predictor,
                             .question = &search.question,
                             .evaluations = BEFORE_BRANCHES};
    if (status == MT_OK && mt_configuration_count(predictor->problem.cluster) > few)
        status = mt_climb_from_scratch(&climb, &found, top, err);
    if (status == MT_OK)
        status = search_ranks(&search, err);
    const double best = mt_plan_best_value(&found, question->objective);
    found.exact = search.unproven > best || isinf(search.unproven);
    found.bound = fmin(search.unproven, best);
    found.configurations = mt_configuration_count(predictor->problem.cluster);
    for (int k = 0; k < search.nregions; k++)
        mt_bounds_clear(&search.regions[k]);
    free(search.regions);
    free(search.heap);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}
