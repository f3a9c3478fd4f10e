/* SPDX-License-Identifier: BSD-3-Clause */
#include "design_parts.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a configuration in the base, and the share of the time of all candidates
   that the base may take. */
enum { BASE_SIZES = 3 };
static const double base_share = 0.1;
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

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

/* The largest cost of a run for which the base is not too dear as a whole: the cost of
   one of its possible runs. */
static double find_cap(const struct mt_design *design)
{
    double limit = base_share * mt_design_cost_of_all(design);
    if (design->limits.seconds > 0 && design->succeeded > 0)
        limit = least_of(limit, design->limits.seconds);
    double cap = 0;
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        for (int i = 0; i < ladder->count && ladder->base; i++) {
            const double cost =
                mt_design_cost(design, design->order[ladder->first + i]);
            if (cost > cap && cost <= limit && cost_of_base(design, cost) <= limit)
                cap = cost;
        }
    }
    return cap;
}

int mt_design_base(const struct mt_design *design, int *wanted, int *left)
{
    const double cap = find_cap(design);
    int total = 0;
    *left = 0;
    for (int l = 0; l < design->nladders; l++) {
        if (!design->ladders[l].base)
            continue;
        const struct choice choice = choose_sizes(design, &design->ladders[l], cap);
        total += choice.count;
        for (int k = 0; k < choice.count; k++)
            if (design->trials[choice.chosen[k]].runs == 0)
                wanted[(*left)++] = choice.chosen[k];
    }
    return total;
}
