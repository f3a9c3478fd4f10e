/* SPDX-License-Identifier: BSD-3-Clause */
/* The regret of a model: its choice against the fastest measured configuration. */
#include "evaluation.h"

#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "motley/plan.h"
#include "tuning.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Take the runs at the training sizes. All kinds except N-T are fitted to runs of one
   group alone. */
static int find_training_runs(struct mt_samples *training, const struct mt_truth *truth,
                              const struct mt_fit_options *options,
                              struct mt_error *err)
{
    const struct mt_program *program = truth->program;
    const struct mt_samples *samples = truth->samples;
    const double *sizes = options->sizes ? options->sizes : program->measure_sizes;
    const int nsizes = options->sizes ? options->nsizes : program->nmeasure_sizes;
    training->samples = calloc((size_t)samples->count + 1, sizeof *training->samples);
    if (!training->samples)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        bool usable = options->kind == MT_MODEL_NT ||
                      mt_configuration_only_group(&sample->configuration) >= 0;
        if (usable && mt_sizes_contain(sizes, nsizes, sample->size))
            training->samples[training->count++] = *sample;
    }
    if (training->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "no runs of '%s' on '%s' at %s sizes in '%s': 'motley measure' "
                       "makes them",
                       program->name, truth->cluster->name,
                       options->sizes ? "the training" : "its measure",
                       samples->store ? samples->store : "-");
    return MT_OK;
}

