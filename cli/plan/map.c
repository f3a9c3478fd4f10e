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
#include "prediction.h"

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
        json_pack("{s:b, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:o}", "simulated",
                  (int)mt_cluster_simulated(problem->cluster), "cluster",
                  problem->cluster->name, "program", problem->program->name, "model",
                  mt_model_kind_name(map->predictor->models.kind), "objective",
                  mt_objective_name(map->question.objective), "configurations",
                  mt_json_number(map->configurations), "corrections",
                  map->predictor->corrections, "sizes", mt_view_to_json(&points), "map",
                  mt_view_to_json(&changes)),
        stdout);
}

/* Sizes between the first and the last at which the models are evaluated, and the
   percentage up to which slower configurations are shown. */
enum { STEPS = 120, MOST_PERCENT = 50 };

/* A configuration that is the best somewhere, and its times at all sizes. */
struct winner {
    struct mt_configuration configuration;
    char *text; /* owned */
    double *seconds, *low, *high,
        *loss; /* borrowed; loss: slower than the best, in % */
};

struct map_picture {
    double *room;   /* owned; what the others point into */
    double *sizes;  /* ascending; those of the changes are among them */
    double *marks;  /* of the changes, without the first */
    double *ticks;  /* the sizes that were asked for */
    int *starts;    /* owned; where in `sizes` each change is, and one past the last */
    int *of_change; /* owned; index of each change's winner; -1: nothing possible */
    int nsizes;
    struct winner *winners; /* owned */
    int nwinners;
    struct mt_series *times, *losses; /* owned */
};

static void fill_sizes(struct map_picture *picture, const struct mt_plan_map *map)
{
    const double first = map->points[0].size, last = map->points[map->npoints - 1].size;
    int count = 0;
    for (int i = 0; i < STEPS; i++)
        picture->sizes[count++] = first * pow(last / first, (double)i / STEPS);
    for (int i = 1; i < map->nchanges; i++) {
        picture->marks[i - 1] = map->changes[i].size;
        picture->sizes[count++] = map->changes[i].size;
    }
    picture->sizes[count++] = last;
    for (int i = 0; i < map->npoints; i++)
        picture->ticks[i] = map->points[i].size;
    picture->nsizes = count;
    qsort(picture->sizes, (size_t)count, sizeof *picture->sizes, mt_compare_doubles);
    for (int i = 0, at = 0; i < map->nchanges; i++) {
        while (picture->sizes[at] < map->changes[i].size)
            at++;
        picture->starts[i] = at;
    }
    picture->starts[map->nchanges] = count - 1;
}

static void find_winners(struct map_picture *picture, const struct mt_plan_map *map)
{
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
        winner->text = mt_need(mt_configuration_format(
            &winner->configuration, map->predictor->problem.cluster));
    }
}

/* The times of a winner at all sizes, NaN where it is not possible. */
static void predict_winner(struct winner *winner, const struct map_picture *picture,
                           const struct mt_plan_map *map)
{
    const struct mt_problem *problem = &map->predictor->problem;
    for (int i = 0; i < picture->nsizes; i++) {
        struct mt_prediction prediction = {.seconds = NAN, .low = NAN, .high = NAN};
        if (mt_plan_fits(problem->cluster, problem->program, &winner->configuration,
                         picture->sizes[i]) &&
            mt_predictor_predict(map->predictor, &winner->configuration,
                                 picture->sizes[i], &prediction, NULL) != MT_OK)
            prediction.seconds = NAN;
        winner->seconds[i] = prediction.seconds;
        winner->low[i] = prediction.low;
        winner->high[i] = prediction.high;
    }
}

/* The time at a size that others are compared with: that of the best, or where the
   fastest is wanted, of the fastest of the winners. Where only some sizes were looked
   at, that may be another one between them. */
static double time_to_beat(const struct map_picture *picture,
                           const struct mt_plan_map *map, int best, int size)
{
    double seconds = picture->winners[best].seconds[size];
    for (int w = 0; map->question.objective == MT_FASTEST && w < picture->nwinners; w++)
        seconds = fmin(seconds, picture->winners[w].seconds[size]);
    return seconds;
}

/* By how much each winner is slower than the best, at each size. */
static void compare_winners(struct map_picture *picture, const struct mt_plan_map *map)
{
    for (int i = 0, change = 0; i < picture->nsizes; i++) {
        while (change + 1 < map->nchanges && i >= picture->starts[change + 1])
            change++;
        const int best = picture->of_change[change];
        const double least = best < 0 ? NAN : time_to_beat(picture, map, best, i);
        for (int w = 0; w < picture->nwinners; w++)
            picture->winners[w].loss[i] =
                100 * (picture->winners[w].seconds[i] / least - 1);
    }
}

