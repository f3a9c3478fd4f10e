/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/design.h"

#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the time of all candidates that a design usually takes. It is less than
   a tenth of the time of those on several nodes, which the papers' models need, and on
   simulated clusters more time made the plans no better. */
static const double usual_share = 0.05;

static int check(const struct mt_candidate *candidates, int count,
                 const struct mt_design_limits *limits, struct mt_error *err)
{
    if (!(limits->seconds >= 0) || limits->runs < 0)
        return mt_fail(err, MT_EINVAL, "limits of a design cannot be below 0");
    if (count < 1)
        return mt_fail(err, MT_EINVAL, "there is no run to choose from");
    for (int i = 0; i < count; i++)
        if (mt_configuration_only_group(&candidates[i].configuration) < 0 ||
            !(candidates[i].size > 0))
            return mt_fail(err, MT_EINVAL,
                           "possible runs must be of one group, and of a size above 0");
    return MT_OK;
}

static int copy_candidates(struct mt_design *design,
                           const struct mt_candidate *candidates, int count,
                           struct mt_error *err)
{
    design->candidates = calloc((size_t)count, sizeof *candidates);
    design->trials = calloc((size_t)count, sizeof *design->trials);
    if (!design->candidates || !design->trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", count);
    memcpy(design->candidates, candidates, (size_t)count * sizeof *candidates);
    design->count = count;
    for (int i = 0; i < count; i++)
        design->middle_size += log(candidates[i].size) / count;
    return MT_OK;
}

int mt_design_make(struct mt_design **design, const struct mt_cluster *cluster,
                   const struct mt_program *program,
                   const struct mt_candidate *candidates, int count,
                   const struct mt_design_limits *limits, struct mt_error *err)
{
    int status = check(candidates, count, limits, err);
    if (status != MT_OK)
        return status;
    struct mt_design *made = calloc(1, sizeof *made);
    if (!made)
        return mt_fail(err, MT_ENOMEM, "no memory for a design");
    made->cluster = cluster;
    made->program = program;
    made->limits = *limits;
    made->sizes =
        program->nplan_sizes > 0 ? program->plan_sizes : program->measure_sizes;
    made->nsizes =
        program->nplan_sizes > 0 ? program->nplan_sizes : program->nmeasure_sizes;
    status = copy_candidates(made, candidates, count, err);
    if (status == MT_OK)
        status = mt_design_sort(made, err);
    if (status == MT_OK)
        status = mt_design_aim(made, NULL, 0, err);
    if (status == MT_OK)
        *design = made;
    else
        mt_design_free(made);
    return status;
}

void mt_design_free(struct mt_design *design)
{
    if (!design)
        return;
    mt_belief_clear(&design->belief);
    free(design->candidates);
    free(design->trials);
    free(design->order);
    free(design->ladders);
    free(design->classes);
    free(design->points);
    free(design->plan);
    free(design->reference);
    free(design);
}

/* What a run spends beyond the program's seconds: the start, and what the program does
   outside of the part that it times, which grows with that. The line through the runs
   seen, by least squares, that is nowhere below 0. */
static double overhead_of(const struct mt_design *design, double seconds)
{
    const double n = design->succeeded;
    if (n == 0 || design->overhead == 0)
        return 0;
    const double mean = design->overhead / n, mean_seconds = design->seconds / n;
    const double variance = design->seconds_squared / n - mean_seconds * mean_seconds;
    const double covariance = design->seconds_overhead / n - mean_seconds * mean;
    if (covariance <= 0 || variance <= 1e-12 * mean_seconds * mean_seconds)
        return mean;
    const double slope = covariance / variance;
    const double start = mean - slope * mean_seconds;
    return start >= 0 ? start + slope * seconds
                      : design->seconds_overhead / design->seconds_squared * seconds;
}

/* The program's part of what a run spends. */
static double program_seconds(const struct mt_design *design, int candidate)
{
    const struct mt_trial *trial = &design->trials[candidate];
    return exp(trial->runs > 0 ? trial->log_seconds : design->belief.mean[candidate]);
}

double mt_design_cost(const struct mt_design *design, int candidate)
{
    const double seconds = program_seconds(design, candidate);
    return seconds + overhead_of(design, seconds);
}

bool mt_design_has_nodes(const struct mt_design *design, int candidate)
{
    return mt_configuration_find_nodes(&design->candidates[candidate].configuration,
                                       design->cluster, NULL) == MT_OK;
}

double mt_design_cost_of_all(const struct mt_design *design)
{
    double cost = 0;
    for (int i = 0; i < design->count; i++)
        if (!design->trials[i].failed && mt_design_has_nodes(design, i))
            cost += mt_design_cost(design, i);
    return cost;
}

double mt_design_usual_cost(const struct mt_design *design)
{
    return usual_share * mt_design_cost_of_all(design);
}

/* What the next run is chosen by. */
struct selection {
    struct mt_design *design;
    double seconds_left; /* INFINITY: no limit */
    int runs_left;       /* of the limit, or more than there are candidates */
    double second, run;  /* the price of a second and of a run */
};

static struct selection begin_selection(struct mt_design *design,
                                        const struct mt_design_limits *limits, int base)
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
    const struct mt_trial *trial = &design->trials[candidate];
    return trial->runs == 0 && !trial->failed && mt_design_has_nodes(design, candidate);
}

