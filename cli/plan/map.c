/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include "cli/common/document.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "planning.h"
#include "prediction.h"

#include <math.h>
#include <stdio.h>

/* Whether a price is known where it matters. */
static bool has_costs(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (map->points[i].choice.cost > 0)
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

enum {
    SIZE, /* of a point */
    FROM, /* of a change */
    CONFIGURATION,
    PREDICTION,
    RANKS = PREDICTION + MT_PREDICTION_COLUMNS,
    NODES,
    EXACT,
    COST,
    ENERGY,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [FROM] = {"from", "from N on", MT_COLUMN_COUNT},
    [CONFIGURATION] = {"configuration", "best configuration", MT_COLUMN_TEXT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [EXACT] = {"exact", NULL, MT_COLUMN_FLAG},
    [COST] = {"cost", "cost", MT_COLUMN_NUMBER},
    [ENERGY] = {"joules", NULL, MT_COLUMN_NUMBER},
};

/* Where nothing is possible JSON says no more than that. */
static void add_impossible(struct mt_view *view)
{
    mt_view_text(view, CONFIGURATION, NULL);
    mt_prediction_view(view, PREDICTION, NULL);
    mt_view_show(view, RANKS, "-");
    mt_view_show(view, NODES, "-");
    mt_view_show(view, COST, "-");
}

static void add_point(struct mt_view *view, const struct mt_plan_map *map, int key,
                      const struct mt_map_point *point)
{
    const struct mt_choice *choice = &point->choice;
    const char *currency = map->predictor->problem.cluster->currency;
    mt_view_row(view);
    mt_view_number(view, key, point->size);
    if (!point->possible) {
        add_impossible(view);
        return;
    }
    mt_view_own_text(view, CONFIGURATION,
                     mt_configuration_format(&choice->configuration,
                                             map->predictor->problem.cluster));
    mt_prediction_view(view, PREDICTION, &choice->prediction);
    mt_view_number(view, RANKS, choice->ranks);
    mt_view_number(view, NODES, choice->nodes);
    mt_view_flag(view, EXACT, point->exact);
    mt_view_number(view, COST, choice->cost > 0 ? choice->cost : NAN);
    mt_view_show(view, COST, "%.4g%s%s", choice->cost, currency ? " " : "",
                 currency ? currency : "");
    mt_view_number(view, ENERGY, choice->joules > 0 ? choice->joules : NAN);
}

void mt_plan_map_view_sizes(struct mt_view *view, const struct mt_plan_map *map)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < map->npoints; i++)
        add_point(view, map, SIZE, &map->points[i]);
    mt_view_hide(view, FROM);
    if (!has_costs(map))
        mt_view_hide(view, COST);
}

void mt_plan_map_view_changes(struct mt_view *view, const struct mt_plan_map *map)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < map->nchanges; i++)
        add_point(view, map, FROM, &map->changes[i]);
    for (int i = 0; i < COLUMNS; i++)
        if (i != FROM && i != CONFIGURATION)
            mt_view_hide(view, i);
}

/* The first of the sizes at which nothing is allowed; NaN: there is none. */
static double first_impossible(const struct mt_plan_map *map)
{
    for (int i = 0; i < map->npoints; i++)
        if (!map->points[i].possible)
            return map->points[i].size;
    return NAN;
}

void mt_plan_map_print_notes(const struct mt_plan_map *map, FILE *stream)
{
    struct mt_prediction_marks marks = {0};
    for (int i = 0; i < map->npoints; i++)
        mt_prediction_marks_take(&marks, &map->points[i].choice.prediction);
    mt_prediction_marks_print(&marks, stream);
    if (!isnan(first_impossible(map)))
        fprintf(stream, "- N = %.15g: %s\n", first_impossible(map), map->why_not.text);
    const int runs = map->predictor->corrections;
    if (runs > 0)
        fprintf(stream,
                "corrected by %d %s beyond the training: the best by what is expected "
                "now\n",
                runs, runs == 1 ? "run" : "runs");
    else if (all_exact(map))
        fprintf(stream,
                "proven: of %.*g configurations, none that is allowed is predicted %s "
                "at these sizes\n",
                map->configurations < 1e12 ? 12 : 3, map->configurations,
                mt_objective_words(map->question.objective)->better);
    else
        fputs(
            "not proven: 'motley plan' of one size says by how much a best one may be "
            "missed\n",
            stream);
    if (map->coarse)
        fprintf(stream,
                "between these sizes nothing was looked for: of %.3g configurations "
                "another one is the best at almost every size\n",
                map->configurations);
}

int mt_plan_map_print_table(const struct mt_plan_map *map, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    printf("%s on %s, %d sizes, %s by %s models%s\n", problem->program->name,
           problem->cluster->name, map->npoints,
           mt_objective_words(map->question.objective)->best,
           mt_model_kind_name(map->predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
    struct mt_view points, changes;
    mt_plan_map_view_sizes(&points, map);
    mt_plan_map_view_changes(&changes, map);
    int status = mt_view_print(&points, stdout, err);
    if (status == MT_OK) {
        mt_plan_map_print_notes(map, stdout);
        printf("\ndecision map, up to N = %.15g\n", map->points[map->npoints - 1].size);
        status = mt_view_print(&changes, stdout, err);
    }
    mt_view_clear(&changes);
    return status;
}

int mt_plan_map_print_json(const struct mt_plan_map *map, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    struct mt_view points, changes;
    mt_plan_map_view_sizes(&points, map);
    mt_plan_map_view_changes(&changes, map);
    return mt_document_print(
        "motley/plan-map", 1,
        json_pack("{s:b, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:o}", "simulated",
                  (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "model",
                  mt_model_kind_name(map->predictor->models.kind), "objective",
                  mt_objective_name(map->question.objective), "configurations",
                  mt_json_number(map->configurations), "corrections",
                  map->predictor->corrections, "sizes", mt_view_to_json(&points), "map",
                  mt_view_to_json(&changes)),
        stdout, err);
}
