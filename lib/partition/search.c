/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the best partition of a product: rectangles by speed, or equal blocks. */
#include "blocks.h"
#include "internal.h"
#include "rectangles.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rectangle_search {
    const struct mt_partition_task *task;
    int *ranks;    /* owned; the fastest first */
    double *areas; /* owned; of every rank, to be tried next */
    bool overlap;  /* of messages with products */
    /* Few panels leave Strassen's method large products; with many, there is less to
       wait for before the first one. */
    int panels[MT_PARTITION_PANEL_COUNTS], npanels;
    struct mt_partition_attempt
        estimated[MT_PARTITION_PANEL_COUNTS];  /* the best one of each */
    bool predicted[MT_PARTITION_PANEL_COUNTS]; /* not only estimated */
    long effort;                               /* that it took */
    struct mt_partition_attempt best; /* of those that are predicted and corrected */
};

/* Take the areas of an attempt for the `count` fastest ranks only. */
static void take_areas(struct rectangle_search *search,
                       const struct mt_partition_attempt *attempt, int count)
{
    const int ranks = search->task->cluster->ranks;
    memset(search->areas, 0, (size_t)ranks * sizeof *search->areas);
    for (int i = 0; i < attempt->partition.ntiles; i++) {
        const struct mt_partition_tile *tile = &attempt->partition.tiles[i];
        search->areas[tile->rank] =
            (tile->bottom - tile->top) * (tile->right - tile->left);
    }
    for (int i = count; i < ranks; i++)
        search->areas[search->ranks[i]] = 0;
}

/* Give more of the area to ranks that are busy for less time than others. False when
   all are in balance. */
static bool correct_areas(struct rectangle_search *search,
                          const struct mt_partition_attempt *attempt)
{
    const int count = attempt->partition.ntiles;
    double sum = 0, least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        const double busy = attempt->busy[attempt->partition.tiles[i].rank];
        sum += busy;
        least = fmin(least, busy);
        most = fmax(most, busy);
    }
    if (most - least <= balanced * most)
        return false;
    for (int i = 0; i < count; i++) {
        const int rank = attempt->partition.tiles[i].rank;
        const double excess = attempt->busy[rank] * count / sum;
        search->areas[rank] /= fmin(fmax(excess, 1 / most_correction), most_correction);
    }
    return true;
}

static void keep_better(struct mt_partition_attempt *best,
                        struct mt_partition_attempt *attempt)
{
    if (!best->partition.tiles || attempt->seconds < best->seconds) {
        const struct mt_partition_attempt worse = *best;
        *best = *attempt;
        *attempt = worse;
    }
    mt_partition_attempt_clear(attempt);
}

/* Estimate partitions in panels[place], correcting the areas each time. */
static int estimate(struct rectangle_search *search, int place, struct mt_error *err)
{
    bool again = true;
    for (int i = 0; i < ESTIMATES && again; i++) {
        struct mt_partition_attempt attempt;
        const struct mt_partition_steps steps = {search->panels[place],
                                                 search->overlap};
        int status = mt_partition_attempt_init(&attempt, search->task, NULL,
                                               search->areas, steps, err);
        if (status != MT_OK)
            return status;
        mt_partition_attempt_estimate(&attempt, search->task);
        again = correct_areas(search, &attempt);
        keep_better(&search->estimated[place], &attempt);
    }
    return MT_OK;
}

/* The place of the best partition, of all or of the predicted ones; -1: none is
   left. */
static int find_best(const struct rectangle_search *search, bool predicted)
{
    int best = -1;
    for (int i = 0; i < search->npanels; i++)
        if (search->estimated[i].partition.tiles &&
            (!predicted || search->predicted[i]) &&
            (best < 0 ||
             search->estimated[i].seconds < search->estimated[best].seconds))
            best = i;
    return best;
}

static int try_all_ranks(struct rectangle_search *search, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < search->npanels && status == MT_OK; i++)
        status = estimate(search, i, err);
    return status;
}