/* Whether a run ends within the limit, even if it takes longer than expected by as much
   as is not unusual. */
static bool fits(const struct selection *selection, int candidate)
{
    const struct mt_design *design = selection->design;
    const double spread = exp(sqrt(fmax(design->belief.variance[candidate], 0)));
    return isinf(selection->seconds_left) ||
           mt_design_cost(design, candidate) * spread <= selection->seconds_left;
}

/* What a run tells for its price. */
static double worth(const struct selection *selection, int candidate)
{
    const struct mt_design *design = selection->design;
    const double price =
        selection->run + selection->second * mt_design_cost(design, candidate);
    return mt_belief_gain(&design->belief, candidate) / price;
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
    const int nrows = design->belief.nrows;
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
        status = mt_belief_observe(&design->belief, candidate,
                                   design->belief.mean[candidate], err);
    }
    mt_belief_forget(&design->belief, nrows);
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

static enum mt_design_end end_of(const struct selection *selection)
{
    if (selection->runs_left <= 0)
        return MT_DESIGN_RUNS_USED;
    for (int i = 0; i < selection->design->count; i++)
        if (is_open(selection->design, i))
            return MT_DESIGN_SECONDS_USED;
    return MT_DESIGN_MEASURED;
}

int mt_design_next(struct mt_design *design, struct mt_proposal *next,
                   struct mt_error *err)
{
    struct mt_base base;
    int index = -1;
    int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    const struct mt_design_limits base_limits = mt_design_base_limits(design);
    const struct selection base_selection =
        begin_selection(design, &base_limits, base.total);
    const struct selection selection =
        begin_selection(design, &design->limits, base.total);
    if (base_selection.runs_left > 0)
        status = choose_base(&base_selection, base.wanted, base.left, &index, err);
    const bool of_base = index >= 0;
    if (status == MT_OK && index < 0 && selection.runs_left > 0)
        index = choose_other(&selection, base.wanted);
    free(base.wanted);
    if (status != MT_OK)
        return status;
    *next = (struct mt_proposal){
        .index = index, .expected = NAN, .seconds = NAN, .base = of_base};
    if (index < 0)
        next->end = end_of(&selection);
    else if (design->succeeded > 0) {
        next->expected = mt_design_cost(design, index);
        next->seconds = program_seconds(design, index);
    }
    return MT_OK;
}

int mt_design_observe(struct mt_design *design, int index, double seconds, double spent,
                      struct mt_error *err)
{
    if (index < 0 || index >= design->count || seconds <= 0 || !(spent >= 0))
        return mt_fail(err, MT_EINVAL, "there is no such run");
    struct mt_trial *trial = &design->trials[index];
    design->runs++;
    design->spent += spent;
    if (isnan(seconds)) {
        trial->failed = true;
        return MT_OK;
    }
    design->succeeded++;
    const double overhead = fmax(spent - seconds, 0);
    design->seconds += seconds;
    design->overhead += overhead;
    design->seconds_overhead += seconds * overhead;
    design->seconds_squared += seconds * seconds;
    trial->runs++;
    trial->log_seconds += (log(seconds) - trial->log_seconds) / trial->runs;
    return mt_belief_observe(&design->belief, index, log(seconds), err);
}

int mt_design_state(struct mt_design *design, struct mt_design_state *state,
                    struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    free(base.wanted);
    *state = (struct mt_design_state){.runs = design->runs,
                                      .spent = design->spent,
                                      .base_left = base.left,
                                      .classes = design->nclasses,
                                      .unchanged = design->unchanged,
                                      .enough = mt_design_enough(design),
                                      .all = NAN};
    if (design->succeeded > 0)
        state->all = mt_design_cost_of_all(design);
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        bool seen = false;
        for (int i = ladder->first; i < ladder->first + ladder->count; i++)
            seen = seen || design->trials[design->order[i]].runs > 0;
        state->uncovered += ladder->most && !seen;
    }
    return MT_OK;
}
