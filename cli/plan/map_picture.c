/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include "cli/plot/plot.h"
#include "lib/base/array.h"
#include "planning.h"

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

static int find_winners(struct map_picture *picture, const struct mt_plan_map *map,
                        struct mt_error *err)
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
        winner->text = mt_configuration_format(&winner->configuration,
                                               map->predictor->problem.cluster);
        if (!winner->text)
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
    }
    return MT_OK;
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

/* Get room for everything; false: memory is short. */
static bool picture_init(struct map_picture *picture, const struct mt_plan_map *map)
{
    const size_t changes = (size_t)map->nchanges, points = (size_t)map->npoints;
    const size_t sizes = STEPS + changes;
    picture->room =
        calloc(sizes * (1 + 4 * changes) + changes + points, sizeof(double));
    picture->starts = calloc(changes + 1, sizeof *picture->starts);
    picture->of_change = calloc(changes, sizeof *picture->of_change);
    picture->winners = calloc(changes, sizeof *picture->winners);
    picture->times = calloc(2 * changes, sizeof *picture->times);
    picture->losses = calloc(changes, sizeof *picture->losses);
    if (!picture->room || !picture->starts || !picture->of_change ||
        !picture->winners || !picture->times || !picture->losses)
        return false;
    picture->sizes = picture->room;
    picture->marks = picture->sizes + sizes;
    picture->ticks = picture->marks + changes;
    double *next = picture->ticks + points;
    for (size_t w = 0; w < changes; w++, next += 4 * sizes)
        picture->winners[w] = (struct winner){.seconds = next,
                                              .low = next + sizes,
                                              .high = next + 2 * sizes,
                                              .loss = next + 3 * sizes};
    return true;
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
    if (!picture_init(&picture, map)) {
        picture_clear(&picture);
        return mt_fail(err, MT_ENOMEM, "no memory for the picture");
    }
    fill_sizes(&picture, map);
    int status = find_winners(&picture, map, err);
    if (status == MT_OK)
        status = make_plot(&picture, map, use, to, err);
    picture_clear(&picture);
    return status;
}
