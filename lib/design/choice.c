/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the next run of a design: the base grid first, then the most information per
   second. */
#include "choice.h"

#include "cost.h"
#include "lib/base/array.h"
#include "probes.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a configuration in the base, and how many it has even if they cost more than
   they should. */
enum { BASE_SIZES = 4, FEWEST_SIZES = 3 };
/* Shapes of the base, the first of which does not take more than a share of the runs
   that there may be: classes up to a level, at so many sizes. */
static const struct shape {
    int level, sizes;
} shapes[] = {{2, 4}, {2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}};
static const double share_of_runs = 0.4, share_without_probes = 0.7;
/* Sizes whose ratio is below this can stand for each other. */
static const double near_ratio = 1.35;
/* Of multiples of this size, rows of N numbers of 8 bytes, or planes of N^2, are a
   multiple of 512 bytes or of 32 KiB apart: they fall on few sets of a cache. */
static const double conflict_size = 64;

static double ratio(double a, double b)
{
    return a > b ? a / b : b / a;
}

/* What is chosen of a ladder's sizes: the first `allowed` of them can be. */
struct choice {
    const struct mt_design *design;
    const struct mt_ladder *ladder;
    int allowed;
    int chosen[BASE_SIZES]; /* candidates */
    int count;
};

static int candidate_at(const struct choice *choice, int i)
{
    return choice->design->order[choice->ladder->first + i];
}

static double size_at(const struct choice *choice, int i)
{
    return choice->design->candidates[candidate_at(choice, i)].size;
}

static bool may_choose(const struct choice *choice, int i)
{
    const int candidate = candidate_at(choice, i);
    if (choice->design->trials[candidate].failed ||
        !mt_design_has_nodes(choice->design, candidate))
        return false;
    for (int k = 0; k < choice->count; k++)
        if (choice->chosen[k] == candidate)
            return false;
    return true;
}

static bool is_near(double size, double wanted)
{
    return ratio(size, wanted) < near_ratio;
}

/* How much a size that is near the wanted one is liked: best is one that was measured
   already, then one without conflicts. */
static int liking(const struct choice *choice, int i)
{
    if (choice->design->trials[candidate_at(choice, i)].runs > 0)
        return 2;
    return fmod(size_at(choice, i), conflict_size) != 0;
}

/* Whether the ladder's size i is a better one for `wanted` than j. */
static bool is_better(const struct choice *choice, int i, int j, double wanted)
{
    const double a = size_at(choice, i), b = size_at(choice, j);
    if (is_near(a, wanted) != is_near(b, wanted))
        return is_near(a, wanted);
    if (is_near(a, wanted) && liking(choice, i) != liking(choice, j))
        return liking(choice, i) > liking(choice, j);
    return ratio(a, wanted) < ratio(b, wanted);
}

static void choose_size(struct choice *choice, double wanted)
{
    int best = -1;
    for (int i = 0; i < choice->allowed; i++)
        if (may_choose(choice, i) && (best < 0 || is_better(choice, i, best, wanted)))
            best = i;
    if (best >= 0)
        choice->chosen[choice->count++] = candidate_at(choice, best);
}

static bool is_of_base(const struct mt_design *design, const struct mt_ladder *ladder,
                       const struct shape *shape)
{
    return ladder->base && design->classes[ladder->class].level <= shape->level;
}

static struct shape shape_of_base(const struct mt_design *design)
{
    const int last = (int)(sizeof shapes / sizeof *shapes) - 1;
    const double share =
        design->cluster->ngroups > 1 ? share_of_runs : share_without_probes;
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

/* Sizes spread in ratio over those whose cost is at most `cap`: the ends first. */
static struct choice choose_sizes(const struct mt_design *design,
                                  const struct mt_ladder *ladder, int sizes, double cap)
{
    struct choice choice = {.design = design, .ladder = ladder};
    const int fewest = sizes < FEWEST_SIZES ? sizes : FEWEST_SIZES;
    for (int i = 0; i < ladder->count; i++)
        if (i < fewest || mt_design_cost(design, candidate_at(&choice, i)) <= cap)
            choice.allowed = i + 1;
    const double least = size_at(&choice, 0);
    const double most = size_at(&choice, choice.allowed - 1);
    choose_size(&choice, most);
    choose_size(&choice, least);
    for (int k = 1; k < sizes - 1; k++)
        choose_size(&choice, least * pow(most / least, (double)k / (sizes - 1)));
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
            cost += mt_design_cost(design, choice.chosen[k]);
    }
    return cost;
}