/* Thin lines for the winners everywhere, and strong ones where they win, of which the
   first of each is in the legend. Returns how many there are. */
static int make_times(struct map_picture *picture, const struct mt_plan_map *map)
{
    int ntimes = 0;
    for (int w = 0; w < picture->nwinners; w++)
        picture->times[ntimes++] = (struct mt_series){.style = MT_SERIES_HINT,
                                                      .color = w,
                                                      .count = picture->nsizes,
                                                      .x = picture->sizes,
                                                      .y = picture->winners[w].seconds};
    for (int i = 0, labelled = 0; i < map->nchanges; i++) {
        const int w = picture->of_change[i], start = picture->starts[i];
        if (w < 0)
            continue;
        const struct winner *winner = &picture->winners[w];
        picture->times[ntimes++] =
            (struct mt_series){.label = w == labelled ? winner->text : NULL,
                               .style = MT_SERIES_LINE,
                               .color = w,
                               .count = picture->starts[i + 1] - start + 1,
                               .x = picture->sizes + start,
                               .y = winner->seconds + start,
                               .low = winner->low + start,
                               .high = winner->high + start};
        labelled += w == labelled;
    }
    return ntimes;
}

static void make_losses(struct map_picture *picture)
{
    for (int w = 0; w < picture->nwinners; w++)
        picture->losses[w] = (struct mt_series){.style = MT_SERIES_LINE,
                                                .color = w,
                                                .count = picture->nsizes,
                                                .x = picture->sizes,
                                                .y = picture->winners[w].loss};
}

/* Get room for everything. */
static void picture_init(struct map_picture *picture, const struct mt_plan_map *map)
{
    const size_t changes = (size_t)map->nchanges, points = (size_t)map->npoints;
    const size_t sizes = STEPS + changes;
    picture->room =
        mt_calloc(sizes * (1 + 4 * changes) + changes + points, sizeof(double));
    picture->starts = mt_calloc(changes + 1, sizeof *picture->starts);
    picture->of_change = mt_calloc(changes, sizeof *picture->of_change);
    picture->winners = mt_calloc(changes, sizeof *picture->winners);
    picture->times = mt_calloc(2 * changes, sizeof *picture->times);
    picture->losses = mt_calloc(changes, sizeof *picture->losses);
    picture->sizes = picture->room;
    picture->marks = picture->sizes + sizes;
    picture->ticks = picture->marks + changes;
    double *next = picture->ticks + points;
    for (size_t w = 0; w < changes; w++, next += 4 * sizes)
        picture->winners[w] = (struct winner){.seconds = next,
                                              .low = next + sizes,
                                              .high = next + 2 * sizes,
                                              .loss = next + 3 * sizes};
}

static void picture_clear(struct map_picture *picture)
{
    for (int w = 0; w < picture->nwinners; w++)
        free(picture->winners[w].text);
    free(picture->losses);
    free(picture->times);
    free(picture->winners);
    free(picture->of_change);
    free(picture->starts);
    free(picture->room);
}

static int make_plot(struct map_picture *picture, const struct mt_plan_map *map,
                     mt_plot_use *use, void *to, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    char title[256], subtitle[128];
    for (int w = 0; w < picture->nwinners; w++)
        predict_winner(&picture->winners[w], picture, map);
    compare_winners(picture, map);
    make_losses(picture);
    const struct mt_panel panels[] = {
        {.y_label = "seconds, predicted",
         .log_y = true,
         .series = picture->times,
         .count = make_times(picture, map)},
        {.y_label = "slower than best [%]",
         .y_limit = MOST_PERCENT,
         .series = picture->losses,
         .count = picture->nwinners},
    };
    snprintf(title, sizeof title, "Best configurations of %s for %s",
             problem->cluster->name, problem->program->name);
    snprintf(subtitle, sizeof subtitle, "%s%s by %s models",
             mt_cluster_simulated(problem->cluster) ? "simulated; " : "",
             mt_objective_words(map->question.objective)->best,
             mt_model_kind_name(map->predictor->models.kind));
    const struct mt_plot plot = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "problem size N",
                                 .log_x = true,
                                 .ticks = picture->ticks,
                                 .nticks = map->npoints,
                                 .marks = picture->marks,
                                 .nmarks = map->nchanges - 1,
                                 .panels = panels,
                                 .count = picture->nwinners > 1 ? 2 : 1};
    return use(&plot, to, err);
}

int mt_plan_map_plot(const struct mt_plan_map *map, mt_plot_use *use, void *to,
                     struct mt_error *err)
{
    struct map_picture picture = {0};
    picture_init(&picture, map);
    fill_sizes(&picture, map);
    find_winners(&picture, map);
    int status = make_plot(&picture, map, use, to, err);
    picture_clear(&picture);
    return status;
}
