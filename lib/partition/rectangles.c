/* SPDX-License-Identifier: BSD-3-Clause */
/* Rectangles of given areas, and attempts at partitions made of them. */
#include "rectangles.h"

#include "internal.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/* How often all of the panels can be halved; -1: they are not equally wide. */
static int find_halves(int k, int panels)
{
    if (k % panels != 0)
        return -1;
    int halves = 0;
    for (int width = k / panels; width % 2 == 0 && halves < HALVES; width /= 2)
        halves++;
    return halves;
}

int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k)
{
    int n = 0;
    counts[n++] = least <= k ? least : 1;
    for (;;) {
        const int last = counts[n - 1];
        int best = (5 * last + 3) / 4;
        for (int next = best + 1; next <= 2 * last; next++)
            if (find_halves(k, next) > find_halves(k, best))
                best = next;
        if (best > k || best > MT_PARTITION_MOST_PANELS)
            return n;
        counts[n++] = best;
    }
}

void mt_partition_attempt_clear(struct mt_partition_attempt *attempt)
{
    mt_partition_layout_clear(&attempt->layout);
    mt_partition_clear(&attempt->partition);
    free(attempt->busy);
    *attempt = (struct mt_partition_attempt){0};
}

/* An attempt without tiles. */
static int begin(struct mt_partition_attempt *attempt,
                 const struct mt_partition_task *task, struct mt_partition_steps steps,
                 struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    *attempt = (struct mt_partition_attempt){
        .partition = {.kind = MT_PARTITION_AUTO,
                      .ranks = ranks,
                      .panels = steps.panels,
                      .overlap = steps.overlap,
                      .rolled = steps.overlap},
        .busy = calloc((size_t)ranks, sizeof *attempt->busy),
    };
    return attempt->busy ? MT_OK
                         : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
}

static int add_tile(struct mt_partition_attempt *attempt,
                    const struct mt_partition_task *task, struct mt_partition_tile tile,
                    struct mt_error *err)
{
    const struct mt_partition_product *product = task->product;
    tile.levels = mt_strassen_best_levels(
        &task->cluster->speeds[tile.rank], (tile.bottom - tile.top) * product->m,
        (tile.right - tile.left) * product->n,
        (double)product->k / attempt->partition.panels, MT_STRASSEN_MAX_LEVELS, true);
    return mt_partition_add(&attempt->partition, &tile, err);
}

/* Find the ranks that have an area, and their shares of the whole; returns their
   number. */
static int find_shares(double *shares, int *ranks, const double *areas, int most)
{
    double total = 0;
    int count = 0;
    for (int rank = 0; rank < most; rank++)
        total += areas[rank];
    for (int rank = 0; rank < most; rank++)
        if (areas[rank] > 0) {
            shares[count] = areas[rank] / total;
            ranks[count++] = rank;
        }
    return count;
}

static int add_rectangles(struct mt_partition_attempt *attempt,
                          const struct mt_partition_task *task,
                          const struct mt_partition_layout *layout, const double *areas,
                          struct mt_error *err)
{
    const size_t most = (size_t)task->cluster->ranks;
    struct mt_partition_tile *tiles = calloc(most, sizeof *tiles);
    double *shares = calloc(most, sizeof *shares);
    int *ranks = calloc(most, sizeof *ranks), count = 0;
    int status = MT_OK;
    if (tiles && shares && ranks)
        count = find_shares(shares, ranks, areas, task->cluster->ranks);
    else
        status = mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", most);
    if (status == MT_OK && !layout)
        status = mt_partition_layout_init(&attempt->layout, shares, count,
                                          fmax(task->product->m, 1),
                                          fmax(task->product->n, 1), err);
    if (status == MT_OK)
        mt_partition_layout_place(layout ? layout : &attempt->layout, shares, tiles);
    for (int i = 0; i < count && status == MT_OK; i++) {
        tiles[i].rank = ranks[tiles[i].rank];
        status = add_tile(attempt, task, tiles[i], err);
    }
    free(ranks);
    free(shares);
    free(tiles);
    return status;
}

int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                              const struct mt_partition_task *task,
                              const struct mt_partition_layout *layout,
                              const double *areas, struct mt_partition_steps steps,
                              struct mt_error *err)
{
    int status = begin(attempt, task, steps, err);
    if (status == MT_OK)
        status = add_rectangles(attempt, task, layout, areas, err);
    if (status != MT_OK)
        mt_partition_attempt_clear(attempt);
    return status;
}