/* Leave out slow ranks, one or many at a time, as long as that helps. */
static int try_fewer_ranks(struct rectangle_search *search, struct mt_error *err)
{
    bool better;
    int status = MT_OK;
    do {
        const int best = find_best(search, false);
        const double before = search->estimated[best].seconds;
        const int count = search->estimated[best].partition.ntiles;
        const int fewer[] = {count - 1, count - 1 - count / 8, count / 2};
        for (int i = 0; i < 3 && fewer[i] > 0; i++)
            for (int place = best - 1; place <= best + 1 && status == MT_OK; place++)
                if (place >= 0 && place < search->npanels) {
                    take_areas(search, &search->estimated[best], fewer[i]);
                    status = estimate(search, place, err);
                }
        better = search->estimated[find_best(search, false)].seconds < before;
    } while (status == MT_OK && better);
    return status;
}

static int predict(struct rectangle_search *search,
                   struct mt_partition_attempt *attempt, struct mt_error *err)
{
    search->effort += (long)attempt->partition.panels * attempt->partition.ntiles;
    return mt_partition_attempt_predict(attempt, search->task, err);
}

/* Predict the best of the estimated partitions. The others are no better than
   estimated, because contention between messages only adds time. */
static int predict_best(struct rectangle_search *search, struct mt_error *err)
{
    int status = MT_OK;
    while (status == MT_OK && search->effort < CHOICE_EFFORT) {
        const int place = find_best(search, false);
        if (search->predicted[place])
            break;
        search->predicted[place] = true;
        status = predict(search, &search->estimated[place], err);
    }
    return status;
}

/* Correct the areas of a partition by predictions, all tiles in their places. */
static int refine(struct rectangle_search *search, struct mt_partition_attempt *attempt,
                  struct mt_error *err)
{
    const struct mt_partition_steps steps = {attempt->partition.panels,
                                             search->overlap};
    struct mt_partition_layout layout = attempt->layout;
    attempt->layout = (struct mt_partition_layout){0};
    take_areas(search, attempt, search->task->cluster->ranks);
    bool again = correct_areas(search, attempt);
    keep_better(&search->best, attempt);
    int status = MT_OK;
    for (int i = 0; i < PREDICTIONS && search->effort < EFFORT && again; i++) {
        status = mt_partition_attempt_init(attempt, search->task, &layout,
                                           search->areas, steps, err);
        if (status == MT_OK)
            status = predict(search, attempt, err);
        again = status == MT_OK && correct_areas(search, attempt);
        if (status == MT_OK)
            keep_better(&search->best, attempt);
    }
    mt_partition_layout_clear(&layout);
    return status;
}

static int refine_best(struct rectangle_search *search, struct mt_error *err)
{
    int status = MT_OK;
    for (int place; status == MT_OK && (place = find_best(search, true)) >= 0;) {
        struct mt_partition_attempt *attempt = &search->estimated[place];
        if (search->best.partition.tiles &&
            attempt->seconds > search->best.seconds * (1 + correctable))
            break;
        status = refine(search, attempt, err);
    }
    return status;
}