/* The costs of the runs that the base may have, in order; the caller frees them. */
static double *list_costs(const struct mt_design *design, int *count)
{
    const struct shape shape = shape_of_base(design);
    double *costs = calloc((size_t)design->count, sizeof *costs);
    *count = 0;
    for (int l = 0; l < design->nladders && costs; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        for (int i = 0; i < ladder->count && is_of_base(design, ladder, &shape); i++)
            costs[(*count)++] =
                mt_design_cost(design, design->order[ladder->first + i]);
    }
    if (costs)
        qsort(costs, (size_t)*count, sizeof *costs, mt_compare_doubles);
    return costs;
}

/* The largest cost of a run, among those of the runs that the base may have, for which
   the base is not too dear as a whole. */
static int find_cap(double *cap, const struct mt_design *design, struct mt_error *err)
{
    double limit = mt_design_usual_cost(design);
    const struct mt_limits limits = mt_design_base_limits(design);
    if (limits.seconds > 0 && design->succeeded > 0)
        limit = fmin(limit, limits.seconds);
    int count;
    double *costs = list_costs(design, &count);
    if (!costs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    int low = -1, high = count; /* that one is not too dear, this one is */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (cost_of_base(design, costs[middle]) <= limit)
            low = middle;
        else
            high = middle;
    }
    *cap = low >= 0 ? costs[low] : 0;
    free(costs);
    return MT_OK;
}

int mt_design_base(struct mt_base *base, const struct mt_design *design,
                   struct mt_error *err)
{
    const struct shape shape = shape_of_base(design);
    double cap = 0;
    int status = find_cap(&cap, design, err);
    if (status != MT_OK)
        return status;
    *base = (struct mt_base){0};
    base->wanted = calloc((size_t)design->count, sizeof *base->wanted);
    if (!base->wanted)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    for (int l = 0; l < design->nladders; l++) {
        if (!is_of_base(design, &design->ladders[l], &shape))
            continue;
        const struct choice choice =
            choose_sizes(design, &design->ladders[l], shape.sizes, cap);
        base->total += choice.count;
        for (int k = 0; k < choice.count; k++)
            if (design->trials[choice.chosen[k]].runs == 0)
                base->wanted[base->left++] = choice.chosen[k];
    }
    return MT_OK;
}

/* What the next run is chosen by. */
struct selection {
    const struct mt_design *design;
    double seconds_left; /* INFINITY: no limit */
    int runs_left;       /* of the limit, or more than there are candidates */
    double second, run;  /* the price of a second and of a run */
};

static struct selection begin_selection(const struct mt_design *design,
                                        const struct mt_limits *limits, int base)
{
    struct selection selection = {.design = design, .seconds_left = INFINITY};
    /* Until a run has succeeded, nobody knows whether what is left is enough. */
    if (limits->seconds > 0 &&
        (design->succeeded > 0 || design->spent >= limits->seconds))
        selection.seconds_left = limits->seconds - design->spent;
    selection.runs_left =
        limits->runs > 0 ? limits->runs - design->runs : design->count;
    selection.second =
        1 / (limits->seconds > 0 ? limits->seconds : mt_design_usual_cost(design));
    selection.run = 1.0 / (limits->runs > 0 ? limits->runs : base);
    return selection;
}

static bool is_open(const struct mt_design *design, int candidate)
{
    const struct mt_candidate_runs *trial = &design->trials[candidate];
    return trial->runs == 0 && !trial->failed && mt_design_has_nodes(design, candidate);
}

/* Whether a run ends within the limit, even if it takes longer than expected by as much
   as is not unusual. */
static bool fits(const struct selection *selection, int candidate)
{
    const struct mt_design *design = selection->design;
    const double spread = exp(sqrt(fmax(design->posterior.variance[candidate], 0)));
    return isinf(selection->seconds_left) ||
           mt_design_cost(design, candidate) * spread <= selection->seconds_left;
}

/* What a run tells for its price. */
static double worth(const struct selection *selection, int candidate)
{
    const struct mt_design *design = selection->design;
    const double price =
        selection->run + selection->second * mt_design_cost(design, candidate);
    return mt_variance_gain(&design->posterior, candidate) / price;
}