/* P-T and NP-T models do not need the runs on one node. */
static void count_training_runs(struct mt_evaluation *evaluation,
                                const struct mt_samples *training)
{
    const bool several_nodes =
        evaluation->kind == MT_MODEL_PT || evaluation->kind == MT_MODEL_NPT;
    for (int i = 0; i < training->count; i++) {
        const struct mt_sample *run = &training->samples[i];
        if (several_nodes && mt_configuration_nodes(&run->configuration) < 2)
            continue;
        evaluation->training_runs++;
        evaluation->training_seconds += run->seconds;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Fit to the training runs alone, and note the cost in `evaluation`. */
static int fit_training_runs(struct mt_models *models, struct mt_evaluation *evaluation,
                             const struct mt_truth *truth,
                             const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_samples training = {0};
    int status = find_training_runs(&training, truth, options, err);
    const double start = now();
    if (status == MT_OK)
        status =
            mt_fit(models, truth->cluster, truth->program, &training, options, err);
    evaluation->fit_seconds = now() - start;
    count_training_runs(evaluation, &training);
    evaluation->fitted = models->count;
    evaluation->refused = models->nrefused;
    evaluation->dropped = models->ndropped;
    if (status != MT_OK)
        mt_models_clear(models);
    mt_samples_clear(&training);
    return status;
}

static double count_possible(const struct mt_problem *problem, double size)
{
    double all = mt_configuration_count(problem->cluster);
    if (all > MAX_COUNTED)
        return all;
    double count = 0;
    struct mt_configuration configuration = {0};
    while (mt_configuration_next(&configuration, problem->cluster))
        count += mt_plan_fits(problem->cluster, problem->program, &configuration, size);
    return count;
}

static const struct mt_measured *find_best(const struct mt_measured *measured,
                                           int count)
{
    const struct mt_measured *best = &measured[0];
    for (int i = 1; i < count; i++)
        if (measured[i].seconds < best->seconds)
            best = &measured[i];
    return best;
}

/* Seconds by which configurations are compared; NaN: none. A configuration with a group
   whose time is not positive has one only in the papers' way, and is counted
   otherwise. */
static double predict(const struct mt_problem *problem,
                      const struct mt_measured *measured, bool as_in_paper,
                      int *skipped)
{
    const bool papers = problem->models->kind != MT_MODEL_AUTO;
    double seconds, maximum = NAN;
    if (papers)
        maximum = mt_models_maximum(problem, &measured->configuration, measured->size);
    if (papers && as_in_paper)
        return maximum;
    if (mt_models_seconds(problem, &measured->configuration, measured->size, &seconds,
                          NULL) == MT_OK)
        return seconds;
    *skipped += !isnan(maximum);
    return NAN;
}

/* The configuration that a plan restricted to these would choose: ties go to fewer
   nodes. NULL: none can be predicted. Sets the prediction and the skipped ones of the
   verdict. */
static const struct mt_measured *find_chosen(struct mt_verdict *verdict,
                                             const struct mt_problem *problem,
                                             const struct mt_measured *measured,
                                             int count, bool as_in_paper)
{
    const struct mt_measured *chosen = NULL;
    for (int i = 0; i < count; i++) {
        const double predicted =
            predict(problem, &measured[i], as_in_paper, &verdict->skipped);
        const double best = verdict->predicted_seconds;
        if (isnan(predicted))
            continue;
        if (!chosen || predicted < best ||
            (predicted == best && mt_configuration_nodes(&measured[i].configuration) <
                                      mt_configuration_nodes(&chosen->configuration))) {
            chosen = &measured[i];
            verdict->predicted_seconds = predicted;
        }
    }
    return chosen;
}

/* What a plan over the whole cluster chooses, when it was not measured. */
static int find_unmeasured(char **text, const struct mt_problem *problem,
                           const struct mt_measured *measured, int count,
                           struct mt_error *err)
{
    struct mt_plan plan = {0};
    const struct mt_question question = {.size = measured[0].size, .top = 1};
    int status = mt_plan_search(&plan, problem, &question, err);
    if (status == MT_EINFEASIBLE) /* although runs there succeeded: nothing to
                                     compare */
        return MT_OK;
    if (status != MT_OK)
        return status;
    const struct mt_configuration *planned = &plan.choices[0].configuration;
    bool known = false;
    for (int i = 0; i < count; i++)
        known = known || mt_configuration_equal(&measured[i].configuration, planned);
    if (!known && !(*text = mt_configuration_format(planned, problem->cluster)))
        status = mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    mt_plan_clear(&plan);
    return status;
}

static void verdict_clear(struct mt_verdict *verdict)
{
    free(verdict->chosen);
    free(verdict->best);
    free(verdict->unmeasured);
    *verdict = (struct mt_verdict){0};
}

/* The measurements at one size. */
static int judge_size(struct mt_verdict *verdict, const struct mt_problem *problem,
                      const struct mt_measured *measured, int count, bool as_in_paper,
                      struct mt_error *err)
{
    const struct mt_measured *best = find_best(measured, count);
    *verdict = (struct mt_verdict){
        .size = measured[0].size, .measured = count, .best_seconds = best->seconds};
    const struct mt_measured *chosen =
        find_chosen(verdict, problem, measured, count, as_in_paper);
    if (!chosen)
        return mt_fail(err, MT_ENOTFOUND,
                       "%s models predict none of the %d configurations that were "
                       "measured at N = %.15g",
                       mt_model_kind_name(problem->models->kind), count,
                       measured[0].size);
    verdict->possible = count_possible(problem, measured[0].size);
    verdict->chosen = mt_configuration_format(&chosen->configuration, problem->cluster);
    verdict->chosen_seconds = chosen->seconds;
    verdict->best = mt_configuration_format(&best->configuration, problem->cluster);
    int status = verdict->chosen && verdict->best
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    if (status == MT_OK && !as_in_paper)
        status = find_unmeasured(&verdict->unmeasured, problem, measured, count, err);
    if (status != MT_OK)
        verdict_clear(verdict);
    return status;
}

/* Judge the choice at every size. */
static int judge(struct mt_evaluation *evaluation, const struct mt_problem *problem,
                 const struct mt_truth *truth, struct mt_error *err)
{
    const struct mt_measured_list *measured = truth->measured;
    int status = MT_OK;
    for (int first = 0, end; first < measured->count && status == MT_OK; first = end) {
        for (end = first + 1; end < measured->count; end++)
            if (measured->all[end].size != measured->all[first].size)
                break;
        status =
            judge_size(&evaluation->verdicts[evaluation->count], problem,
                       &measured->all[first], end - first, truth->as_in_paper, err);
        evaluation->count += status == MT_OK;
    }
    return status;
}

int mt_evaluate(struct mt_evaluation *evaluation, const struct mt_truth *truth,
                const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_models models = {0};
    const struct mt_problem problem = {truth->cluster, truth->program, &models};
    struct mt_evaluation made = {.kind = options->kind};
    made.verdicts = calloc((size_t)truth->measured->count + 1, sizeof *made.verdicts);
    if (!made.verdicts)
        return mt_fail(err, MT_ENOMEM, "no memory for %d sizes",
                       truth->measured->count);
    int status = fit_training_runs(&models, &made, truth, options, err);
    const double start = now();
    if (status == MT_OK)
        status = judge(&made, &problem, truth, err);
    made.choose_seconds = now() - start;
    mt_models_clear(&models);
    if (status == MT_OK)
        *evaluation = made;
    else
        mt_evaluation_clear(&made);
    return status;
}

void mt_evaluation_clear(struct mt_evaluation *evaluation)
{
    for (int i = 0; i < evaluation->count; i++)
        verdict_clear(&evaluation->verdicts[i]);
    free(evaluation->verdicts);
    *evaluation = (struct mt_evaluation){0};
}

double mt_verdict_regret(const struct mt_verdict *verdict)
{
    return verdict->chosen_seconds / verdict->best_seconds - 1;
}

double mt_verdict_error(const struct mt_verdict *verdict)
{
    return verdict->predicted_seconds / verdict->chosen_seconds - 1;
}

struct mt_summary mt_evaluation_summary(const struct mt_evaluation *evaluation,
                                        int first)
{
    struct mt_summary summary = {0};
    for (int i = first; i < evaluation->count; i++) {
        double regret = mt_verdict_regret(&evaluation->verdicts[i]);
        double error = mt_verdict_error(&evaluation->verdicts[i]);
        summary.worst_regret = fmax(summary.worst_regret, regret);
        summary.mean_regret += regret / (evaluation->count - first);
        if (fabs(error) > fabs(summary.worst_error))
            summary.worst_error = error;
        summary.mean_error += fabs(error) / (evaluation->count - first);
    }
    return summary;
}

int mt_evaluation_upper_half(const struct mt_evaluation *evaluation)
{
    return evaluation->count / 2;
}
