/* SPDX-License-Identifier: BSD-3-Clause */
/* Which run is next: the base first, then always the run that removes the most
   variance, for its cost, from the times of the configurations that may be planned
   (Cohn, Ghahramani and Jordan 1996). */
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "lib/plan/internal.h"
#include "lib/stats/stats.h"
#include "state.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

enum { AIMS = sizeof aims / sizeof *aims };

/*
 * The targets: configurations that may be planned.
 */

/* Empty if zeroed. */
struct targets {
    struct mt_sample runs[AIMS * (TARGETS + MT_MAX_GROUPS * OF_GROUPS) + MOST_COMPARED];
    double weights[AIMS * (TARGETS + MT_MAX_GROUPS * OF_GROUPS)];
    int count;           /* of the targets, which come first */
    int first[AIMS + 1]; /* that of each aim, and the end */
    int naims;
};

/* The configurations that may be the best at one size: the best of all, and of those
   that use the same groups. */
static void add_targets(struct targets *targets, const struct mt_plan *plan,
                        double size)
{
    const int first = targets->count,
              most = first + TARGETS + MT_MAX_GROUPS * OF_GROUPS;
    for (int i = 0; i < plan->count && targets->count < most; i++) {
        const struct mt_configuration *configuration = &plan->choices[i].configuration;
        int same = 0;
        for (int k = first; k < targets->count; k++)
            same += mt_configuration_same_groups(&targets->runs[k].configuration,
                                                 configuration);
        if (targets->count - first < TARGETS || same < OF_GROUPS)
            targets->runs[targets->count++] =
                (struct mt_sample){.configuration = *configuration, .size = size};
    }
}

static int find_targets(struct targets *targets, const struct mt_design *design,
                        struct mt_error *err)
{
    double done = 0;
    for (int a = 0; a < AIMS && design->nsizes > 0; a++) {
        const double size = design->sizes[(int)lround(aims[a] * (design->nsizes - 1))];
        if (targets->naims > 0 && done == size)
            continue;
        const struct mt_question question = {.size = size};
        struct mt_plan plan = {0};
        struct mt_error reason;
        const int status =
            mt_plan_candidates(&plan, &design->predictor, &question, &reason);
        if (status != MT_OK && status != MT_EINFEASIBLE)
            return mt_fail(err, status, "%s", reason.text);
        add_targets(targets, &plan, size);
        mt_plan_clear(&plan);
        done = size;
        targets->first[++targets->naims] = targets->count;
    }
    return MT_OK;
}

/* The expected saving of choices better than the first of an aim, as a share of the
   time: the largest of all aims. */
static int find_gain(struct mt_design *design, const struct targets *targets,
                     struct mt_error *err)
{
    struct mt_configuration configurations[TARGETS + MT_MAX_GROUPS * OF_GROUPS];
    design->gain = 0;
    for (int a = 0; a < targets->naims; a++) {
        const int first = targets->first[a];
        const int count = targets->first[a + 1] - first;
        struct mt_outlook outlook;
        if (count == 0)
            continue;
        for (int i = 0; i < count; i++)
            configurations[i] = targets->runs[first + i].configuration;
        const struct mt_contest contest = {.problem = &design->predictor.problem,
                                           .size = targets->runs[first].size,
                                           .configurations = configurations,
                                           .count = count};
        const int status = mt_outlook_find(&outlook, &contest, err);
        if (status != MT_OK)
            return status;
        design->gain = fmax(design->gain, outlook.gain);
    }
    return MT_OK;
}

/* Whether there are runs of two configurations or of two sizes. */
static bool tells_apart(const struct mt_design *design)
{
    const struct mt_posterior *posterior = design->predictor.models.posterior;
    return design->fitted > 0 && posterior && posterior->cells.count > 1;
}

/* The current plan for each size. */
static int plan_all(struct mt_design *design, struct mt_error *err)
{
    if (!design->plan)
        design->plan = calloc((size_t)design->nsizes + 1, sizeof *design->plan);
    if (!design->plan)
        return mt_fail(err, MT_ENOMEM, "no memory for a plan of %d sizes",
                       design->nsizes);
    for (int i = 0; i < design->nsizes; i++) {
        const struct mt_question question = {.size = design->sizes[i], .top = 1};
        struct mt_plan found = {0};
        struct mt_error reason;
        const int status =
            mt_plan_make(&found, &design->predictor, &question, false, &reason);
        design->plan[i] = found.count > 0 ? found.choices[0] : (struct mt_choice){0};
        mt_plan_clear(&found);
        if (status != MT_OK && status != MT_EINFEASIBLE)
            return mt_fail(err, status, "%s", reason.text);
    }
    return MT_OK;
}

