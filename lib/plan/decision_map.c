/* SPDX-License-Identifier: BSD-3-Clause */
/* The best configuration for each range of sizes. */
#include "internal.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_answer(const struct mt_map_point *a, const struct mt_map_point *b)
{
    if (!a->possible || !b->possible)
        return a->possible == b->possible;
    return mt_configuration_equal(&a->choice.configuration, &b->choice.configuration);
}

/* Search at one size; "nothing is allowed" is an answer, too. */
static int ask(struct mt_plan_map *map, double size, struct mt_map_point *point,
               struct mt_error *err)
{
    struct mt_question question = map->question;
    struct mt_plan plan = {0};
    struct mt_error reason = {0};
    question.size = size;
    question.top = 1;
    const int status = mt_plan_make(&plan, map->predictor, &question, false, &reason);
    if (status != MT_OK && status != MT_EINFEASIBLE)
        return mt_fail(err, status, "%s", reason.text);
    *point = (struct mt_map_point){.size = size, .possible = status == MT_OK};
    if (point->possible) {
        point->choice = plan.choices[0];
        point->exact = plan.exact;
        point->gap = mt_plan_gap(&plan, question.objective);
        map->configurations = plan.configurations;
    } else if (map->why_not.text[0] == 0) {
        map->why_not = reason;
    }
    mt_plan_clear(&plan);
    return MT_OK;
}

static int add_change(struct mt_plan_map *map, const struct mt_map_point *point,
                      struct mt_error *err)
{
    const int status = mt_array_grow(&map->changes, map->nchanges, sizeof *map->changes,
                                     "changes", err);
    if (status == MT_OK)
        map->changes[map->nchanges++] = *point;
    return status;
}

/* A whole number between two sizes; NaN: none. */
static double size_between(double low, double high)
{
    const double middle = floor((low + high) / 2);
    return middle > low && middle < high ? middle : NAN;
}

/* Add the first size beyond `low` with another answer, and `high` if it has yet another
   one. */
static int add_first_change(struct mt_plan_map *map, const struct mt_map_point *low,
                            const struct mt_map_point *high, struct mt_error *err)
{
    double unchanged = low->size, middle;
    struct mt_map_point first = *high;
    while (!isnan(middle = size_between(unchanged, first.size))) {
        struct mt_map_point point = {0};
        const int status = ask(map, middle, &point, err);
        if (status != MT_OK)
            return status;
        if (same_answer(&point, low))
            unchanged = middle;
        else
            first = point;
    }
    const int status = add_change(map, &first, err);
    return status != MT_OK || same_answer(&first, high) ? status
                                                        : add_change(map, high, err);
}

/* Add the changes between two sizes, the second included. */
static int add_changes(struct mt_plan_map *map, const struct mt_map_point *low,
                       const struct mt_map_point *high, struct mt_error *err)
{
    if (same_answer(low, high))
        return MT_OK;
    const double middle = size_between(low->size, high->size);
    if (isnan(middle) || high->size <= narrow * low->size)
        return add_first_change(map, low, high, err);
    struct mt_map_point point = {0};
    int status = ask(map, middle, &point, err);
    if (status == MT_OK)
        status = add_changes(map, low, &point, err);
    return status == MT_OK ? add_changes(map, &point, high, err) : status;
}

/* Search at the sizes, in ascending order. */
static int find_points(struct mt_plan_map *map, const double *sizes, int count,
                       struct mt_error *err)
{
    const size_t n = (size_t)count;
    double *sorted = calloc(n, sizeof *sorted);
    map->points = calloc(n, sizeof *map->points);
    if (!sorted || !map->points) {
        free(sorted);
        return mt_fail(err, MT_ENOMEM, "no memory for %d sizes", count);
    }
    int status = MT_OK;
    memcpy(sorted, sizes, n * sizeof *sizes);
    qsort(sorted, n, sizeof *sorted, mt_compare_doubles);
    for (; status == MT_OK && map->npoints < count; map->npoints++)
        status = ask(map, sorted[map->npoints], &map->points[map->npoints], err);
    free(sorted);
    return status;
}

static bool any_possible(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (map->points[i].possible)
            return true;
    return false;
}

static int find_changes(struct mt_plan_map *map, struct mt_error *err)
{
    int status = add_change(map, &map->points[0], err);
    map->coarse = map->configurations > most_compared;
    for (int i = 1; i < map->npoints && status == MT_OK; i++) {
        const struct mt_map_point *low = &map->points[i - 1], *high = &map->points[i];
        if (!map->coarse)
            status = add_changes(map, low, high, err);
        else if (!same_answer(low, high))
            status = add_change(map, high, err);
    }
    return status;
}

int mt_plan_map_find(struct mt_plan_map *map, const struct mt_predictor *predictor,
                     const struct mt_question *question, const double *sizes, int count,
                     struct mt_error *err)
{
    struct mt_plan_map found = {.predictor = predictor, .question = *question};
    int status = find_points(&found, sizes, count, err);
    if (status == MT_OK && !any_possible(&found))
        status = mt_fail(err, MT_EINFEASIBLE, "%s", found.why_not.text);
    if (status == MT_OK)
        status = find_changes(&found, err);
    if (status == MT_OK)
        *map = found;
    else
        mt_plan_map_clear(&found);
    return status;
}

void mt_plan_map_clear(struct mt_plan_map *map)
{
    free(map->changes);
    free(map->points);
    *map = (struct mt_plan_map){0};
}
