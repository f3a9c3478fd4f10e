/* SPDX-License-Identifier: BSD-3-Clause */
/* A design: proposes runs and takes in their times until a limit or until the plan is
 * stable. */
#include "motley/design.h"

#include "choice.h"
#include "cost.h"
#include "experiment.h"
#include "ladders.h"
#include "lib/input/internal.h"
#include "observation.h"
#include "probes.h"
#include "repeats.h"
#include "review.h"
#include "runs.h"

#include <math.h>
#include <stdlib.h>

static bool is_of_one_group(const struct mt_candidate *candidate)
{
    return mt_configuration_only_group(&candidate->configuration) >= 0;
}

static int check(const struct mt_design_case *of, struct mt_error *err)
{
    int of_one_group = 0;
    if (!(of->limits.seconds >= 0) || of->limits.runs < 0)
        return mt_fail(err, MT_EINVAL, "limits of a design cannot be below 0");
    for (int i = 0; i < of->count; i++) {
        of_one_group += is_of_one_group(&of->candidates[i]);
        if (!(of->candidates[i].size > 0) ||
            mt_configuration_nodes(&of->candidates[i].configuration) == 0)
            return mt_fail(err, MT_EINVAL,
                           "possible runs must be of some nodes, and of a size above "
                           "0");
    }
    return of_one_group > 0
               ? MT_OK
               : mt_fail(err, MT_EINVAL, "there is no run of one group to choose");
}