static double snap(double share, int size, int unit)
{
    if (share >= 1 || size == 0)
        return share;
    return fmin(round(share * size / unit) * unit / size, 1);
}

int mt_partition_attempt_snap(struct mt_partition_attempt *snapped,
                              const struct mt_partition_attempt *attempt,
                              const struct mt_partition_task *task, int unit,
                              struct mt_error *err)
{
    const int m = task->product->m, n = task->product->n;
    bool vanished = false;
    const struct mt_partition_steps steps = {attempt->partition.panels,
                                             attempt->partition.overlap};
    int status = begin(snapped, task, steps, err);
    for (int i = 0; i < attempt->partition.ntiles && status == MT_OK && !vanished;
         i++) {
        struct mt_partition_tile tile = attempt->partition.tiles[i];
        tile.top = snap(tile.top, m, unit);
        tile.left = snap(tile.left, n, unit);
        tile.bottom = snap(tile.bottom, m, unit);
        tile.right = snap(tile.right, n, unit);
        vanished = tile.top >= tile.bottom || tile.left >= tile.right;
        if (!vanished)
            status = add_tile(snapped, task, tile, err);
    }
    if (status != MT_OK || vanished)
        mt_partition_attempt_clear(snapped);
    return status;
}

int mt_partition_attempt_predict(struct mt_partition_attempt *attempt,
                                 const struct mt_partition_task *task,
                                 struct mt_error *err)
{
    struct mt_partition_forecast forecast = {0};
    int status = mt_partition_predict(&forecast, &attempt->partition, task->product,
                                      task->cluster, err);
    if (status != MT_OK)
        return status;
    attempt->seconds = forecast.seconds;
    for (int i = 0; i < forecast.nranks; i++)
        attempt->busy[i] = forecast.ranks[i].compute + forecast.ranks[i].communication;
    mt_partition_forecast_clear(&forecast);
    return MT_OK;
}

/* The work and traffic of a rank in the whole product. */
struct tile_load {
    double compute; /* seconds, of all steps */
    double received, sent;
    int messages; /* that it receives in a step */
};

static double common_length(double first, double end, double other_first,
                            double other_end)
{
    return fmax(fmin(end, other_end) - fmax(first, other_first), 0);
}

/* For common rows, two ranks exchange parts of A, for common columns parts of B: each
   needs the other's share of k. */
static void add_messages(struct tile_load *load, const struct mt_partition_tile *tile,
                         const struct mt_partition_tile *other,
                         const struct mt_partition_product *product)
{
    const double bytes = (double)sizeof(double) * product->k;
    const double rows =
        product->m * common_length(tile->top, tile->bottom, other->top, other->bottom);
    const double columns =
        product->n * common_length(tile->left, tile->right, other->left, other->right);
    load->received += bytes * rows * (other->right - other->left) +
                      bytes * columns * (other->bottom - other->top);
    load->sent += bytes * rows * (tile->right - tile->left) +
                  bytes * columns * (tile->bottom - tile->top);
    load->messages += (rows > 0) + (columns > 0);
}

static struct tile_load find_load(const struct mt_partition *partition, int index,
                                  const struct mt_partition_task *task)
{
    const struct mt_partition_tile *tile = &partition->tiles[index];
    const struct mt_partition_product *product = task->product;
    struct tile_load load = {
        .compute = partition->panels *
                   mt_strassen_seconds(&task->cluster->speeds[tile->rank],
                                       (tile->bottom - tile->top) * product->m,
                                       (tile->right - tile->left) * product->n,
                                       (double)product->k / partition->panels,
                                       tile->levels, partition->panels > 1)};
    for (int i = 0; i < partition->ntiles; i++)
        if (i != index)
            add_messages(&load, tile, &partition->tiles[i], product);
    return load;
}

/* The time that overlap saves in all steps except the first. */
static double find_saved(const struct mt_partition *partition,
                         const struct mt_partition_network *network, double exchange,
                         double product)
{
    return partition->overlap ? (partition->panels - 1) *
                                    fmin(fmax(network->overlap, 0) * exchange, product)
                              : 0;
}