struct mt_design_plan mt_design_plan(const struct mt_design *design)
{
    return (struct mt_design_plan){design->plan, design->sizes,
                                   design->plan ? design->nsizes : 0};
}

/*
 * The next run.
 */

/* The limits on the next run. */
struct rest {
    double seconds;     /* that are left; INFINITY: no limit */
    int runs;           /* likewise */
    double second, run; /* the price of a second and of a run */
    bool complete;      /* no run of the base exceeds the limits */
};

static struct rest rest_of(const struct mt_design *design, const struct mt_base *base)
{
    const struct mt_limits *limits = &design->limits;
    const double usual = mt_design_usual_cost(design);
    struct rest rest = {.seconds = INFINITY,
                        .runs =
                            limits->runs > 0 ? limits->runs - design->runs : INT32_MAX,
                        .second = 1 / (limits->seconds > 0 ? limits->seconds : usual),
                        .run = 1.0 / (limits->runs > 0 ? limits->runs : base->total),
                        .complete = base->dropped == 0};
    /* Until a run has succeeded, it is unknown whether the rest of the limit
       suffices. */
    if (limits->seconds > 0 &&
        (design->succeeded > 0 || design->spent >= limits->seconds))
        rest.seconds = limits->seconds - design->spent;
    return rest;
}

/* The expected cost of a run of any configuration; INFINITY: unknown. */
static double seconds_of(const struct mt_design *design,
                         const struct mt_configuration *configuration, double size)
{
    double seconds;
    if (mt_predictor_seconds(&design->predictor, configuration, size, &seconds, NULL) !=
        MT_OK)
        return INFINITY;
    return seconds;
}

static struct mt_proposal propose_candidate(const struct mt_design *design, int index,
                                            enum mt_phase phase)
{
    const bool known = design->succeeded > 0;
    const double seconds = design->trials[index].seconds;
    return (struct mt_proposal){.configuration =
                                    design->candidates[index].configuration,
                                .size = design->candidates[index].size,
                                .seconds = known ? seconds : NAN,
                                .spent = known ? mt_design_cost(design, seconds) : NAN,
                                .phase = phase,
                                .repeat = design->trials[index].runs};
}

/* The expected cost of a configuration's run, which is a probe unless it is a
   candidate. */
static struct mt_proposal propose(const struct mt_design *design,
                                  const struct mt_sample *run)
{
    const int candidate = mt_design_find(design, &run->configuration, run->size);
    const double seconds = seconds_of(design, &run->configuration, run->size);
    if (candidate >= 0)
        return propose_candidate(design, candidate, MT_PHASE_FURTHER);
    return (struct mt_proposal){.configuration = run->configuration,
                                .size = run->size,
                                .seconds = seconds,
                                .spent = mt_design_cost(design, seconds),
                                .phase = MT_PHASE_PROBES};
}

/* The largest size up to the target's at which its configuration may run, did not run,
   and stays within the limit; 0: none. */
static double probe_size(const struct mt_design *design, const struct mt_sample *target,
                         double most_seconds)
{
    const struct mt_program *program = design->program;
    double largest = 0;
    for (int i = 0; i < program->nmeasure_sizes + design->nsizes; i++) {
        const double size = i < program->nmeasure_sizes
                                ? program->measure_sizes[i]
                                : design->sizes[i - program->nmeasure_sizes];
        if (size > largest && size <= target->size &&
            mt_design_may_run(design, &target->configuration, size) &&
            mt_design_cost(design, seconds_of(design, &target->configuration, size)) <=
                most_seconds)
            largest = size;
    }
    return mt_measured_at(&design->predictor.measured, &target->configuration, largest)
               ? 0
               : largest;
}

/* Add the runs to compare: the targets themselves, as large as possible, and candidates
   that did not run. */