static int take_candidates(struct mt_design *design, const struct mt_design_case *of,
                           struct mt_error *err)
{
    const size_t count = (size_t)of->count;
    design->candidates = calloc(count, sizeof *design->candidates);
    design->mixed = calloc(count, sizeof *design->mixed);
    design->trials = calloc(count, sizeof *design->trials);
    if (!design->candidates || !design->mixed || !design->trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", of->count);
    for (int i = 0; i < of->count; i++)
        if (is_of_one_group(&of->candidates[i]))
            design->candidates[design->count++] = of->candidates[i];
        else
            design->mixed[design->nmixed++] = of->candidates[i];
    for (int i = 0; i < design->count; i++)
        design->middle_size += log(design->candidates[i].size) / design->count;
    return MT_OK;
}

int mt_design_make(struct mt_design **design, const struct mt_design_case *of,
                   struct mt_error *err)
{
    const struct mt_program *program = of->program;
    int status = check(of, err);
    if (status != MT_OK)
        return status;
    struct mt_design *made = calloc(1, sizeof *made);
    if (!made)
        return mt_fail(err, MT_ENOMEM, "no memory for a design");
    made->cluster = of->cluster;
    made->program = program;
    made->limits = of->limits;
    made->exact = of->exact;
    made->no_probes = of->no_probes;
    made->sizes =
        program->nplan_sizes > 0 ? program->plan_sizes : program->measure_sizes;
    made->nsizes =
        program->nplan_sizes > 0 ? program->nplan_sizes : program->nmeasure_sizes;
    status = take_candidates(made, of, err);
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

void mt_design_limit_seconds(struct mt_design *design, double seconds)
{
    design->limits.seconds = seconds;
}

void mt_design_free(struct mt_design *design)
{
    if (!design)
        return;
    mt_variance_clear(&design->posterior);
    mt_probing_clear(&design->probing);
    free(design->candidates);
    free(design->mixed);
    free(design->trials);
    free(design->order);
    free(design->ladders);
    free(design->classes);
    free(design->points);
    free(design->past);
    free(design->plan);
    free(design->reference);
    free(design);
}

static struct mt_proposal propose_candidate(const struct mt_design *design, int index,
                                            enum mt_phase phase)
{
    const bool known = design->succeeded > 0;
    return (struct mt_proposal){
        .configuration = design->candidates[index].configuration,
        .size = design->candidates[index].size,
        .seconds = known ? mt_design_seconds(design, index) : NAN,
        .spent = known ? mt_design_cost(design, index) : NAN,
        .phase = phase,
        .repeat = design->trials[index].runs};
}

static int choose_next(struct mt_design *design, struct mt_proposal *next,
                       enum mt_end *end, struct mt_error *err)
{
    int index = -1;
    bool of_base = false, of_probes = false;
    enum mt_end why = MT_END_SETTLED;
    int status = MT_OK;
    const bool at_probes = design->probing.begun && !design->probing.over;
    if (!design->settled && !at_probes)
        status = mt_design_choose(design, &index, &of_base, &why, err);
    if (status == MT_OK && !of_base && !design->probing.over)
        status = mt_design_next_probe(design, next, &of_probes, err);
    if (status == MT_OK && !of_probes && !design->settled && at_probes)
        status = mt_design_choose(design, &index, &of_base, &why, err);
    if (status != MT_OK)
        return status;
    *end = of_probes ? MT_END_NONE : why;
    if (!of_probes && why == MT_END_NONE)
        *next = propose_candidate(design, index,
                                  of_base ? MT_PHASE_BASE : MT_PHASE_FURTHER);
    return MT_OK;
}

int mt_design_next(struct mt_design *design, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    const int again = mt_design_next_repeat(design);
    if (again < 0)
        return choose_next(design, next, end, err);
    *next = propose_candidate(design, again, MT_PHASE_FURTHER);
    *end = MT_END_NONE;
    return MT_OK;
}

int mt_design_state(struct mt_design *design, struct mt_design_state *state,
                    struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    free(base.wanted);
    *state = (struct mt_design_state){
        .runs = design->runs,
        .spent = design->spent,
        .probes = design->probes,
        .base_left = base.left,
        .classes = design->nplanned,
        .uncovered = mt_design_uncovered(design),
        .unchanged = design->unchanged,
        .enough = mt_design_enough(design),
        .settled = design->settled,
        .all = design->succeeded > 0 ? mt_design_cost_of_all(design) : NAN};
    return MT_OK;
}

/* Whether a run that is not a candidate may have been a probe. */
static bool was_probe(const struct mt_design *design, const struct mt_past_run *run)
{
    return mt_design_find(design, &run->configuration, run->size) < 0 &&
           mt_design_may_probe(design, run->size);
}

/* What failed before is tried again; in a rehearsal, what failed now is not. */
static bool counts(const struct mt_design *design, const struct mt_past_run *run)
{
    return !isnan(run->spent) && (!isnan(run->seconds) || design->rehearsal);
}

/* Keep all, and count the probes, which the base depends on. */
static int recall_probes(struct mt_design *design, const struct mt_past_run *runs,
                         int count, int *of_candidates, struct mt_error *err)
{
    *of_candidates = 0;
    for (int i = 0; i < count; i++) {
        struct mt_past_run run = runs[i];
        if (!counts(design, &run))
            run.spent = NAN;
        const int status = mt_design_remember(design, &run, err);
        if (status != MT_OK)
            return status;
        if (isnan(run.spent))
            continue;
        *of_candidates +=
            mt_design_find(design, &runs[i].configuration, runs[i].size) >= 0;
        if (was_probe(design, &runs[i]))
            mt_design_count_probe(design, runs[i].spent);
    }
    return MT_OK;
}

/* Only the last runs can make the plan settled; they are reviewed as if they were made
   now. */
int mt_design_recall(struct mt_design *design, const struct mt_past_run *runs,
                     int count, struct mt_error *err)
{
    int left;
    int status = recall_probes(design, runs, count, &left, err);
    const int history = mt_design_history(design);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const int index = mt_design_find(design, &runs[i].configuration, runs[i].size);
        if (index < 0 || !counts(design, &runs[i]))
            continue;
        status =
            mt_design_count_run(design, index, runs[i].seconds, runs[i].spent, err);
        left--;
        if (status == MT_OK && !design->rehearsal && left <= history &&
            (left == 0 || mt_design_review_due(design)))
            status = mt_design_review(design, err);
    }
    /* What settled needs no more probes, some of which may have been runs of one group,
       but for a first one of several groups. */
    design->probing.only_several = design->settled;
    design->probing.over = design->settled && mt_design_knows_several_groups(design);
    return status;
}

static int propose(void *self, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    return mt_design_next(self, next, end, err);
}

/* Whether a review may find that the plan has settled, when so many runs more are like
   those before and complete the base, or what is made after the base is chosen by it.
 */
static int review_if_due(struct mt_design *design, bool of_base, struct mt_error *err)
{
    struct mt_design_state state;
    if (!mt_design_review_due(design))
        return MT_OK;
    const int status = mt_design_state(design, &state, err);
    if (status != MT_OK || (of_base && state.base_left >= state.enough))
        return status;
    return mt_design_review(design, err);
}

int mt_design_observe(struct mt_design *design, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    const int status = mt_design_take_in(design, proposal, observation, err);
    if (status != MT_OK || design->rehearsal || !observation->made)
        return status;
    return review_if_due(design, proposal->phase == MT_PHASE_BASE, err);
}

static int learn(void *self, const struct mt_proposal *proposal,
                 const struct mt_observation *observation, struct mt_error *err)
{
    return mt_design_observe(self, proposal, observation, err);
}

int mt_design_run(struct mt_design *design, const struct mt_experimenter *experimenter,
                  enum mt_end *end, struct mt_error *err)
{
    const struct mt_proposer proposer = {
        .self = design, .next = propose, .observe = learn};
    const int status = mt_experiment(&proposer, experimenter, end, err);
    if (status != MT_OK || design->unreviewed == 0 || design->rehearsal)
        return status;
    return mt_design_review(design, err); /* the plan is by all runs */
}

struct mt_design_plan mt_design_plan(const struct mt_design *design)
{
    if (!design->planned)
        return (struct mt_design_plan){0};
    return (struct mt_design_plan){
        .choices = design->plan, .sizes = design->sizes, .count = design->nsizes};
}