/* The place in the list of the run that is worth most and fits, or -1. Entries of -1
   are skipped. */
static int find_worthiest(const struct selection *selection, const int *list, int count)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < count; i++) {
        if (list[i] < 0 || !fits(selection, list[i]))
            continue;
        const double value = worth(selection, list[i]);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

static int find_cheapest(const struct mt_design *design, const int *list, int count)
{
    int cheapest = -1;
    for (int i = 0; i < count; i++)
        if (cheapest < 0 ||
            mt_design_cost(design, list[i]) < mt_design_cost(design, cheapest))
            cheapest = list[i];
    return cheapest;
}

static bool fit_all(const struct selection *selection, const int *list, int count)
{
    double cost = 0;
    for (int i = 0; i < count; i++)
        cost += mt_design_cost(selection->design, list[i]);
    return count <= selection->runs_left && cost <= selection->seconds_left;
}

/* Move the runs that the limits allow for to the front of the list: always the one that
   is worth most after those before. Returns their number. */
static int keep_worthiest(struct mt_design *design, struct selection selection,
                          int *list, int count, int *kept, struct mt_error *err)
{
    const int nrows = design->posterior.nrows;
    int status = MT_OK;
    *kept = 0;
    while (status == MT_OK && selection.runs_left > 0) {
        const int found = find_worthiest(&selection, list + *kept, count - *kept);
        if (found < 0)
            break;
        const int candidate = list[*kept + found];
        list[*kept + found] = list[*kept];
        list[(*kept)++] = candidate;
        selection.runs_left--;
        selection.seconds_left -= mt_design_cost(design, candidate);
        status = mt_variance_observe(&design->posterior, candidate,
                                      design->posterior.mean[candidate], err);
    }
    mt_variance_forget(&design->posterior, nrows);
    return status;
}

/* The next run of the base, or -1. */
static int choose_base(struct mt_design *design, const struct selection *selection,
                       const struct mt_base *base, int *index, struct mt_error *err)
{
    int count = base->left, status = MT_OK;
    if (!fit_all(selection, base->wanted, count))
        status = keep_worthiest(design, *selection, base->wanted, count, &count, err);
    if (status == MT_OK)
        *index = find_cheapest(design, base->wanted, count);
    return status;
}

static int choose_other(const struct selection *selection, int *list)
{
    const struct mt_design *design = selection->design;
    int count = 0;
    for (int i = 0; i < design->count; i++)
        if (is_open(design, i))
            list[count++] = i;
    const int found = find_worthiest(selection, list, count);
    return found < 0 ? -1 : list[found];
}

static enum mt_end end_of(const struct selection *selection)
{
    if (selection->runs_left <= 0)
        return MT_END_RUNS_USED;
    for (int i = 0; i < selection->design->count; i++)
        if (is_open(selection->design, i))
            return MT_END_SECONDS_USED;
    return MT_END_ALL_MEASURED;
}

int mt_design_choose(struct mt_design *design, int *index, bool *of_base,
                     enum mt_end *end, struct mt_error *err)
{
    struct mt_base base;
    int chosen = -1;
    int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    const struct mt_limits base_limits = mt_design_base_limits(design);
    const struct selection base_selection =
        begin_selection(design, &base_limits, base.total);
    const struct selection selection =
        begin_selection(design, &design->limits, base.total);
    if (base_selection.runs_left > 0)
        status = choose_base(design, &base_selection, &base, &chosen, err);
    *of_base = chosen >= 0;
    if (status == MT_OK && chosen < 0 && selection.runs_left > 0)
        chosen = choose_other(&selection, base.wanted);
    free(base.wanted);
    *index = chosen;
    *end = chosen < 0 ? end_of(&selection) : MT_END_NONE;
    return status;
}

double mt_design_promise(const struct mt_design *design)
{
    const struct mt_variance *posterior = &design->posterior;
    const struct selection selection = begin_selection(design, &design->limits, 1);
    double total = 0, most = 0;
    for (int i = posterior->first_target; i < posterior->count; i++)
        total += posterior->variance[i];
    for (int i = 0; i < design->count && selection.runs_left > 0; i++)
        if (is_open(design, i) && fits(&selection, i))
            most = fmax(most, mt_variance_gain(posterior, i));
    return total > 0 ? most / total : 0;
}
