/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include "cli/common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

struct canvas {
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

static int compare_sizes(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fill_sizes(struct canvas *canvas, const struct mt_plan_map *map)
{
    const double first = map->points[0].size, last = map->points[map->npoints - 1].size;
    int count = 0;
    for (int i = 0; i < STEPS; i++)
        canvas->sizes[count++] = first * pow(last / first, (double)i / STEPS);
    for (int i = 1; i < map->nchanges; i++) {
        canvas->marks[i - 1] = map->changes[i].size;
        canvas->sizes[count++] = map->changes[i].size;
    }
    canvas->sizes[count++] = last;
    for (int i = 0; i < map->npoints; i++)
        canvas->ticks[i] = map->points[i].size;
    canvas->nsizes = count;
    qsort(canvas->sizes, (size_t)count, sizeof *canvas->sizes, compare_sizes);
    for (int i = 0, at = 0; i < map->nchanges; i++) {
        while (canvas->sizes[at] < map->changes[i].size)
            at++;
        canvas->starts[i] = at;
    }
    canvas->starts[map->nchanges] = count - 1;
}

static int find_winners(struct canvas *canvas, const struct mt_plan_map *map,
                        struct mt_error *err)
{
    for (int i = 0; i < map->nchanges; i++) {
        const struct mt_map_point *change = &map->changes[i];
        int w = 0;
        while (w < canvas->nwinners &&
               !mt_configuration_equal(&canvas->winners[w].configuration,
                                       &change->choice.configuration))
            w++;
        canvas->of_change[i] = change->possible ? w : -1;
        if (!change->possible || w < canvas->nwinners)
            continue;
        struct winner *winner = &canvas->winners[canvas->nwinners++];
        winner->configuration = change->choice.configuration;
        winner->text = mt_configuration_format(&winner->configuration,
                                               map->predictor->problem.cluster);
        if (!winner->text)
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
    }
    return MT_OK;
}

/* The times of a winner at all sizes, NaN where it is not possible. */
static void predict_winner(struct winner *winner, const struct canvas *canvas,
                           const struct mt_plan_map *map)
{
    const struct mt_problem *problem = &map->predictor->problem;
    for (int i = 0; i < canvas->nsizes; i++) {
        struct mt_prediction prediction = {.seconds = NAN, .low = NAN, .high = NAN};
        if (mt_plan_fits(problem->cluster, problem->program, &winner->configuration,
                         canvas->sizes[i]) &&
            mt_predictor_predict(map->predictor, &winner->configuration,
                                 canvas->sizes[i], &prediction, NULL) != MT_OK)
            prediction.seconds = NAN;
        winner->seconds[i] = prediction.seconds;
        winner->low[i] = prediction.low;
        winner->high[i] = prediction.high;
    }
}

/* By how much each winner is slower than the best, at each size. */
static void compare_winners(struct canvas *canvas, const struct mt_plan_map *map)
{
    for (int i = 0, change = 0; i < canvas->nsizes; i++) {
        while (change + 1 < map->nchanges && i >= canvas->starts[change + 1])
            change++;
        const int best = canvas->of_change[change];
        for (int w = 0; w < canvas->nwinners; w++)
            canvas->winners[w].loss[i] =
                best < 0 ? NAN
                         : 100 * (canvas->winners[w].seconds[i] /
                                      canvas->winners[best].seconds[i] -
                                  1);
    }
}

/* Thin lines for the winners everywhere, and strong ones where they win, of which the
   first of each is in the legend. Returns how many there are. */
static int make_times(struct canvas *canvas, const struct mt_plan_map *map)
{
    int ntimes = 0;
    for (int w = 0; w < canvas->nwinners; w++)
        canvas->times[ntimes++] = (struct mt_series){.style = MT_SERIES_HINT,
                                                     .color = w,
                                                     .count = canvas->nsizes,
                                                     .x = canvas->sizes,
                                                     .y = canvas->winners[w].seconds};
    for (int i = 0, labelled = 0; i < map->nchanges; i++) {
        const int w = canvas->of_change[i], start = canvas->starts[i];
        if (w < 0)
            continue;
        const struct winner *winner = &canvas->winners[w];
        canvas->times[ntimes++] =
            (struct mt_series){.label = w == labelled ? winner->text : NULL,
                               .style = MT_SERIES_LINE,
                               .color = w,
                               .count = canvas->starts[i + 1] - start + 1,
                               .x = canvas->sizes + start,
                               .y = winner->seconds + start,
                               .low = winner->low + start,
                               .high = winner->high + start};
        labelled += w == labelled;
    }
    return ntimes;
}

static void make_losses(struct canvas *canvas)
{
    for (int w = 0; w < canvas->nwinners; w++)
        canvas->losses[w] = (struct mt_series){.style = MT_SERIES_LINE,
                                               .color = w,
                                               .count = canvas->nsizes,
                                               .x = canvas->sizes,
                                               .y = canvas->winners[w].loss};
}

/* Get room for everything; false: memory is short. */
static bool canvas_init(struct canvas *canvas, const struct mt_plan_map *map)
{
    const size_t changes = (size_t)map->nchanges, points = (size_t)map->npoints;
    const size_t sizes = STEPS + changes;
    canvas->room = calloc(sizes * (1 + 4 * changes) + changes + points, sizeof(double));
    canvas->starts = calloc(changes + 1, sizeof *canvas->starts);
    canvas->of_change = calloc(changes, sizeof *canvas->of_change);
    canvas->winners = calloc(changes, sizeof *canvas->winners);
    canvas->times = calloc(2 * changes, sizeof *canvas->times);
    canvas->losses = calloc(changes, sizeof *canvas->losses);
    if (!canvas->room || !canvas->starts || !canvas->of_change || !canvas->winners ||
        !canvas->times || !canvas->losses)
        return false;
    canvas->sizes = canvas->room;
    canvas->marks = canvas->sizes + sizes;
    canvas->ticks = canvas->marks + changes;
    double *next = canvas->ticks + points;
    for (size_t w = 0; w < changes; w++, next += 4 * sizes)
        canvas->winners[w] = (struct winner){.seconds = next,
                                             .low = next + sizes,
                                             .high = next + 2 * sizes,
                                             .loss = next + 3 * sizes};
    return true;
}

static void canvas_clear(struct canvas *canvas)
{
    for (int w = 0; w < canvas->nwinners; w++)
        free(canvas->winners[w].text);
    free(canvas->losses);
    free(canvas->times);
    free(canvas->winners);
    free(canvas->of_change);
    free(canvas->starts);
    free(canvas->room);
}

static int draw(struct canvas *canvas, const struct mt_plan_map *map,
                const char *target, struct mt_error *err)
{
    const struct mt_problem *problem = &map->predictor->problem;
    char title[256], subtitle[128];
    for (int w = 0; w < canvas->nwinners; w++)
        predict_winner(&canvas->winners[w], canvas, map);
    compare_winners(canvas, map);
    make_losses(canvas);
    const struct mt_panel panels[] = {
        {.y_label = "seconds, predicted",
         .log_y = true,
         .series = canvas->times,
         .count = make_times(canvas, map)},
        {.y_label = "slower than best [%]",
         .y_limit = MOST_PERCENT,
         .series = canvas->losses,
         .count = canvas->nwinners},
    };
    snprintf(title, sizeof title, "Best configurations of %s for %s",
             problem->cluster->name, problem->program->name);
    snprintf(subtitle, sizeof subtitle, "%s%s by %s models",
             mt_cluster_simulated(problem->cluster) ? "simulated; " : "",
             map->question.objective == MT_CHEAPEST ? "cheapest" : "fastest",
             mt_model_kind_name(map->predictor->models.kind));
    const struct mt_plot plot = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "problem size N",
                                 .log_x = true,
                                 .ticks = canvas->ticks,
                                 .nticks = map->npoints,
                                 .marks = canvas->marks,
                                 .nmarks = map->nchanges - 1,
                                 .panels = panels,
                                 .count = canvas->nwinners > 1 ? 2 : 1};
    return mt_plot_draw(&plot, target, err);
}

int mt_plan_map_plot(const struct mt_plan_map *map, const char *target,
                     struct mt_error *err)
{
    struct canvas canvas = {0};
    if (!canvas_init(&canvas, map)) {
        canvas_clear(&canvas);
        return mt_fail(err, MT_ENOMEM, "no memory for the picture");
    }
    fill_sizes(&canvas, map);
    int status = find_winners(&canvas, map, err);
    if (status == MT_OK)
        status = draw(&canvas, map, target, err);
    canvas_clear(&canvas);
    return status;
}
