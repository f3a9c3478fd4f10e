/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include "cli/common/json.h"
#include "cli/common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether a price is known where it matters. */
static bool has_costs(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (map->points[i].choice.cost > 0)
            return true;
    return false;
}

static bool any_extrapolated(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (map->points[i].choice.prediction.extrapolated)
            return true;
    return false;
}

static bool all_exact(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (map->points[i].possible && !map->points[i].exact)
            return false;
    return true;
}

/* "-" where nothing is possible; the caller frees it. */
static int format_answer(const struct mt_plan_map *map,
                         const struct mt_map_point *point, char **text,
                         struct mt_error *err)
{
    *text = mt_configuration_format(&point->choice.configuration,
                                    map->predictor->problem.cluster);
    return *text ? MT_OK
                 : mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
}

static int add_point(struct mt_table *table, const struct mt_plan_map *map,
                     const struct mt_map_point *point, struct mt_error *err)
{
    const struct mt_prediction *prediction = &point->choice.prediction;
    char size[32], ranks[16] = "-", nodes[16] = "-", seconds[32] = "-", low[32],
                   high[32], interval[80] = "-  ", cost[32] = "-";
    char *answer;
    const int status = format_answer(map, point, &answer, err);
    if (status != MT_OK)
        return status;
    snprintf(size, sizeof size, "%.15g", point->size);
    if (point->possible) {
        snprintf(ranks, sizeof ranks, "%d", point->choice.ranks);
        snprintf(nodes, sizeof nodes, "%d", point->choice.nodes);
        mt_format_seconds(seconds, prediction->seconds);
        snprintf(interval, sizeof interval, "%s - %s%s",
                 mt_format_seconds(low, prediction->low),
                 mt_format_seconds(high, prediction->high),
                 prediction->extrapolated ? " *" : "  ");
        snprintf(cost, sizeof cost, "%.4g", point->choice.cost);
    }
    mt_table_add(table, size, answer, seconds, interval, ranks, nodes,
                 has_costs(map) ? cost : NULL, NULL);
    free(answer);
    return MT_OK;
}

static int print_points(const struct mt_plan_map *map, struct mt_error *err)
{
    struct mt_table table = {0};
    int status = MT_OK;
    mt_table_add(&table, ">N", "best configuration", ">predicted", ">90 % interval  ",
                 ">P", ">nodes", has_costs(map) ? ">cost" : NULL, NULL);
    for (int i = 0; i < map->npoints && status == MT_OK; i++)
        status = add_point(&table, map, &map->points[i], err);
    return status == MT_OK ? mt_table_print(&table, stdout, err) : status;
}

static int print_changes(const struct mt_plan_map *map, struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, ">from N on", "best configuration", NULL);
    for (int i = 0; i < map->nchanges; i++) {
        char size[32], *answer;
        const int status = format_answer(map, &map->changes[i], &answer, err);
        if (status != MT_OK)
            return status;
        snprintf(size, sizeof size, "%.15g", map->changes[i].size);
        mt_table_add(&table, size, answer, NULL);
        free(answer);
    }
    return mt_table_print(&table, stdout, err);
}

/* The first of the sizes at which nothing is allowed; NaN: there is none. */
static double first_impossible(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (!map->points[i].possible)
            return map->points[i].size;
    return NAN;
}

static void print_notes(const struct mt_plan_map *map)
{
    if (any_extrapolated(map))
        puts("* extrapolated: N or P lies outside the runs behind the model");
    if (!isnan(first_impossible(map)))
        printf("- N = %.15g: %s\n", first_impossible(map), map->why_not.text);
    const int runs = map->predictor->corrections;
    if (runs > 0)
        printf("corrected by %d %s beyond the training: the best by what is expected "
               "now\n",
               runs, runs == 1 ? "run" : "runs");
    else if (all_exact(map))
        printf("proven: of %.*g configurations, none that is allowed is predicted %s "
               "at these sizes\n",
               map->configurations < 1e12 ? 12 : 3, map->configurations,
               map->question.objective == MT_CHEAPEST ? "cheaper" : "faster");
    else
        puts("not proven: 'motley plan' of one size says by how much a best one may be "
             "missed");
}

int mt_plan_map_print_table(const struct mt_plan_map *map, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    printf("%s on %s, %d sizes, %s by %s models%s\n", problem->program->name,
           problem->cluster->name, map->npoints,
           map->question.objective == MT_CHEAPEST ? "cheapest" : "fastest",
           mt_model_kind_name(map->predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
    int status = print_points(map, err);
    if (status != MT_OK)
        return status;
    print_notes(map);
    printf("\ndecision map, up to N = %.15g\n", map->points[map->npoints - 1].size);
    return print_changes(map, err);
}

/* `key` is what the point's size is called. */
static json_t *point_json(const struct mt_plan_map *map, const char *key,
                          const struct mt_map_point *point)
{
    const struct mt_choice *choice = &point->choice;
    const struct mt_prediction *prediction = &choice->prediction;
    if (!point->possible)
        return json_pack("{s:o, s:n}", key, mt_json_number(point->size),
                         "configuration");
    char *text = mt_configuration_format(&choice->configuration,
                                         map->predictor->problem.cluster);
    json_t *json = json_pack(
        "{s:o, s:s, s:i, s:i, s:o, s:o, s:o, s:b, s:b, s:o, s:o}", key,
        mt_json_number(point->size), "configuration", text, "ranks", choice->ranks,
        "nodes", choice->nodes, "seconds", mt_json_number(prediction->seconds), "low",
        mt_json_number(prediction->low), "high", mt_json_number(prediction->high),
        "extrapolated", (int)prediction->extrapolated, "exact", (int)point->exact,
        "cost", mt_json_number(choice->cost > 0 ? choice->cost : NAN), "joules",
        mt_json_number(choice->joules > 0 ? choice->joules : NAN));
    free(text);
    return json;
}

static json_t *points_json(const struct mt_plan_map *map, const char *key,
                           const struct mt_map_point *points, int count)
{
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++) {
        if (json_array_append_new(array, point_json(map, key, &points[i]))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

int mt_plan_map_print_json(const struct mt_plan_map *map, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    const bool cheapest = map->question.objective == MT_CHEAPEST;
    return mt_json_print(
        json_pack("{s:b, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:o}", "simulated",
                  (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "model",
                  mt_model_kind_name(map->predictor->models.kind), "objective",
                  cheapest ? "cheapest" : "fastest", "configurations",
                  mt_json_number(map->configurations), "corrections",
                  map->predictor->corrections, "sizes",
                  points_json(map, "size", map->points, map->npoints), "map",
                  points_json(map, "from", map->changes, map->nchanges)),
        stdout, err);
}