static int try_snapping(struct rectangle_search *search, struct mt_error *err)
{
    const struct mt_partition *partition = &search->best.partition;
    int levels = 0;
    for (int i = 0; i < partition->ntiles; i++)
        if (partition->tiles[i].levels > levels)
            levels = partition->tiles[i].levels;
    for (bool found = false; levels > 0 && !found; levels--) {
        struct mt_partition_attempt snapped;
        int status = mt_partition_attempt_snap(&snapped, &search->best, search->task,
                                               1 << levels, err);
        if (status == MT_OK && snapped.partition.tiles)
            status = mt_partition_attempt_predict(&snapped, search->task, err);
        if (status == MT_OK && snapped.partition.tiles &&
            snapped.seconds <= search->best.seconds * (1 + snapping_price)) {
            mt_partition_attempt_clear(&search->best);
            search->best = snapped;
            found = true;
        } else {
            mt_partition_attempt_clear(&snapped);
        }
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* Sort the ranks, fastest first, and set areas by their speeds for a part of mean
   size. */
static int begin(struct rectangle_search *search, struct mt_error *err)
{
    const struct mt_partition_cluster *cluster = search->task->cluster;
    const struct mt_partition_product *product = search->task->product;
    const int count = cluster->ranks;
    search->ranks = calloc((size_t)count, sizeof *search->ranks);
    search->areas = calloc((size_t)count, sizeof *search->areas);
    if (!search->ranks || !search->areas)
        return mt_fail(err, MT_ENOMEM, "no memory for a partition for %d ranks", count);

    const double m = fmax(product->m, 1) / sqrt(count);
    const double n = fmax(product->n, 1) / sqrt(count);
    const double k = fmax(product->k, 1);
    for (int rank = 0; rank < count; rank++) {
        const struct mt_strassen_speed *speed = &cluster->speeds[rank];
        const int levels =
            mt_strassen_best_levels(speed, m, n, k, MT_STRASSEN_MAX_LEVELS, true);
        search->areas[rank] = 1 / mt_strassen_seconds(speed, m, n, k, levels, true);
        int place = rank;
        for (;
             place > 0 && search->areas[search->ranks[place - 1]] < search->areas[rank];
             place--)
            search->ranks[place] = search->ranks[place - 1];
        search->ranks[place] = rank;
    }
    const double most = search->areas[search->ranks[0]];
    for (int rank = 0; rank < count; rank++)
        if (search->areas[rank] < negligible * most)
            search->areas[rank] = 0;
    return MT_OK;
}

static int find_rectangles(struct rectangle_search *search, struct mt_error *err)
{
    int status = begin(search, err);
    if (status == MT_OK)
        status = try_all_ranks(search, err);
    if (status == MT_OK)
        status = try_fewer_ranks(search, err);
    if (status == MT_OK)
        status = predict_best(search, err);
    if (status == MT_OK)
        status = refine_best(search, err);
    if (status == MT_OK)
        status = try_snapping(search, err);
    return status;
}

/* The best rectangles, with overlap or without. */
static int search_rectangles(struct mt_partition_attempt *best,
                             const struct mt_partition_task *task, bool overlap,
                             struct mt_error *err)
{
    struct rectangle_search search = {.task = task, .overlap = overlap};
    /* With one panel nothing overlaps, and all of a rank's parts of A and B are copied:
       a real machine waits for its memory then. */
    const int least = overlap && task->cluster->ranks > 1 ? 2 : 1;
    search.npanels = mt_partition_list_panels(search.panels, least, task->product->k);
    const int status = find_rectangles(&search, err);
    if (status == MT_OK)
        keep_better(best, &search.best);
    mt_partition_attempt_clear(&search.best);
    for (int i = 0; i < search.npanels; i++)
        mt_partition_attempt_clear(&search.estimated[i]);
    free(search.areas);
    free(search.ranks);
    return status;
}

/* Try overlap if it can gain, and no overlap if the gain is uncertain. */
static int choose_rectangles(struct mt_partition *partition,
                             const struct mt_partition_task *task, struct mt_error *err)
{
    const double overlap =
        task->cluster->ranks > 1 ? task->cluster->network.overlap : 1;
    struct mt_partition_attempt best = {0};
    int status = MT_OK;
    if (overlap > 0) /* false for NaN */
        status = search_rectangles(&best, task, true, err);
    if (status == MT_OK && !(overlap >= 1)) {
        best.seconds *= overlap_margin;
        status = search_rectangles(&best, task, false, err);
    }
    if (status == MT_OK) {
        *partition = best.partition;
        best.partition = (struct mt_partition){0};
    }
    mt_partition_attempt_clear(&best);
    return status;
}

static int choose_kind(struct mt_partition *partition,
                       const struct mt_partition_task *task, int most,
                       struct mt_error *err)
{
    switch (partition->kind) {
    case MT_PARTITION_EQUAL:
        return mt_partition_choose_equal(partition, task, err);
    case MT_PARTITION_GREEDY:
        return mt_partition_choose_greedy(partition, task, most, err);
    case MT_PARTITION_RECURSIVE:
        return mt_partition_choose_recursive(partition, task, most, err);
    default:
        return choose_rectangles(partition, task, err);
    }
}

int mt_partition_choose(struct mt_partition *partition, enum mt_partition_kind kind,
                        const struct mt_partition_product *product,
                        const struct mt_partition_cluster *cluster, int most,
                        struct mt_error *err)
{
    if (product->m < 0 || product->n < 0 || product->k < 0)
        return mt_fail(err, MT_EINVAL, "a product of sizes %d, %d, %d", product->m,
                       product->n, product->k);
    if (cluster->ranks < 1 || most < 1)
        return mt_fail(err, MT_EINVAL,
                       "no partition for %d ranks with at most %d blocks",
                       cluster->ranks, most);
    const struct mt_partition_task task = {product, cluster};
    struct mt_partition chosen = {.kind = kind};
    const int status = choose_kind(&chosen, &task, most, err);
    if (status != MT_OK)
        mt_partition_clear(&chosen);
    else
        *partition = chosen;
    return status;
}
