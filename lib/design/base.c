/* SPDX-License-Identifier: BSD-3-Clause */
/* The base of a design: for each group and layout the fewest and the most nodes, at a
   few sizes each, within the limits. */
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "state.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/*
 * Ladders.
 */

static int group_of(const struct mt_candidate *candidate)
{
    return mt_configuration_only_group(&candidate->configuration);
}

static const struct mt_use *use_of(const struct mt_candidate *candidate)
{
    return &candidate->configuration.use[group_of(candidate)];
}

/* Orders by group and layout. */
static int compare_classes(const struct mt_candidate *a, const struct mt_candidate *b)
{
    const int group = group_of(a), other = group_of(b);
    const int order = mt_compare_ints(&group, &other);
    return order != 0 ? order : mt_layout_compare(use_of(a)->layout, use_of(b)->layout);
}

static int compare_candidates(const void *left, const void *right)
{
    const struct mt_candidate *a = left, *b = right;
    int order = compare_classes(a, b);
    if (order == 0)
        order = mt_compare_ints(&use_of(a)->nodes, &use_of(b)->nodes);
    return order != 0 ? order : mt_compare_doubles(&a->size, &b->size);
}

/* Go through the sorted candidates and open a ladder and a class where one begins. */
static void open_ladders(struct mt_design *design)
{
    for (int i = 0; i < design->count; i++) {
        const struct mt_candidate *candidate = &design->candidates[i];
        const struct mt_use *use = use_of(candidate);
        const bool new_class = i == 0 || compare_classes(candidate, candidate - 1) != 0;
        if (new_class && i > 0)
            design->ladders[design->nladders - 1].most = true;
        if (new_class)
            design->classes[design->nclasses++] = (struct mt_design_class){
                .group = group_of(candidate), .layout = use->layout};
        if (new_class || use->nodes != use_of(candidate - 1)->nodes)
            design->ladders[design->nladders++] = (struct mt_ladder){
                .first = i, .class = design->nclasses - 1, .fewest = new_class};
        design->ladders[design->nladders - 1].count++;
    }
    design->ladders[design->nladders - 1].most = true;
}

/* Classes between others of their group may be learned from these. With threads, the
   layouts that use all cores are the most informative. */
static void set_levels_of(struct mt_design_class *classes, int count,
                          const struct mt_group *group)
{
    int most = 0, full = 0, seen = 0;
    for (int i = 0; i < count; i++)
        most = (int)fmax(most, mt_layout_cores(classes[i].layout));
    for (int i = 0; i < count; i++) {
        classes[i].level = mt_group_leaves_cores(group, classes[i].layout) ? 3 : 2;
        full += mt_layout_cores(classes[i].layout) == most;
    }
    if (full == 1)
        classes[count / 2].level = 1;
    for (int i = 0; i < count; i++) {
        if (mt_layout_cores(classes[i].layout) != most)
            continue;
        if (seen == 0 || seen == full - 1)
            classes[i].level = 0;
        else if (seen == full / 2)
            classes[i].level = 1;
        seen++;
    }
    classes[0].level = classes[count - 1].level = 0;
}

static void set_levels(struct mt_design *design)
{
    for (int first = 0, end; first < design->nclasses; first = end) {
        struct mt_design_class *classes = &design->classes[first];
        for (end = first + 1;
             end < design->nclasses && design->classes[end].group == classes->group;)
            end++;
        set_levels_of(classes, end - first, &design->cluster->groups[classes->group]);
    }
}

int mt_design_sort(struct mt_design *design, struct mt_error *err)
{
    const size_t count = (size_t)design->count;
    design->ladders = calloc(count, sizeof *design->ladders);
    design->classes = calloc(count, sizeof *design->classes);
    if (!design->ladders || !design->classes)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    qsort(design->candidates, count, sizeof *design->candidates, compare_candidates);
    open_ladders(design);
    set_levels(design);
    for (int c = 0; c < design->nclasses; c++)
        design->nplanned += design->classes[c].level <= MT_MOST_LEVEL;
    return MT_OK;
}

int mt_design_uncovered(const struct mt_design *design, const struct mt_base *coming)
{
    int uncovered = 0;
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        bool seen = false;
        if (!ladder->most || design->classes[ladder->class].level > MT_MOST_LEVEL)
            continue;
        for (int i = ladder->first; i < ladder->first + ladder->count; i++) {
            seen = seen || design->trials[i].runs > 0;
            for (int k = 0; coming && k < coming->left; k++)
                seen = seen || coming->wanted[k] == i;
        }
        uncovered += !seen;
    }
    return uncovered;
}

