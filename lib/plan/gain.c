/* SPDX-License-Identifier: BSD-3-Clause */
/* What people run without a plan, to compare one with. */
#include "internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "rank.h"

#include <math.h>

static bool may_run(const struct mt_predictor *predictor,
                    const struct mt_configuration *configuration, double size)
{
    return mt_plan_fits(predictor->problem.cluster, predictor->problem.program,
                        configuration, size) &&
           !mt_samples_failed(&predictor->samples, configuration, size);
}

/* Complete a choice whose configuration is set; an impossible one becomes empty. */
static void predict(struct mt_choice *choice, const struct mt_predictor *predictor,
                    double size)
{
    if (may_run(predictor, &choice->configuration, size) &&
        mt_predictor_predict(predictor, &choice->configuration, size,
                             &choice->prediction, NULL) == MT_OK)
        mt_choice_complete(choice, predictor->problem.cluster);
    else
        *choice = (struct mt_choice){0};
}

/* All nodes of a group in the layout whose mean is the least: full predictions of all
   layouts take much longer, and differ only for near ties. */
static struct mt_choice fastest_alone(const struct mt_predictor *predictor, int g,
                                      double size)
{
    const struct mt_group *group = &predictor->problem.cluster->groups[g];
    struct mt_choice fastest = {0};
    double least = INFINITY;
    for (int i = 0; i < group->nlayouts && group->nodes > 0; i++) {
        struct mt_choice choice = {0};
        double seconds;
        choice.configuration.use[g] = mt_use_nodes(group->nodes, group->layouts[i]);
        if (may_run(predictor, &choice.configuration, size) &&
            mt_predictor_seconds(predictor, &choice.configuration, size, &seconds,
                                 NULL) == MT_OK &&
            seconds < least) {
            least = seconds;
            fastest = choice;
        }
    }
    if (least < INFINITY)
        predict(&fastest, predictor, size);
    return fastest;
}

static void find_last(struct mt_choice *last, const struct mt_predictor *predictor,
                      double size)
{
    const struct mt_samples *samples = &predictor->samples;
    int newest = samples->count - 1;
    while (newest >= 0 && samples->samples[newest].size != size)
        newest--;
    if (newest < 0)
        return;
    last->configuration = samples->samples[newest].configuration;
    const struct mt_measured *measured =
        mt_measured_at(&predictor->measured, &last->configuration, size);
    if (!measured)
        return;
    last->prediction = (struct mt_prediction){.seconds = measured->seconds};
    mt_choice_complete(last, predictor->problem.cluster);
}

void mt_rivals_find(struct mt_rivals *rivals, const struct mt_predictor *predictor,
                    double size)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    bool complete = cluster->ngroups > 1;
    *rivals = (struct mt_rivals){0};
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_choice alone = fastest_alone(predictor, g, size);
        complete = complete && alone.nodes > 0;
        rivals->all.configuration.use[g] = alone.configuration.use[g];
        if (alone.nodes > 0 &&
            (rivals->group.nodes == 0 ||
             alone.prediction.seconds < rivals->group.prediction.seconds)) {
            rivals->group = alone;
            rivals->only_group = g;
        }
    }
    if (complete)
        predict(&rivals->all, predictor, size);
    else
        rivals->all = (struct mt_choice){0};
    find_last(&rivals->last, predictor, size);
}
