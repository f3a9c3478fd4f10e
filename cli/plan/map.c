/* SPDX-License-Identifier: BSD-3-Clause */
/* A decision map. */
#include "map.h"

#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "planning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The widest gap of all sizes; 0: all are proven. */
static double widest_gap(const struct mt_plan_map *map)
{
    double gap = 0;
    for (int i = 0; i < map->npoints; i++)
        gap = fmax(gap, map->points[i].gap);
    return gap;
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
    GAP,
    COSTS,
    COLUMNS = COSTS + MT_COSTS_COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [FROM] = {"from", "from N on", MT_COLUMN_COUNT},
    [CONFIGURATION] = {"configuration", "best configuration", MT_COLUMN_TEXT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [EXACT] = {"exact", NULL, MT_COLUMN_FLAG},
    [GAP] = {"gap", NULL, MT_COLUMN_NUMBER},
    MT_COSTS_COLUMNS_AT(COSTS),
};

/* If nothing is possible, JSON has only that. */
static void add_impossible(struct mt_view *view)
{
    mt_view_text(view, CONFIGURATION, NULL);
    mt_prediction_view(view, PREDICTION, NULL);
    mt_view_show(view, RANKS, "-");
    mt_view_show(view, NODES, "-");
    mt_view_show(view, COSTS + MT_COSTS_PRICE, "-");
    mt_view_show(view, COSTS + MT_COSTS_ENERGY, "-");
}

static void add_point(struct mt_view *view, const struct mt_plan_map *map, int key,
                      const struct mt_map_point *point)
{
    const struct mt_choice *choice = &point->choice;
    const struct mt_cluster *cluster = map->predictor->problem.cluster;
    mt_view_row(view);
    mt_view_number(view, key, point->size);
    if (!point->possible) {
        add_impossible(view);
        return;
    }
    mt_view_own_text(view, CONFIGURATION,
                     mt_configuration_format(&choice->configuration, cluster));
    mt_prediction_view(view, PREDICTION, &choice->prediction);
    mt_view_number(view, RANKS, choice->ranks);
    mt_view_number(view, NODES, choice->nodes);
    mt_view_flag(view, EXACT, point->exact);
    mt_view_number(view, GAP, point->gap);
    mt_costs_view(view, COSTS, choice, cluster);
}

void mt_plan_map_view_sizes(struct mt_view *view, const struct mt_plan_map *map)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < map->npoints; i++)
        add_point(view, map, SIZE, &map->points[i]);
    mt_view_hide(view, FROM);
    mt_costs_hide(view, COSTS, map->predictor->problem.cluster);
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

/* The first of the sizes at which nothing is allowed; NaN if none. */
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
    const double gap = widest_gap(map);
    const bool exact = all_exact(map);
    fprintf(stream, "%s: of %.*g configurations, ", exact ? "proven" : "not proven",
            map->configurations < 1e12 ? 12 : 3, map->configurations);
    fprintf(stream,
            !exact ? "one may be predicted %s at one of these sizes, by up to %.2g %%\n"
                   : "no allowed one is predicted %s at these sizes\n",
            mt_objective_words(map->question.objective)->better, 100 * gap);
    if (map->coarse)
        fprintf(stream,
                "between these sizes nothing was looked for: of %.3g configurations "
                "another one is the best at almost every size\n",
                map->configurations);
}

void mt_plan_map_print_table(const struct mt_plan_map *map)
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
    mt_view_print(&points, stdout);
    mt_plan_map_print_notes(map, stdout);
    printf("\ndecision map, up to N = %.15g\n", map->points[map->npoints - 1].size);
    mt_view_print(&changes, stdout);
    mt_view_clear(&changes);
}