/*
 * The base.
 */

/* The sizes chosen from a ladder. */
struct choice {
    int chosen[BASE_SIZES]; /* candidates */
    int count;
};

static double cost_of(const struct mt_design *design, int candidate)
{
    return mt_design_cost(design, design->trials[candidate].seconds);
}

/* How badly a candidate's size represents the wanted one: their ratio. Among near
   sizes, one that ran already is best, then one without conflicts. */
static double misfit(const struct mt_design *design, int candidate, double wanted)
{
    const double size = design->candidates[candidate].size;
    const double ratio = fmax(size / wanted, wanted / size);
    if (ratio >= near_ratio)
        return ratio;
    if (design->trials[candidate].runs > 0)
        return ratio - 2;
    return fmod(size, conflict_size) != 0 ? ratio - 1 : ratio;
}

/* Choose one from `first` to `last` that was not chosen, if there is any. */
static void choose_size(struct choice *choice, const struct mt_design *design,
                        int first, int last, double wanted)
{
    double least = INFINITY;
    int best = -1;
    for (int i = first; i <= last; i++) {
        bool may_be_chosen = mt_design_is_open(design, i);
        for (int k = 0; k < choice->count; k++)
            may_be_chosen = may_be_chosen && choice->chosen[k] != i;
        if (!may_be_chosen || misfit(design, i, wanted) >= least)
            continue;
        least = misfit(design, i, wanted);
        best = i;
    }
    if (best >= 0)
        choice->chosen[choice->count++] = best;
}

static bool is_of_base(const struct mt_design *design, const struct mt_ladder *ladder,
                       const struct shape *shape)
{
    return (ladder->fewest || ladder->most) &&
           design->classes[ladder->class].level <= shape->level;
}

static struct shape shape_of_base(const struct mt_design *design)
{
    const int last = (int)(sizeof shapes / sizeof *shapes) - 1;
    const double share =
        design->cluster->ngroups > 1 ? share_of_runs : share_of_one_group;
    for (int i = 0; i < last; i++) {
        int runs = 0;
        for (int l = 0; l < design->nladders; l++)
            if (is_of_base(design, &design->ladders[l], &shapes[i]))
                runs += design->ladders[l].count < shapes[i].sizes
                            ? design->ladders[l].count
                            : shapes[i].sizes;
        if (design->limits.runs == 0 || runs <= share * design->limits.runs)
            return shapes[i];
    }
    return shapes[last];
}

/* Choose sizes spread by ratio over those that cost at most `cap`, the ends first. */
static struct choice choose_sizes(const struct mt_design *design,
                                  const struct mt_ladder *ladder, int sizes, double cap)
{
    const int first = ladder->first;
    const double most = fmax(cap, 2 * mt_design_cost(design, 0)); /* half is start-up */
    struct choice choice = {.count = 0};
    int last = first;
    for (int i = 0; i < ladder->count; i++)
        if ((i < sizes && i < FEWEST_SIZES) || cost_of(design, first + i) <= most)
            last = first + i;
    const double least = design->candidates[first].size;
    const double largest = design->candidates[last].size;
    choose_size(&choice, design, first, last, largest);
    choose_size(&choice, design, first, last, least);
    for (int k = 1; k < sizes - 1; k++)
        choose_size(&choice, design, first, last,
                    least * pow(largest / least, (double)k / (sizes - 1)));
    return choice;
}

static double cost_of_base(const struct mt_design *design, double cap)
{
    const struct shape shape = shape_of_base(design);
    double cost = 0;
    for (int l = 0; l < design->nladders; l++) {
        if (!is_of_base(design, &design->ladders[l], &shape))
            continue;
        const struct choice choice =
            choose_sizes(design, &design->ladders[l], shape.sizes, cap);
        for (int k = 0; k < choice.count; k++)
            cost += cost_of(design, choice.chosen[k]);
    }
    return cost;
}

/* The largest cost of a run that keeps the whole base within the limit, by bisection;
   0: none does. */
