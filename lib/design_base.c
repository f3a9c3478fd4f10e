/* SPDX-License-Identifier: BSD-3-Clause */
#include "design_parts.h"

#include <math.h>
#include <stdlib.h>

enum { BASE_SIZES = 3 }; /* of a configuration */
/* Sizes whose ratio is below this can stand for each other; for the size in the middle
   of a range, that is at least this power of the range. */
static const double near_ratio = 1.35, near_middle = 0.25;

/* Times that two divides the size. */
static int count_twos(double size)
{
    int twos = 0;
    while (size >= 2 && fmod(size, 2) == 0) {
        size /= 2;
        twos++;
    }
    return twos;
}

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
    if (choice->design->trials[candidate].failed)
        return false;
    for (int k = 0; k < choice->count; k++)
        if (choice->chosen[k] == candidate)
            return false;
    return true;
}

/* Whether the ladder's size i is a better one for `size` than j: first those near to
   it, by their ratio; of these what was measured already; then fewer factors of two;
   then nearer. */
static bool is_better(const struct choice *choice, int i, int j, double size,
                      double near)
{
    const struct mt_trial *trials = choice->design->trials;
    const double a = size_at(choice, i), b = size_at(choice, j);
    const bool a_near = ratio(a, size) < near, b_near = ratio(b, size) < near;
    if (a_near != b_near)
        return a_near;
    if (a_near) {
        const bool a_made = trials[candidate_at(choice, i)].runs > 0;
        const bool b_made = trials[candidate_at(choice, j)].runs > 0;
        if (a_made != b_made)
            return a_made;
        const int a_twos = count_twos(a), b_twos = count_twos(b);
        if (a_twos != b_twos)
            return a_twos < b_twos;
    }
    return ratio(a, size) < ratio(b, size);
}

static void choose_size(struct choice *choice, double size, double near)
{
    int best = -1;
    for (int i = 0; i < choice->allowed; i++)
        if (may_choose(choice, i) &&
            (best < 0 || is_better(choice, i, best, size, near)))
            best = i;
    if (best >= 0)
        choice->chosen[choice->count++] = candidate_at(choice, best);
}

/* The largest sizes whose cost is at most `cap`, or else the smallest there are. */
static struct choice choose_sizes(const struct mt_design *design,
                                  const struct mt_ladder *ladder, double cap)
{
    struct choice choice = {.design = design, .ladder = ladder};
    for (int i = 0; i < ladder->count; i++)
        if (i < BASE_SIZES || mt_design_cost(design, candidate_at(&choice, i)) <= cap)
            choice.allowed = i + 1;
    const double least = size_at(&choice, 0);
    const double most = size_at(&choice, choice.allowed - 1);
    choose_size(&choice, most, near_ratio);
    choose_size(&choice, least, near_ratio);
    choose_size(&choice, sqrt(least * most),
                fmax(near_ratio, pow(most / least, near_middle)));
    return choice;
}

static double cost_of_base(const struct mt_design *design, double cap)
{
    double cost = 0;
    for (int l = 0; l < design->nladders; l++) {
        if (!design->ladders[l].base)
            continue;
        const struct choice choice = choose_sizes(design, &design->ladders[l], cap);
        for (int k = 0; k < choice.count; k++)
            cost += mt_design_cost(design, choice.chosen[k]);
    }
    return cost;
}

static int compare_costs(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The costs of the runs that the base may have, in order; the caller frees them. */
static double *list_costs(const struct mt_design *design, int *count)
{
    double *costs = calloc((size_t)design->count, sizeof *costs);
    *count = 0;
    for (int l = 0; l < design->nladders && costs; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        for (int i = 0; i < ladder->count && ladder->base; i++)
            costs[(*count)++] =
                mt_design_cost(design, design->order[ladder->first + i]);
    }
    if (costs)
        qsort(costs, (size_t)*count, sizeof *costs, compare_costs);
    return costs;
}

/* The largest cost of a run, among those of the runs that the base may have, for which
   the base is not too dear as a whole. */
static int find_cap(double *cap, const struct mt_design *design, struct mt_error *err)
{
    double limit = mt_design_usual_cost(design);
    if (design->limits.seconds > 0 && design->succeeded > 0)
        limit = fmin(limit, design->limits.seconds);
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
    double cap = 0;
    int status = find_cap(&cap, design, err);
    if (status != MT_OK)
        return status;
    *base = (struct mt_base){0};
    base->wanted = calloc((size_t)design->count, sizeof *base->wanted);
    if (!base->wanted)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    for (int l = 0; l < design->nladders; l++) {
        if (!design->ladders[l].base)
            continue;
        const struct choice choice = choose_sizes(design, &design->ladders[l], cap);
        base->total += choice.count;
        for (int k = 0; k < choice.count; k++)
            if (design->trials[choice.chosen[k]].runs == 0)
                base->wanted[base->left++] = choice.chosen[k];
    }
    return MT_OK;
}
