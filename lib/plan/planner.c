/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a question by runs and models, and compares the answer with rivals. */
#include "internal.h"
#include "lib/input/internal.h"
#include "search.h"

#include <limits.h>
#include <math.h>

int mt_plan_make(struct mt_plan *plan, const struct mt_predictor *predictor,
                 const struct mt_question *question, bool all, struct mt_error *err)
{
    struct mt_plan found = {0};
    int status = mt_question_check(question, predictor->problem.cluster, err);
    if (status == MT_OK)
        status = all ? mt_plan_exhaustive(&found, predictor, question, true, err)
                     : mt_search_find(&found, predictor, question, err);
    if (status != MT_OK)
        return status;
    if (found.count == 0) {
        const bool proven = found.exact;
        mt_plan_clear(&found);
        return mt_search_explain(predictor, question, proven, err);
    }
    *plan = found;
    return MT_OK;
}

double mt_plan_chance(const struct mt_predictor *predictor,
                      const struct mt_choice *choice,
                      const struct mt_question *question)
{
    double limit = question->deadline > 0 ? question->deadline : INFINITY;
    if (question->budget > 0 && choice->cost > 0)
        limit =
            fmin(limit, question->budget / choice->cost * choice->prediction.seconds);
    if (question->efficiency > 0)
        limit = fmin(limit,
                     mt_plan_worth(predictor, &choice->configuration, question->size) /
                         question->efficiency);
    return isinf(limit) ? 1 : mt_prediction_chance(&choice->prediction, limit);
}

double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size)
{
    const double work =
        mt_program_work(predictor->problem.program, size, choice->ranks);
    return work > 0 ? work / choice->prediction.seconds : NAN;
}

/* Runs per second, at that size, of a node of the group; 0: it never ran alone. */
static double measured_speed(const struct mt_predictor *predictor, int g, double size)
{
    const struct mt_measured_list *list = &predictor->measured;
    int fewest = INT_MAX;
    double speed = 0;
    for (int i = 0; i < list->count; i++) {
        const struct mt_measured *measured = &list->all[i];
        const int nodes = measured->configuration.use[g].nodes;
        if (measured->size != size || nodes > fewest ||
            mt_configuration_only_group(&measured->configuration) != g)
            continue;
        speed = fmax(nodes < fewest ? 0 : speed, 1 / (nodes * measured->seconds));
        fewest = nodes;
    }
    return speed;
}

double mt_plan_worth(const struct mt_predictor *predictor,
                     const struct mt_configuration *configuration, double size)
{
    const double work = mt_program_work(predictor->problem.program, size,
                                        mt_configuration_ranks(configuration));
    double ideal = 0;
    for (int g = 0; g < predictor->problem.cluster->ngroups; g++) {
        const int nodes = configuration->use[g].nodes;
        if (nodes == 0)
            continue;
        const double alone =
            work > 0 ? predictor->speed_alone[g] : measured_speed(predictor, g, size);
        if (alone == 0)
            return NAN;
        ideal += nodes * alone;
    }
    return (work > 0 ? work : 1) / ideal;
}

double mt_plan_efficiency(const struct mt_predictor *predictor,
                          const struct mt_choice *choice, double size)
{
    return mt_plan_worth(predictor, &choice->configuration, size) /
           choice->prediction.seconds;
}
