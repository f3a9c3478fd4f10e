/* SPDX-License-Identifier: BSD-3-Clause */
/* The Pareto front of time against cost or energy. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "rank.h"
#include "search.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The source of points: the exact search, or candidates in order of time. */
struct source {
    const struct mt_predictor *predictor;
    struct mt_question question; /* for the fastest */
    enum mt_objective against;
    const struct mt_plan *candidates; /* borrowed; NULL: the search */
    double evaluated;
};

/* The best choice by an objective that takes no more than `most` of the other. `found`
   is false if nothing is allowed; `proven`: the result is certain. */
struct finding {
    struct mt_front_point point;
    bool found, proven;
};

static int search(struct source *source, enum mt_objective objective, double most,
                  struct finding *finding, struct mt_error *err)
{
    struct mt_question question = source->question;
    struct mt_plan plan = {0};
    question.objective = objective;
    double *limit = source->against == MT_CHEAPEST ? &question.cost : &question.joules;
    if (most < INFINITY)
        *limit = *limit > 0 ? fmin(*limit, most) : most;
    const int status = mt_search_find(&plan, source->predictor, &question, err);
    *finding = (struct finding){.found = plan.count > 0, .proven = plan.exact};
    if (finding->found) {
        const double seconds = plan.choices[0].prediction.seconds;
        const double bound = objective == MT_FASTEST ? plan.bound : 0;
        finding->point = (struct mt_front_point){plan.choices[0], plan.exact,
                                                 plan.exact ? seconds : bound};
    }
    source->evaluated += plan.evaluated;
    mt_plan_clear(&plan);
    return status;
}

static void pick(const struct source *source, enum mt_objective objective, double most,
                 struct finding *finding)
{
    const struct mt_plan *plan = source->candidates;
    *finding = (struct finding){.proven = plan->exact};
    for (int i = 0; i < plan->count; i++) {
        const struct mt_choice *choice = &plan->choices[i];
        if (choice->behind > plan->choices[0].behind ||
            mt_choice_value(choice, source->against) > most ||
            (finding->found && mt_choice_value(choice, objective) >=
                                   mt_choice_value(&finding->point.choice, objective)))
            continue;
        finding->found = true;
        finding->point = (struct mt_front_point){
            *choice, plan->exact, plan->exact ? choice->prediction.seconds : 0};
    }
}

static int find(struct source *source, enum mt_objective objective, double most,
                struct finding *finding, struct mt_error *err)
{
    if (!source->candidates)
        return search(source, objective, most, finding, err);
    pick(source, objective, most, finding);
    return MT_OK;
}

/* Add a point that takes less of the other than all before, and drop those that it
   dominates. */
static int add_point(struct mt_front *front, const struct mt_front_point *point,
                     struct mt_error *err)
{
    const double seconds = mt_choice_value(&point->choice, MT_FASTEST);
    while (front->count > 0 && mt_choice_value(&front->points[front->count - 1].choice,
                                               MT_FASTEST) >= seconds)
        front->count--;
    const int status = mt_array_grow(&front->points, front->count,
                                     sizeof *front->points, "points of a front", err);
    if (status == MT_OK)
        front->points[front->count++] = *point;
    return status;
}

/* The limit of the next point; 0: the front ends here. */
static double next_most(const struct mt_front *front)
{
    const double value =
        mt_choice_value(&front->points[front->count - 1].choice, front->against);
    return front->share > 0 ? value * (1 - front->share) : nextafter(value, 0);
}

/* Go from the fastest that takes no more than `limit` to the one that takes least.
   `complete`: these are at most `most` points. It gives up, too, if many are equally
   fast. */
static int trace(struct mt_front *front, struct source *source, double limit, int most,
                 bool *complete, struct mt_error *err)
{
    front->count = 0;
    front->exact = true;
    for (int step = 0; limit > 0; step++) {
        *complete = front->count <= most && step / 4 <= most;
        if (!*complete)
            return MT_OK;
        struct finding next;
        int status = find(source, MT_FASTEST, limit, &next, err);
        if (status != MT_OK)
            return status;
        front->exact &= next.proven;
        if (!next.found)
            break;
        status = add_point(front, &next.point, err);
        if (status != MT_OK)
            return status;
        limit = next_most(front);
    }
    *complete = front->count <= most;
    return MT_OK;
}

/* Space the points so that `most` of them reach from the fastest, the first one, to the
   one that takes least, which becomes the last. */