static double find_cap(const struct mt_design *design, double seconds)
{
    enum { STEPS = 50 };
    double limit = mt_design_usual_cost(design), low = 0, high = 0;
    if (seconds > 0 && design->succeeded > 0)
        limit = fmin(limit, seconds);
    for (int i = 0; i < design->count; i++)
        high = fmax(high, cost_of(design, i));
    if (cost_of_base(design, high) <= limit)
        return high;
    for (int i = 0; i < STEPS; i++) {
        const double middle = (low + high) / 2;
        if (cost_of_base(design, middle) <= limit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A run of the base, with its priority when the limits do not allow all, and its place
   in the order of runs. */
struct wanted {
    int candidate;
    bool most;    /* nodes of its class */
    int priority; /* of its size on its ladder, of its class, and of the most nodes */
    double cost;
};

/* Priorities of one size on its ladder. */
enum { PRIORITIES = 2 * (MT_MOST_LEVEL + 2) };

static int compare_priorities(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    const int order = mt_compare_ints(&a->priority, &b->priority);
    return order != 0 ? order : mt_compare_doubles(&a->cost, &b->cost);
}

static int compare_costs(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    const int order = mt_compare_doubles(&a->cost, &b->cost);
    return order != 0 ? order : mt_compare_ints(&a->candidate, &b->candidate);
}

/* The seconds and runs kept for probes; only a class's largest size on its most nodes
   may use them. */
struct kept {
    double seconds;
    int runs;
};

/* Keep the runs that the limits allow, cheapest first, so that the cost of the
   expensive ones is known in time. */
static void keep_affordable(struct mt_base *base, struct wanted *wanted,
                            const struct mt_design *design, const struct kept *kept)
{
    const struct mt_limits *limits = &design->limits;
    const bool by_time = limits->seconds > 0 && design->succeeded > 0;
    double seconds = by_time ? limits->seconds - design->spent : INFINITY;
    int runs = limits->runs > 0 ? limits->runs - design->runs : INT32_MAX, count = 0;
    qsort(wanted, (size_t)base->left, sizeof *wanted, compare_priorities);
    for (int i = 0; i < base->left; i++) {
        const bool first = wanted[i].priority < PRIORITIES && wanted[i].most;
        const double most =
            first ? mt_design_most_cost(design, seconds) : seconds - kept->seconds;
        if (wanted[i].cost > most || runs <= (first ? 0 : kept->runs))
            continue;
        seconds -= wanted[i].cost;
        runs--;
        wanted[count++] = wanted[i];
    }
    base->dropped = base->left - count;
    base->left = count;
    qsort(wanted, (size_t)count, sizeof *wanted, compare_costs);
}

int mt_design_base(struct mt_base *base, const struct mt_design *design,
                   struct mt_error *err)
{
    const struct shape shape = shape_of_base(design);
    const int probes = design->probes > 0 ? 0 : mt_design_count_probes(design);
    const struct kept kept = {probes > 0 ? kept_share * design->limits.seconds : 0,
                              probes};
    /* that a large size on the fewest nodes may cost, to learn the compute time */
    const double corner = corner_share *
                          fmax(design->limits.seconds, mt_design_usual_cost(design)) /
                          design->nplanned;
    const double cap = find_cap(design, design->limits.seconds - kept.seconds);
    struct wanted *wanted = calloc((size_t)design->count, sizeof *wanted);
    *base = (struct mt_base){.wanted = calloc((size_t)design->count, sizeof(int))};
    if (!wanted || !base->wanted) {
        free(wanted);
        free(base->wanted);
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    }
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        const int level = design->classes[ladder->class].level;
        if (!is_of_base(design, ladder, &shape))
            continue;
        const struct choice choice =
            choose_sizes(design, ladder, shape.sizes,
                         ladder->fewest && level == 0 ? fmax(cap, corner) : cap);
        base->total += choice.count;
        for (int k = 0; k < choice.count; k++)
            if (design->trials[choice.chosen[k]].runs == 0)
                wanted[base->left++] = (struct wanted){
                    .candidate = choice.chosen[k],
                    .most = ladder->most,
                    .priority = k * PRIORITIES + 2 * level + !ladder->most,
                    .cost = cost_of(design, choice.chosen[k])};
    }
    keep_affordable(base, wanted, design, &kept);
    for (int i = 0; i < base->left; i++)
        base->wanted[i] = wanted[i].candidate;
    free(wanted);
    return MT_OK;
}