static int add_compared(struct targets *targets, const struct mt_design *design,
                        double most_seconds)
{
    int count = targets->count, open = 0;
    for (int i = 0; i < targets->count; i++) {
        const double size = probe_size(design, &targets->runs[i], most_seconds);
        if (size == 0 || count - targets->count >= MOST_COMPARED)
            continue;
        targets->runs[count++] = (struct mt_sample){
            .configuration = targets->runs[i].configuration, .size = size};
    }
    for (int i = 0; i < design->count; i++)
        open += design->trials[i].runs == 0 && mt_design_is_open(design, i);
    /* of very many, evenly spread ones */
    const int step = 1 + open / (MOST_COMPARED + 1 - (count - targets->count));
    for (int i = 0, k = 0; i < design->count; i++) {
        const struct mt_candidate *candidate = &design->candidates[i];
        if (design->trials[i].runs > 0 || !mt_design_is_open(design, i) ||
            k++ % step != 0 ||
            mt_design_cost(design, design->trials[i].seconds) > most_seconds ||
            isinf(seconds_of(design, &candidate->configuration, candidate->size)))
            continue;
        targets->runs[count++] = (struct mt_sample){
            .configuration = candidate->configuration, .size = candidate->size};
    }
    return count - targets->count;
}

/* A target's weight is the expected saving if its time were known. */
static void weigh(struct targets *targets, const struct mt_joint *joint)
{
    for (int a = 0; a < targets->naims; a++) {
        double best = INFINITY;
        for (int i = targets->first[a]; i < targets->first[a + 1]; i++)
            best = fmin(best, joint->means[i]);
        for (int i = targets->first[a]; i < targets->first[a + 1]; i++)
            targets->weights[i] =
                mt_improvement(joint->means[i] - best, sqrt(joint->variances[i]));
    }
}

/* The variance that run i takes from the targets. */
static double worth(const struct targets *targets, const struct mt_joint *joint, int i)
{
    const double noise = joint->noise * joint->noise;
    double sum = 0;
    for (int t = 0; t < targets->count; t++) {
        const double covariance = joint->covariance[i * targets->count + t];
        sum += targets->weights[t] * covariance * covariance;
    }
    return sum / (joint->variances[i] + noise);
}

/* The run with the most value for its price, or none. */
static int choose_worthiest(const struct mt_design *design, struct targets *targets,
                            const struct rest *rest, struct mt_proposal *next,
                            bool *found, struct mt_error *err)
{
    const double all = isinf(rest->seconds) ? 1 / rest->second : rest->seconds;
    const int compared =
        add_compared(targets, design, mt_design_most_cost(design, all));
    struct mt_joint joint = {0};
    double most = 0;
    *found = false;
    if (compared == 0)
        return MT_OK;
    const int status =
        mt_models_joint(&joint, &design->predictor.problem, targets->runs,
                        targets->count + compared, targets->count, err);
    if (status != MT_OK)
        return status;
    weigh(targets, &joint);
    for (int i = targets->count; i < joint.count; i++) {
        const struct mt_proposal proposal = propose(design, &targets->runs[i]);
        const double value =
            worth(targets, &joint, i) / (rest->run + rest->second * proposal.spent);
        if (value <= most)
            continue;
        most = value;
        *found = true;
        *next = proposal;
    }
    mt_joint_clear(&joint);
    return MT_OK;
}

/* A candidate whose time is surprising, given all others; -1: none. */
static int find_surprise(const struct mt_design *design, const struct rest *rest,
                         int *candidate, struct mt_error *err)
{
    const struct mt_posterior *posterior = design->predictor.models.posterior;
    int repeats = 0;
    *candidate = -1;
    for (int i = 0; i < design->count; i++)
        repeats += design->trials[i].runs > 1 ? design->trials[i].runs - 1 : 0;
    if (design->exact || !posterior || repeats + 1 > share_of_repeats * design->runs)
        return MT_OK;
    const int n = posterior->cells.count;
    double *errors = calloc(3 * (size_t)n, sizeof *errors);
    if (!errors)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", n);
    double *deviations = errors + n, *sorted = deviations + n;
    const int status = mt_posterior_left_out(posterior, errors, deviations, err);
    for (int i = 0; i < n; i++)
        sorted[i] = errors[i] = fabs(errors[i]);
    double most = fmax(large_error, errors_apart * mt_median(sorted, n));
    for (int i = 0; i < n && status == MT_OK; i++) {
        const struct mt_cell *cell = &posterior->cells.all[i];
        const int found = mt_design_find(design, &cell->configuration, cell->size);
        if (found < 0 || cell->runs >= MT_MOST_RUNS || errors[i] <= most ||
            errors[i] <= deviations_apart * deviations[i] ||
            mt_design_cost(design, design->trials[found].seconds) > rest->seconds)
            continue;
        most = errors[i];
        *candidate = found;
    }
    free(errors);
    return status;
}