static int trace_coarsely(struct mt_front *front, struct source *source, int most,
                          struct mt_error *err)
{
    const double first = mt_choice_value(&front->points[0].choice, front->against);
    struct finding least;
    bool complete = false;
    int status = find(source, front->against, INFINITY, &least, err);
    if (status != MT_OK)
        return status;
    if (!least.found) /* it was given up */
        least.point = front->points[front->count - 1];
    const double last = mt_choice_value(&least.point.choice, front->against);
    front->share = fmax(1 - pow(last / first, 1.0 / (most - 2)), least_share);
    if (least.found && !least.proven) { /* one that takes as little may be faster */
        struct finding fastest;
        status = find(source, MT_FASTEST, last, &fastest, err);
        if (status != MT_OK)
            return status;
        if (fastest.found)
            least.point = fastest.point;
    }
    if (last == 0) /* which no share reaches */
        front->share = free_share;
    status = trace(front, source, first, most - 1, &complete, err);
    while (status == MT_OK && !complete) {
        front->share = 1 - (1 - front->share) * (1 - front->share);
        status = trace(front, source, first, most - 1, &complete, err);
    }
    if (status != MT_OK)
        return status;
    front->exact &= least.proven;
    return last < mt_choice_value(&front->points[front->count - 1].choice,
                                  front->against)
               ? add_point(front, &least.point, err)
               : MT_OK;
}

static int trace_source(struct mt_front *front, struct source *source, int top,
                        struct mt_error *err)
{
    const int most = top > 0 ? top : INT_MAX;
    const bool hopeless =
        top > 0 && !source->candidates && front->configurations > most_exact;
    bool complete = false;
    int status = trace(front, source, INFINITY, hopeless ? 1 : most, &complete, err);
    if (status == MT_OK && !complete)
        status = trace_coarsely(front, source, most, err);
    front->evaluated += source->evaluated;
    return status;
}

/* Find the front by the exact search with the models. */
static int search_front(struct mt_front *front, const struct mt_predictor *predictor,
                        const struct mt_question *question, struct mt_error *err)
{
    struct source source = {
        .predictor = predictor, .question = *question, .against = front->against};
    source.question.top = 1;
    const int status = trace_source(front, &source, question->top, err);
    if (status != MT_OK || front->count > 0)
        return status;
    struct mt_plan plan = {0}; /* stays empty: mt_plan_make() gives the reason */
    source.question.objective = MT_FASTEST;
    const int why = mt_plan_make(&plan, predictor, &source.question, false, err);
    mt_plan_clear(&plan);
    return why;
}

/* Keep the candidates, which are in order of time, that take less of the other than all
   before and are allowed with their intervals. No others are on the front. */
static int keep_front(struct mt_plan *plan, const struct mt_predictor *predictor,
                      const struct mt_question *question, enum mt_objective against,
                      struct mt_error *err)
{
    const bool behind = plan->count > 0 && plan->choices[0].behind;
    double least = INFINITY;
    int kept = 0;
    for (int i = 0; i < plan->count; i++) {
        struct mt_choice choice = plan->choices[i];
        if (mt_choice_value(&choice, against) >= least || choice.behind > behind)
            continue;
        const int status = mt_choice_predict(&choice, predictor, question, err);
        if (status != MT_OK)
            return status;
        if (!mt_choice_allowed(&choice, predictor, question))
            continue;
        least = mt_choice_value(&choice, against);
        plan->choices[kept++] = choice;
    }
    plan->count = kept;
    return MT_OK;
}

/* Out of all configurations. */
static int sweep_front(struct mt_front *front, const struct mt_predictor *predictor,
                       const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan plan = {0};
    struct source source = {.against = front->against, .candidates = &plan};
    int status = mt_plan_candidates(&plan, predictor, question, err);
    if (status == MT_OK)
        status = keep_front(&plan, predictor, question, front->against, err);
    if (status == MT_OK && plan.count == 0)
        status = mt_search_explain(predictor, question, true, err);
    if (status == MT_OK)
        status = trace_source(front, &source, question->top, err);
    front->failed = plan.failed;
    front->evaluated += plan.evaluated;
    mt_plan_clear(&plan);
    return status;
}

static int find_other(enum mt_objective *other, enum mt_objective wanted,
                      const struct mt_cluster *cluster, struct mt_error *err)
{
    *other = wanted;
    if (wanted != MT_FASTEST)
        return MT_OK;
    *other = mt_cluster_has_prices(cluster) ? MT_CHEAPEST : MT_LEAST_ENERGY;
    if (*other == MT_CHEAPEST || mt_cluster_has_watts(cluster))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "no group of cluster '%s' has a price or watts to weigh against "
                   "time; give the groups 'price: 0.40' or 'watts: 350'",
                   cluster->name);
}

int mt_plan_front(struct mt_front *front, const struct mt_predictor *predictor,
                  const struct mt_question *question, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    struct mt_question fastest = *question;
    struct mt_front found = {.configurations = mt_configuration_count(cluster)};
    if (question->top == 1)
        return mt_fail(err, MT_EINVAL, "a front has two ends: 1 point is too few");
    int status = find_other(&found.against, question->objective, cluster, err);
    if (status == MT_OK)
        status = mt_question_check(question, cluster, err);
    fastest.objective = MT_FASTEST;
    if (status == MT_OK)
        status = predictor->problem.models->kind != MT_MODEL_NT &&
                         found.configurations <= mt_plan_most_tried
                     ? sweep_front(&found, predictor, &fastest, err)
                     : search_front(&found, predictor, &fastest, err);
    if (status == MT_OK)
        *front = found;
    else
        mt_front_clear(&found);
    return status;
}

void mt_front_clear(struct mt_front *front)
{
    free(front->points);
    *front = (struct mt_front){0};
}
