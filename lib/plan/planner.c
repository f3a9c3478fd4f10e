/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a question by all that is known, and what follows from the answer. */
#include "internal.h"
#include "lib/input/internal.h"
#include "search.h"

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

double mt_plan_chance(const struct mt_choice *choice,
                      const struct mt_question *question)
{
    double limit = question->deadline > 0 ? question->deadline : INFINITY;
    if (question->budget > 0 && choice->cost > 0)
        limit =
            fmin(limit, question->budget / choice->cost * choice->prediction.seconds);
    return isinf(limit) ? 1 : mt_prediction_chance(&choice->prediction, limit);
}

double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size)
{
    const double work =
        mt_program_work(predictor->problem.program, size, choice->ranks);
    return work > 0 ? work / choice->prediction.seconds : NAN;
}

double mt_plan_efficiency(const struct mt_predictor *predictor,
                          const struct mt_choice *choice, double size)
{
    double ideal = 0;
    for (int g = 0; g < predictor->problem.cluster->ngroups; g++) {
        const int nodes = choice->configuration.use[g].nodes;
        if (nodes > 0 && predictor->speed_alone[g] == 0)
            return NAN;
        ideal += nodes * predictor->speed_alone[g];
    }
    return mt_plan_speed(predictor, choice, size) / ideal;
}
