/* SPDX-License-Identifier: BSD-3-Clause */
#include "training.h"

#include <stdlib.h>

static void add_run(struct training *training, const struct replay *replay, int point)
{
    training->runs[training->count++] = replay_run(replay, point, 0);
    training->seconds += replay->recorded->points[point].seconds;
}

/* N-T has a model for every configuration; the others learn from groups alone, P-T and
   NP-T only from several nodes. */
static bool trains(const struct recorded *recorded, const struct mt_sample *point,
                   enum mt_model_kind kind)
{
    switch (kind) {
    case MT_MODEL_NT:
        return recorded_measured(recorded, point);
    case MT_MODEL_AUTO:
        return recorded_measured(recorded, point) &&
               mt_configuration_only_group(&point->configuration) >= 0;
    default:
        return recorded_trains_papers(recorded, point);
    }
}

static void add_all(struct training *training, const struct replay *replay,
                    enum mt_model_kind kind)
{
    for (int i = 0; i < replay->recorded->count; i++)
        if (trains(replay->recorded, &replay->recorded->points[i], kind))
            add_run(training, replay, i);
}

/* One node and all nodes of a group, at three of the smaller measure sizes. */
static void add_small_of(struct training *training, const struct replay *replay,
                         int group, int processes)
{
    const struct mt_program *program = &replay->recorded->inputs.program;
    const int all = replay->recorded->inputs.cluster.groups[group].nodes;
    for (int s = 1; s <= 5 && s < program->nmeasure_sizes; s += 2)
        for (int nodes = 1; nodes <= all; nodes += all > 1 ? all - 1 : 1) {
            struct mt_configuration configuration = {0};
            configuration.use[group] =
                (struct mt_use){.nodes = nodes, .processes = processes};
            const int point = recorded_find(replay->recorded, &configuration,
                                            program->measure_sizes[s]);
            if (point >= 0)
                add_run(training, replay, point);
        }
}

static void add_small(struct training *training, const struct replay *replay)
{
    const struct mt_cluster *cluster = &replay->recorded->inputs.cluster;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nprocesses; i++)
            add_small_of(training, replay, g, cluster->groups[g].processes[i]);
}

enum training_design training_resolve(enum training_design design,
                                      enum mt_model_kind kind)
{
    if (design != TRAINING_OF_KIND)
        return design;
    return kind == MT_MODEL_AUTO ? TRAINING_SMALL : TRAINING_ALL;
}

const char *training_name(enum training_design design)
{
    return design == TRAINING_ALL ? "all" : "small";
}

int training_make(struct training *training, const struct replay *replay,
                  enum training_design design, enum mt_model_kind kind,
                  struct mt_error *err)
{
    training->runs =
        calloc((size_t)replay->recorded->count + 1, sizeof *training->runs);
    if (!training->runs)
        return mt_fail(err, MT_ENOMEM, "no memory for the training runs");
    if (training_resolve(design, kind) == TRAINING_ALL)
        add_all(training, replay, kind);
    else
        add_small(training, replay);
    return MT_OK;
}

void training_clear(struct training *training)
{
    free(training->runs);
    *training = (struct training){0};
}

void training_of_papers(const struct recorded *recorded, int *runs, double *seconds)
{
    *runs = 0;
    *seconds = 0;
    for (int i = 0; i < recorded->count; i++)
        if (recorded_trains_papers(recorded, &recorded->points[i])) {
            ++*runs;
            *seconds += recorded->points[i].seconds;
        }
}
