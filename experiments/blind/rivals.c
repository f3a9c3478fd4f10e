/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals.h"

#include "forms.h"
#include "lib/base/array.h"
#include "rules.h"

#include "motley/fit.h"

#include <math.h>

const char *const rival_names[RIVALS] = {[RIVAL_PAPERS] = "np-t",
                                         [RIVAL_FORMS] = "forms",
                                         [RIVAL_ALL_NODES] = "all nodes",
                                         [RIVAL_FASTEST] = "fastest group",
                                         [RIVAL_PROPORTIONAL] = "proportional",
                                         [RIVAL_RANDOM] = "random"};

/* How often a random choice is drawn until it may run. */
enum { MOST_DRAWS = 10000 };

static int add_papers_run(struct rivals *rivals, struct mt_samples *samples,
                          const struct mt_configuration *configuration, double size,
                          struct mt_error *err)
{
    struct mt_sample run = {.configuration = *configuration, .size = size};
    if (!truth_allows(rivals->truth, configuration, size))
        return MT_OK;
    int status = truth_run(rivals->truth, configuration, size, 0, &run.seconds, err);
    if (status != MT_OK || isnan(run.seconds))
        return status;
    status = mt_array_grow(&samples->samples, samples->count, sizeof run,
                           "training runs", err);
    if (status == MT_OK) {
        samples->samples[samples->count++] = run;
        rivals->papers_runs++;
        rivals->papers_seconds += run.seconds;
    }
    return status;
}

/* 2, 4, 8, ... and all nodes of the group: NP-T takes no run on one. */
static int add_papers_class(struct rivals *rivals, struct mt_samples *samples,
                            int group, int processes, struct mt_error *err)
{
    const struct mt_program *program = &rivals->truth->program;
    const int all = rivals->truth->cluster.groups[group].nodes;
    int status = MT_OK;
    for (int nodes = 2; nodes <= all && status == MT_OK;
         nodes = nodes < all && 2 * nodes > all ? all : 2 * nodes) {
        struct mt_configuration alone = {0};
        alone.use[group] =
            (struct mt_use){.nodes = nodes, .layout.processes = processes};
        for (int s = 0; s < program->nmeasure_sizes && status == MT_OK; s++)
            status =
                add_papers_run(rivals, samples, &alone, program->measure_sizes[s], err);
    }
    return status;
}

static int train_papers(struct rivals *rivals, struct mt_error *err)
{
    const struct mt_cluster *cluster = &rivals->truth->cluster;
    const struct mt_fit_options options = {.kind = MT_MODEL_NPT};
    struct mt_samples samples = {0};
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int m = 0; m < cluster->groups[g].nlayouts && status == MT_OK; m++)
            status = add_papers_class(rivals, &samples, g,
                                      cluster->groups[g].layouts[m].processes, err);
    if (status != MT_OK) {
        mt_samples_clear(&samples);
        return status;
    }
    struct mt_error reason;
    const int fitted = mt_predictor_fit(
        &rivals->papers, cluster, &rivals->truth->program, &samples, &options, &reason);
    rivals->has_papers = fitted == MT_OK;
    return fitted == MT_ENOMEM ? mt_fail(err, fitted, "%s", reason.text) : MT_OK;
}

/* The seconds of a run at the largest size that is not above the i-th, and at which it
   may run; INFINITY: there is none. */
static int time_up_to(struct rivals *rivals, const struct mt_configuration *of, int i,
                      double *seconds, struct mt_error *err)
{
    const struct mt_program *program = &rivals->truth->program;
    *seconds = INFINITY;
    while (i >= 0 && !truth_allows(rivals->truth, of, program->measure_sizes[i]))
        i--;
    if (i < 0)
        return MT_OK;
    const int status =
        truth_run(rivals->truth, of, program->measure_sizes[i], 0, seconds, err);
    if (status == MT_OK && isnan(*seconds))
        *seconds = INFINITY;
    return status;
}

static int time_groups(struct rivals *rivals, struct mt_error *err)
{
    const struct mt_cluster *cluster = &rivals->truth->cluster;
    const int sizes = rivals->truth->program.nmeasure_sizes;
    double least = INFINITY;
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++) {
        struct mt_configuration of = rule_group_alone(cluster, g);
        double seconds;
        status = time_up_to(rivals, &of, sizes - 1, &seconds, err);
        if (status == MT_OK && seconds < least) {
            least = seconds;
            rivals->fastest = g;
        }
        of.use[g].nodes = 1;
        if (status == MT_OK)
            status = time_up_to(rivals, &of, sizes / 2, &seconds, err);
        if (status == MT_OK)
            rivals->speeds[g] = 1 / seconds;
    }
    return status;
}

