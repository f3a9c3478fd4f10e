/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_rectangles.h"

#include "cut_strips.h"

#include <math.h>
#include <stdlib.h>

/* So many areas, at most, are cut in all ways. */
enum { FEW = 7 };

struct box {
    double top, left, bottom, right;
};

/* How a box is divided: into strips that lie side by side (columns) or one above the
   other (rows), or by one straight cut, the first areas on one side. */
struct division {
    double cost;
    bool columns; /* or, for one cut: it is vertical */
    int split;    /* where the areas are parted; 0: into strips */
};

/* Areas with the ranks that they belong to. */
struct area {
    double size;
    int rank;
};

struct layout {
    struct mt_cut_areas areas;
    const struct area *sorted;
    struct mt_cut_tile *tiles;
};

static int compare_areas(const void *left, const void *right)
{
    const struct area *a = left, *b = right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return a->rank - b->rank;
}

static double sum(const struct layout *layout, int first, int end)
{
    return layout->areas.sums[end] - layout->areas.sums[first];
}

/* The first of the two boxes that a straight cut leaves; the second has the rest. */
static struct box cut_off(const struct box *box, double area, bool vertical)
{
    struct box first = *box;
    if (vertical)
        first.right = box->left + area / (box->bottom - box->top);
    else
        first.bottom = box->top + area / (box->right - box->left);
    return first;
}

static struct box rest_of(const struct box *box, const struct box *first, bool vertical)
{
    struct box rest = *box;
    if (vertical)
        rest.left = first->right;
    else
        rest.top = first->bottom;
    return rest;
}

static struct division best_strips(const struct layout *layout, int first, int end,
                                   const struct box *box)
{
    double columns = mt_cut_strips(&layout->areas, first, end, box->bottom - box->top);
    double rows = mt_cut_strips(&layout->areas, first, end, box->right - box->left);
    return (struct division){.cost = fmin(columns, rows), .columns = columns <= rows};
}

static struct division divide(const struct layout *layout, int first, int end,
                              const struct box *box);

/* What a straight cut costs. When there are many areas, we look no further than to
   strips on both sides: to look deeper gains less than a thousandth. */
static double straight_cut(const struct layout *layout, int first, int split, int end,
                           const struct box *box, bool vertical)
{
    struct box one = cut_off(box, sum(layout, first, split), vertical);
    struct box other = rest_of(box, &one, vertical);
    if (end - first > FEW)
        return best_strips(layout, first, split, &one).cost +
               best_strips(layout, split, end, &other).cost;
    return divide(layout, first, split, &one).cost +
           divide(layout, split, end, &other).cost;
}

static struct division divide(const struct layout *layout, int first, int end,
                              const struct box *box)
{
    struct division best = best_strips(layout, first, end, box);
    if (end - first <= 3) /* any straight cuts of three make strips */
        return best;
    for (int split = first + 1; split < end; split++)
        for (int vertical = 0; vertical < 2; vertical++) {
            double cost = straight_cut(layout, first, split, end, box, vertical);
            if (cost < best.cost)
                best = (struct division){cost, vertical, split};
        }
    return best;
}

static void place(const struct layout *layout, int area, const struct box *box)
{
    struct mt_cut_tile *tile = &layout->tiles[area];
    tile->rank = layout->sorted[area].rank;
    tile->top = box->top;
    tile->left = box->left;
    tile->bottom = box->bottom;
    tile->right = box->right;
}

/* Areas one beside the other (columns) or one below the other. */
static void place_row(const struct layout *layout, int first, int end, struct box box,
                      bool columns)
{
    for (int i = first; i < end - 1; i++) {
        struct box one = cut_off(&box, sum(layout, i, i + 1), columns);
        place(layout, i, &one);
        box = rest_of(&box, &one, columns);
    }
    place(layout, end - 1, &box);
}

static void place_strips(const struct layout *layout, int first, int end,
                         struct box box, bool columns)
{
    mt_cut_strips(&layout->areas, first, end,
                  columns ? box.bottom - box.top : box.right - box.left);
    /* The search knows where the last strip begins: lay them from the far side. */
    while (end > first) {
        int begin = layout->areas.from[end];
        struct box others = box;
        if (begin > first)
            others = cut_off(&box, sum(layout, first, begin), columns);
        struct box strip = begin > first ? rest_of(&box, &others, columns) : box;
        place_row(layout, begin, end, strip, !columns);
        box = others;
        end = begin;
    }
}

static void place_areas(const struct layout *layout, int first, int end,
                        const struct box *box)
{
    struct division best = divide(layout, first, end, box);
    if (best.split == 0) {
        place_strips(layout, first, end, *box, best.columns);
        return;
    }
    struct box one = cut_off(box, sum(layout, first, best.split), best.columns);
    struct box other = rest_of(box, &one, best.columns);
    place_areas(layout, first, best.split, &one);
    place_areas(layout, best.split, end, &other);
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

int mt_cut_rectangles_of(struct mt_cut_tile *tiles, const double *shares, int count,
                         double height, double width, struct mt_error *err)
{
    int status = check_shares(shares, count, err);
    if (status)
        return status;

    size_t n = (size_t)count;
    struct area *sorted = calloc(n, sizeof *sorted);
    double *sums = calloc(2 * (n + 1), sizeof *sums);
    int *from = calloc(n + 1, sizeof *from);
    if (!sorted || !sums || !from) {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d rectangles", count);
        goto done;
    }
    for (int i = 0; i < count; i++)
        sorted[i] = (struct area){shares[i] * height * width, i};
    qsort(sorted, n, sizeof *sorted, compare_areas);
    for (int i = 0; i < count; i++)
        sums[i + 1] = sums[i] + sorted[i].size;

    const struct layout layout = {
        .areas = {sums, sums + n + 1, from}, .sorted = sorted, .tiles = tiles};
    place_areas(&layout, 0, count, &(struct box){0.0, 0.0, height, width});
    for (int i = 0; i < count; i++) {
        tiles[i].top /= height;
        tiles[i].bottom /= height;
        tiles[i].left /= width;
        tiles[i].right /= width;
    }
done:
    free(from);
    free(sums);
    free(sorted);
    return status;
}

int mt_cut_rectangles(struct mt_cut_tile *tiles, const double *shares, int count,
                      struct mt_error *err)
{
    return mt_cut_rectangles_of(tiles, shares, count, 1.0, 1.0, err);
}
