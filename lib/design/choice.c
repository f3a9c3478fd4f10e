/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include "base.h"
#include "cost.h"
#include "probes.h"

#include <math.h>
#include <stdlib.h>

/* What the next run is chosen by. */
struct selection {
    struct mt_design *design;
    double seconds_left; /* INFINITY: no limit */
    int runs_left;       /* of the limit, or more than there are candidates */
    double second, run;  /* the price of a second and of a run */
};

static struct selection begin_selection(struct mt_design *design,
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
    return mt_posterior_gain(&design->posterior, candidate) / price;
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
static int keep_worthiest(struct selection selection, int *list, int count, int *kept,
                          struct mt_error *err)
{
    struct mt_design *design = selection.design;
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
        status = mt_posterior_observe(&design->posterior, candidate,
                                      design->posterior.mean[candidate], err);
    }
    mt_posterior_forget(&design->posterior, nrows);
    return status;
}

/* The next run of the base, or -1. */
static int choose_base(const struct selection *selection, int *wanted, int count,
                       int *index, struct mt_error *err)
{
    int status = MT_OK;
    if (!fit_all(selection, wanted, count))
        status = keep_worthiest(*selection, wanted, count, &count, err);
    if (status == MT_OK)
        *index = find_cheapest(selection->design, wanted, count);
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
        status = choose_base(&base_selection, base.wanted, base.left, &chosen, err);
    *of_base = chosen >= 0;
    if (status == MT_OK && chosen < 0 && selection.runs_left > 0)
        chosen = choose_other(&selection, base.wanted);
    free(base.wanted);
    *index = chosen;
    *end = chosen < 0 ? end_of(&selection) : MT_END_NONE;
    return status;
}