static enum mt_end end_of(const struct mt_design *design, const struct rest *rest)
{
    if (rest->runs <= 0)
        return MT_END_RUNS_USED;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs == 0 && mt_design_is_open(design, i))
            return MT_END_SECONDS_USED;
    return MT_END_ALL_MEASURED;
}

static bool is_settled(const struct mt_design *design, const struct rest *rest)
{
    const bool no_limit = design->limits.seconds == 0 && design->limits.runs == 0;
    return (design->gain <= small_gain && rest->complete) ||
           (no_limit && design->spent >= most_usual / rest->second);
}

/* After the base: repeat a surprising run, or make the most valuable one. */
static int choose_further(struct mt_design *design, const struct rest *rest,
                          struct mt_proposal *next, enum mt_end *end,
                          struct mt_error *err)
{
    struct targets *targets = calloc(1, sizeof *targets);
    bool found = false;
    int again = -1;
    if (!targets)
        return mt_fail(err, MT_ENOMEM, "no memory to choose a run");
    int status =
        design->fitted < design->succeeded ? mt_design_fit(design, err) : MT_OK;
    if (status == MT_OK && design->fitted > 0)
        status = find_targets(targets, design, err);
    if (status == MT_OK && tells_apart(design))
        status = find_gain(design, targets, err);
    const bool settled = design->fitted > 0 && is_settled(design, rest);
    *end = end_of(design, rest);
    if (settled && *end != MT_END_ALL_MEASURED)
        *end = MT_END_SETTLED;
    if (status == MT_OK && rest->runs > 0 && design->fitted > 0 && !settled) {
        status = find_surprise(design, rest, &again, err);
        if (status == MT_OK && again < 0)
            status = choose_worthiest(design, targets, rest, next, &found, err);
    }
    free(targets);
    if (again >= 0)
        *next = propose_candidate(design, again, MT_PHASE_FURTHER);
    if (found || again >= 0)
        *end = MT_END_NONE;
    return status;
}

int mt_design_next(struct mt_design *design, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    struct mt_base base;
    int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    const int first = base.left > 0 ? base.wanted[0] : -1;
    const struct rest rest = rest_of(design, &base);
    free(base.wanted);
    *end = MT_END_NONE;
    if (first >= 0 && rest.seconds > 0)
        *next = propose_candidate(design, first, MT_PHASE_BASE);
    else
        status = choose_further(design, &rest, next, end, err);
    if (status == MT_OK && *end != MT_END_NONE && tells_apart(design))
        status = plan_all(design, err);
    return status;
}

int mt_design_forecast(struct mt_forecast *forecast, const struct mt_design *design,
                       struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    struct mt_forecast made = {.runs = calloc((size_t)base.left + 1, sizeof *made.runs),
                               .count = base.left,
                               .classes = design->nplanned,
                               .uncovered = mt_design_uncovered(design, &base)};
    if (!made.runs) {
        free(base.wanted);
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", base.left);
    }
    for (int i = 0; i < base.left; i++) {
        made.runs[i] = propose_candidate(design, base.wanted[i], MT_PHASE_BASE);
        made.seconds += made.runs[i].spent;
    }
    free(base.wanted);
    made.cheap = base.left > 1 ? base.left / 2 : 1;
    if (design->limits.runs > 0)
        made.further = design->limits.runs - design->runs - base.left;
    if (design->limits.seconds > 0 && design->succeeded > 0)
        made.seconds = fmax(made.seconds, design->limits.seconds - design->spent);
    if (made.further < 0 || design->gain <= small_gain)
        made.further = 0;
    *forecast = made;
    return MT_OK;
}

void mt_forecast_clear(struct mt_forecast *forecast)
{
    free(forecast->runs);
    *forecast = (struct mt_forecast){0};
}