int rivals_train(struct rivals *rivals, struct truth *truth,
                 const struct mt_samples *training, struct mt_error *err)
{
    rivals->truth = truth;
    int status = train_papers(rivals, err);
    if (status == MT_OK)
        status =
            forms_fit(&rivals->forms, &truth->cluster, &truth->program, training, err);
    return status == MT_OK ? time_groups(rivals, err) : status;
}

void rivals_clear(struct rivals *rivals)
{
    mt_predictor_clear(&rivals->papers);
    mt_models_clear(&rivals->forms);
    *rivals = (struct rivals){0};
}

/* One node less of the slowest group that is used. */
static void shrink(const struct rivals *rivals, struct mt_configuration *configuration)
{
    int slowest = -1;
    for (int g = 0; g < rivals->truth->cluster.ngroups; g++)
        if (configuration->use[g].nodes > 0 &&
            (slowest < 0 || rivals->speeds[g] < rivals->speeds[slowest]))
            slowest = g;
    if (slowest >= 0 && --configuration->use[slowest].nodes == 0)
        configuration->use[slowest].layout.processes = 0;
}

static int draw_allowed(const struct rivals *rivals, double size,
                        struct mt_configuration *configuration, struct mt_error *err)
{
    const struct truth *truth = rivals->truth;
    struct random random = random_make(truth->seed, truth->program.name);
    for (int i = 0; i < MOST_DRAWS; i++) {
        *configuration = rule_random(&truth->cluster, &random);
        if (truth_allows(truth, configuration, size))
            return MT_OK;
    }
    return mt_fail(err, MT_EINFEASIBLE, "nothing may run at N = %.15g", size);
}

/* What may not run is made smaller; what is too large for the memory of so few nodes is
   replaced. */
static int make_allowed(const struct rivals *rivals, double size,
                        struct mt_configuration *configuration, struct mt_error *err)
{
    while (mt_configuration_nodes(configuration) > 0) {
        if (truth_allows(rivals->truth, configuration, size))
            return MT_OK;
        shrink(rivals, configuration);
    }
    return draw_allowed(rivals, size, configuration, err);
}

/* By models. That there is no plan is no failure. */
static bool plan(const struct rivals *rivals, enum rival rival, double size,
                 struct mt_choice *choice)
{
    const struct mt_question question = {.size = size, .top = 1};
    const struct mt_problem problem = {&rivals->truth->cluster, &rivals->truth->program,
                                       &rivals->forms};
    struct mt_plan made = {0};
    struct mt_error err;
    int status = MT_ENOTFOUND;
    if (rival == RIVAL_PAPERS && rivals->has_papers)
        status = mt_plan_make(&made, &rivals->papers, &question, false, &err);
    else if (rival == RIVAL_FORMS && rivals->forms.count > 0)
        status = mt_plan_search(&made, &problem, &question, &err);
    const bool planned = status == MT_OK && made.count > 0;
    if (planned)
        *choice = made.choices[0];
    mt_plan_clear(&made);
    return planned;
}

int rivals_choose(struct rivals *rivals, enum rival rival, double size,
                  struct mt_choice *choice, bool *planned, struct mt_error *err)
{
    const struct mt_cluster *cluster = &rivals->truth->cluster;
    *choice =
        (struct mt_choice){.prediction = {.seconds = NAN, .low = NAN, .high = NAN}};
    *planned = true;
    if (rival == RIVAL_PAPERS || rival == RIVAL_FORMS) {
        *planned = plan(rivals, rival, size, choice);
        if (*planned)
            return MT_OK;
    }
    if (rival == RIVAL_RANDOM)
        return draw_allowed(rivals, size, &choice->configuration, err);
    if (rival == RIVAL_FASTEST)
        choice->configuration = rule_group_alone(cluster, rivals->fastest);
    else if (rival == RIVAL_PROPORTIONAL)
        choice->configuration = rule_proportional(cluster, rivals->speeds);
    else
        choice->configuration = rule_all_nodes(cluster);
    return make_allowed(rivals, size, &choice->configuration, err);
}