void mt_plan_map_print_json(const struct mt_plan_map *map)
{
    const struct mt_problem *problem = &map->predictor->problem;
    struct mt_view points, changes;
    mt_plan_map_view_sizes(&points, map);
    mt_plan_map_view_changes(&changes, map);
    mt_document_print(
        "motley/plan-map", 1,
        json_pack("{s:b, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "simulated",
                  (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "model",
                  mt_model_kind_name(map->predictor->models.kind), "objective",
                  mt_objective_name(map->question.objective), "configurations",
                  mt_json_number(map->configurations), "sizes",
                  mt_view_to_json(&points), "map", mt_view_to_json(&changes)),
        stdout);
}

/* Sizes between the first and the last at which the models are evaluated, and the
   percentage up to which slower configurations are shown. */
enum { STEPS = 120, MOST_PERCENT = 50 };

/* A winner: a configuration that is the best somewhere, and its times at all sizes. */
struct winner {
    struct mt_configuration configuration;
    struct mt_prediction *times; /* owned; NaN where it is not possible */
};

struct map_picture {
    const struct mt_plan_map *map;
    double *sizes; /* owned; ascending; includes those of the changes */
    int nsizes;
    struct winner *winners; /* owned */
    int nwinners;
    int *of_change; /* owned; index of each change's winner; -1: none possible */
};

static void fill_sizes(struct map_picture *picture)
{
    const struct mt_plan_map *map = picture->map;
    const double first = map->points[0].size, last = map->points[map->npoints - 1].size;
    int count = 0;
    picture->sizes = mt_calloc(STEPS + (size_t)map->nchanges, sizeof(double));
    for (int i = 0; i < STEPS; i++)
        picture->sizes[count++] = first * pow(last / first, (double)i / STEPS);
    for (int i = 1; i < map->nchanges; i++)
        picture->sizes[count++] = map->changes[i].size;
    picture->sizes[count++] = last;
    picture->nsizes = count;
    qsort(picture->sizes, (size_t)count, sizeof *picture->sizes, mt_compare_doubles);
}

/* The times of a winner at all sizes, NaN where it is not possible. */
static void predict_winner(struct winner *winner, const struct map_picture *picture)
{
    const struct mt_predictor *predictor = picture->map->predictor;
    const struct mt_problem *problem = &predictor->problem;
    winner->times = mt_calloc((size_t)picture->nsizes, sizeof *winner->times);
    for (int i = 0; i < picture->nsizes; i++) {
        const double size = picture->sizes[i];
        struct mt_prediction *time = &winner->times[i];
        if (!mt_plan_fits(problem->cluster, problem->program, &winner->configuration,
                          size) ||
            mt_predictor_predict(predictor, &winner->configuration, size, time, NULL) !=
                MT_OK)
            *time = (struct mt_prediction){.seconds = NAN, .low = NAN, .high = NAN};
    }
}

static void find_winners(struct map_picture *picture)
{
    const struct mt_plan_map *map = picture->map;
    picture->of_change = mt_calloc((size_t)map->nchanges, sizeof *picture->of_change);
    picture->winners = mt_calloc((size_t)map->nchanges, sizeof *picture->winners);
    for (int i = 0; i < map->nchanges; i++) {
        const struct mt_map_point *change = &map->changes[i];
        int w = 0;
        while (w < picture->nwinners &&
               !mt_configuration_equal(&picture->winners[w].configuration,
                                       &change->choice.configuration))
            w++;
        picture->of_change[i] = change->possible ? w : -1;
        if (!change->possible || w < picture->nwinners)
            continue;
        struct winner *winner = &picture->winners[picture->nwinners++];
        winner->configuration = change->choice.configuration;
        predict_winner(winner, picture);
    }
}

/* The reference time at a size: that of the best, or with the objective time, of the
   fastest of the winners, which may be another one between the searched sizes. */
static double time_to_beat(const struct map_picture *picture, int size)
{
    const struct mt_plan_map *map = picture->map;
    int change = 0;
    while (change + 1 < map->nchanges &&
           picture->sizes[size] >= map->changes[change + 1].size)
        change++;
    const int best = picture->of_change[change];
    if (best < 0)
        return NAN;
    double seconds = picture->winners[best].times[size].seconds;
    for (int w = 0; map->question.objective == MT_FASTEST && w < picture->nwinners; w++)
        seconds = fmin(seconds, picture->winners[w].times[size].seconds);
    return seconds;
}

/* Draw a thin line for a winner everywhere, and in the lower panel its loss to the
   best. */
static void draw_winner(struct mt_plot *plot, const struct map_picture *picture, int w)
{
    const struct winner *winner = &picture->winners[w];
    mt_panel_series(&plot->panels[0], NULL, MT_SERIES_HINT, w);
    mt_panel_series(&plot->panels[1], NULL, MT_SERIES_LINE, w);
    for (int i = 0; i < picture->nsizes; i++) {
        const double seconds = winner->times[i].seconds;
        mt_panel_point(&plot->panels[0], picture->sizes[i], seconds);
        mt_panel_point(&plot->panels[1], picture->sizes[i],
                       100 * (seconds / time_to_beat(picture, i) - 1));
    }
}

/* Draw a strong line, with intervals, where the winner wins: from the size of one
   change to that of the next. `labelled` have a line, and are in the legend,
   already. */
static void draw_change(struct mt_plot *plot, const struct map_picture *picture,
                        int change, int *labelled)
{
    const struct mt_plan_map *map = picture->map;
    const int w = picture->of_change[change];
    const double first = map->changes[change].size;
    const double last =
        change + 1 < map->nchanges ? map->changes[change + 1].size : INFINITY;
    struct mt_panel *panel = &plot->panels[0];
    if (w < 0)
        return;
    const struct winner *winner = &picture->winners[w];
    char *label = w == *labelled
                      ? mt_need(mt_configuration_format(
                            &winner->configuration, map->predictor->problem.cluster))
                      : NULL;
    mt_panel_series(panel, label, MT_SERIES_LINE, w);
    *labelled += w == *labelled;
    free(label);
    for (int i = 0; i < picture->nsizes; i++)
        if (picture->sizes[i] >= first && picture->sizes[i] <= last &&
            mt_panel_point(panel, picture->sizes[i], winner->times[i].seconds))
            mt_panel_interval(panel, winner->times[i].low, winner->times[i].high);
}

void mt_plan_map_plot(struct mt_plot *plot, const struct mt_plan_map *map)
{
    const struct mt_problem *problem = &map->predictor->problem;
    struct map_picture picture = {.map = map};
    int labelled = 0;
    fill_sizes(&picture);
    find_winners(&picture);
    *plot = (struct mt_plot){.x_label = "problem size N",
                             .log_x = true,
                             .round_ticks = true,
                             .count = picture.nwinners > 1 ? 2 : 1};
    plot->title = mt_asprintf("Best configurations of %s for %s",
                              problem->cluster->name, problem->program->name);
    plot->subtitle =
        mt_asprintf("%s%s by %s models",
                    mt_cluster_simulated(problem->cluster) ? "simulated; " : "",
                    mt_objective_words(map->question.objective)->best,
                    mt_model_kind_name(map->predictor->models.kind));
    plot->panels[0].y_label = mt_strdup("seconds, predicted");
    plot->panels[0].log_y = true;
    plot->panels[1].y_label = mt_strdup("slower than best [%]");
    plot->panels[1].y_limit = MOST_PERCENT;
    for (int w = 0; w < picture.nwinners; w++)
        draw_winner(plot, &picture, w);
    for (int i = 0; i < map->nchanges; i++)
        draw_change(plot, &picture, i, &labelled);
    for (int i = 1; i < map->nchanges; i++)
        mt_plot_mark(plot, map->changes[i].size);
    for (int w = 0; w < picture.nwinners; w++)
        free(picture.winners[w].times);
    free(picture.winners);
    free(picture.of_change);
    free(picture.sizes);
}