void mt_partition_attempt_estimate(struct mt_partition_attempt *attempt,
                                   const struct mt_partition_task *task)
{
    const struct mt_partition *partition = &attempt->partition;
    const struct mt_partition_network *network = &task->cluster->network;
    attempt->seconds = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct tile_load load = find_load(partition, i, task);
        const double bytes = fmax(load.received, load.sent) +
                             (network->exchange - 1) * fmin(load.received, load.sent);
        const double exchange = bytes / network->bandwidth / partition->panels +
                                load.messages * network->latency;
        const double product = load.compute / partition->panels;
        const double busy = partition->panels * (exchange + product) -
                            find_saved(partition, network, exchange, product);
        attempt->busy[partition->tiles[i].rank] = busy;
        attempt->seconds = fmax(attempt->seconds, busy);
    }
}

double mt_partition_strips(const struct mt_partition_areas *areas, int first, int end,
                           double length)
{
    const double *sums = areas->sums;
    double *least = areas->least;

    least[first] = 0.0;
    for (int last = first + 1; last <= end; last++) {
        least[last] = INFINITY;
        for (int begin = last - 1; begin >= first; begin--) {
            /* Each of its rectangles is as wide as the strip; their heights add up to
               its length. */
            double strip =
                length + (last - begin) * (sums[last] - sums[begin]) / length;
            if (strip >= least[last])
                break; /* as for all longer strips */
            if (least[begin] + strip < least[last]) {
                least[last] = least[begin] + strip;
                areas->from[last] = begin;
            }
        }
    }
    return least[end];
}

struct box {
    double height, width;
};

/* How a box is divided: into strips that lie side by side (columns) or one above the
   other (rows), or by one straight cut. */
struct division {
    double cost;
    bool columns; /* or, of a cut: it is vertical */
    int split;    /* the first area on the other side of the cut; 0: into strips */
};

struct line_search {
    struct mt_partition_areas areas;
    struct mt_partition_line *lines; /* borrowed; of the layout */
    int nlines;
};

static double sum(const struct line_search *search, int first, int end)
{
    return search->areas.sums[end] - search->areas.sums[first];
}

/* The first of the two boxes that a straight cut leaves, and the second. */
static struct box partition_off(const struct box *box, double area, bool vertical)
{
    return vertical ? (struct box){box->height, area / box->height}
                    : (struct box){area / box->width, box->width};
}

static struct box rest_of(const struct box *box, const struct box *first, bool vertical)
{
    return vertical ? (struct box){box->height, box->width - first->width}
                    : (struct box){box->height - first->height, box->width};
}

static struct division best_strips(const struct line_search *search, int first, int end,
                                   const struct box *box)
{
    const double columns = mt_partition_strips(&search->areas, first, end, box->height);
    const double rows = mt_partition_strips(&search->areas, first, end, box->width);
    return (struct division){.cost = fmin(columns, rows), .columns = columns <= rows};
}

static struct division divide(const struct line_search *search, int first, int end,
                              const struct box *box);

/* The cost of a straight cut. With more than FEW areas, each side becomes strips. */
static double straight_partition(const struct line_search *search, int first, int split,
                                 int end, const struct box *box, bool vertical)
{
    const struct box one = partition_off(box, sum(search, first, split), vertical);
    const struct box other = rest_of(box, &one, vertical);
    if (end - first > FEW)
        return best_strips(search, first, split, &one).cost +
               best_strips(search, split, end, &other).cost;
    return divide(search, first, split, &one).cost +
           divide(search, split, end, &other).cost;
}

static struct division divide(const struct line_search *search, int first, int end,
                              const struct box *box)
{
    struct division best = best_strips(search, first, end, box);
    if (end - first <= 3) /* any straight cuts of three make strips */
        return best;
    for (int split = first + 1; split < end; split++)
        for (int vertical = 0; vertical < 2; vertical++) {
            const double cost =
                straight_partition(search, first, split, end, box, vertical);
            if (cost < best.cost)
                best = (struct division){cost, vertical, split};
        }
    return best;
}

static void add_line(struct line_search *search, int split, bool vertical)
{
    search->lines[search->nlines++] = (struct mt_partition_line){split, vertical};
}

/* Place strips from the first area to the end of the last strip; the search has left
   the beginning of each. */
static void add_strips(struct line_search *search, int first, int end, bool columns)
{
    const int begin = search->areas.from[end];
    if (begin > first) {
        add_line(search, begin - first, columns);
        add_strips(search, first, begin, columns);
    }
    for (int i = begin; i < end - 1; i++)
        add_line(search, 1, !columns);
}

