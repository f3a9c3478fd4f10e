/* SPDX-License-Identifier: BSD-3-Clause */
#include "rectangles.h"

#include "internal.h"

#include <math.h>
#include <stdlib.h>

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
                break; /* as are all that take more */
            if (least[begin] + strip < least[last]) {
                least[last] = least[begin] + strip;
                areas->from[last] = begin;
            }
        }
    }
    return least[end];
}

/* So many areas, at most, are cut in all ways. */
enum { FEW = 7 };

struct box {
    double height, width;
};

/* How a box is divided: into strips that lie side by side (columns) or one above the
   other (rows), or by one straight cut. */
struct division {
    double cost;
    bool columns; /* or, of one partition: it is vertical */
    int split; /* the first area on the other side of the partition; 0: into strips */
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

/* What a straight cut costs. When there are many areas, we look no further than to
   strips on both sides: to look deeper gains less than a thousandth. */
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

/* Strips from the first area to the one at which the last strip ends; the search before
   has left where each begins. */
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

/* Tiles that are being placed. */
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