static void add_lines(struct line_search *search, int first, int end,
                      const struct box *box)
{
    const struct division best = divide(search, first, end, box);
    if (best.split == 0) {
        mt_partition_strips(&search->areas, first, end,
                            best.columns ? box->height : box->width);
        add_strips(search, first, end, best.columns);
        return;
    }
    const struct box one =
        partition_off(box, sum(search, first, best.split), best.columns);
    const struct box other = rest_of(box, &one, best.columns);
    add_line(search, best.split - first, best.columns);
    add_lines(search, first, best.split, &one);
    add_lines(search, best.split, end, &other);
}

/* The largest first. */
static void sort_by_area(int *order, const double *shares, int count)
{
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && shares[order[place - 1]] < shares[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

static int check_shares(const double *shares, int count, struct mt_error *err)
{
    double total = 0.0;
    for (int i = 0; i < count; i++) {
        if (!(shares[i] > 0.0) || !isfinite(shares[i]))
            return mt_fail(err, MT_EINVAL, "share %d of the area is %g", i, shares[i]);
        total += shares[i];
    }
    if (!(fabs(total - 1.0) <= 1e-9))
        return mt_fail(err, MT_EINVAL, "shares of the area add up to %.10g, not 1",
                       total);
    return MT_OK;
}

int mt_partition_layout_init(struct mt_partition_layout *layout, const double *shares,
                             int count, double height, double width,
                             struct mt_error *err)
{
    int status = check_shares(shares, count, err);
    if (status != MT_OK)
        return status;
    const size_t n = (size_t)count;
    double *sums = calloc(2 * (n + 1), sizeof *sums);
    int *from = calloc(n + 1, sizeof *from);
    *layout = (struct mt_partition_layout){.count = count,
                                           .order = calloc(n, sizeof *layout->order),
                                           .lines = calloc(n, sizeof *layout->lines)};
    if (sums && from && layout->order && layout->lines) {
        sort_by_area(layout->order, shares, count);
        for (int i = 0; i < count; i++)
            sums[i + 1] = sums[i] + shares[layout->order[i]] * height * width;
        struct line_search search = {.areas = {sums, sums + n + 1, from},
                                     .lines = layout->lines};
        add_lines(&search, 0, count, &(struct box){height, width});
    } else {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d rectangles", count);
        mt_partition_layout_clear(layout);
    }
    free(from);
    free(sums);
    return status;
}

void mt_partition_layout_clear(struct mt_partition_layout *layout)
{
    free(layout->order);
    free(layout->lines);
    *layout = (struct mt_partition_layout){0};
}

/* The state of placing tiles. */
struct places {
    const struct mt_partition_layout *layout;
    const double *shares;
    struct mt_partition_tile *tiles;
    int next; /* line */
};

/* Place the tiles [first, end) in the rectangle that `whole` covers. */
static void place_tiles(struct places *places, int first, int end,
                        const struct mt_partition_tile *whole)
{
    const int *order = places->layout->order;
    if (end - first == 1) {
        struct mt_partition_tile *tile = &places->tiles[first];
        *tile = *whole;
        tile->rank = order[first];
        return;
    }
    const struct mt_partition_line *line = &places->layout->lines[places->next++];
    double before = 0, total = 0;
    for (int i = first; i < end; i++) {
        total += places->shares[order[i]];
        before = i < first + line->split ? total : before;
    }
    struct mt_partition_tile one = *whole, other = *whole;
    if (line->vertical)
        one.right = other.left =
            whole->left + (whole->right - whole->left) * (before / total);
    else
        one.bottom = other.top =
            whole->top + (whole->bottom - whole->top) * (before / total);
    place_tiles(places, first, first + line->split, &one);
    place_tiles(places, first + line->split, end, &other);
}

void mt_partition_layout_place(const struct mt_partition_layout *layout,
                               const double *shares, struct mt_partition_tile *tiles)
{
    struct places places = {layout, shares, tiles, 0};
    place_tiles(&places, 0, layout->count,
                &(struct mt_partition_tile){.bottom = 1, .right = 1});
}

int mt_partition_rectangles(struct mt_partition_tile *tiles, const double *shares,
                            int count, struct mt_error *err)
{
    struct mt_partition_layout layout = {0};
    int status = mt_partition_layout_init(&layout, shares, count, 1, 1, err);
    if (status == MT_OK)
        mt_partition_layout_place(&layout, shares, tiles);
    mt_partition_layout_clear(&layout);
    return status;
}
