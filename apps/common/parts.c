/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides rows (D'Hondt's method) and boxes (recursive bisection) by weights. */
#include "parts.h"

#include <math.h>
#include <stdio.h>

static double sum(const double *weights, int count)
{
    double result = 0;
    for (int i = 0; i < count; i++)
        result += weights[i];
    return result;
}

/* D'Hondt's method: each row goes to the part with the smallest quotient. With `share`
   rows per weight of 1 no part would be too large, so it starts just below that. */
void parts_divide(int *parts, int total, const double *weights, int count)
{
    const double share = (total - count) / sum(weights, count);
    int left = total;
    for (int i = 0; i < count; i++) {
        /* one less, whatever rounding does */
        parts[i] = (int)fmax(1, floor(share * weights[i]) - 1);
        left -= parts[i];
    }
    for (; left > 0; left--) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if ((parts[i] + 1) * weights[least] < (parts[least] + 1) * weights[i])
                least = i;
        parts[least]++;
    }
}

void parts_summarise(struct parts_summary *summary, double size, double weight)
{
    summary->smallest = summary->weights > 0 ? fmin(summary->smallest, size) : size;
    summary->largest = fmax(summary->largest, size);
    summary->all += size;
    summary->weights += weight;
    summary->quotient = fmax(summary->quotient, size / weight);
}

double parts_imbalance(const struct parts_summary *summary)
{
    return summary->quotient * summary->weights / summary->all;
}

void parts_print(const struct parts_summary *summary, const char *unit)
{
    printf(
        "partition by weights, %.0f to %.0f %s a rank, at most %.3g times its share\n",
        summary->smallest, summary->largest, unit, parts_imbalance(summary));
}

double box_volume(const struct box *box)
{
    return (double)box->points[0] * box->points[1] * box->points[2];
}

struct box box_grow(const struct box *box)
{
    struct box grown;
    for (int axis = 0; axis < 3; axis++) {
        grown.first[axis] = box->first[axis] - 1;
        grown.points[axis] = box->points[axis] + 2;
    }
    return grown;
}

bool box_overlap(const struct box *a, const struct box *b, struct box *common)
{
    for (int axis = 0; axis < 3; axis++) {
        const int a_end = a->first[axis] + a->points[axis];
        const int b_end = b->first[axis] + b->points[axis];
        const int first =
            a->first[axis] > b->first[axis] ? a->first[axis] : b->first[axis];
        const int end = a_end < b_end ? a_end : b_end;
        if (first >= end)
            return false;
        common->first[axis] = first;
        common->points[axis] = end - first;
    }
    return true;
}

bool box_touch(const struct box *here, const struct box *there, struct box *own,
               struct box *halo)
{
    const struct box around_here = box_grow(here), around_there = box_grow(there);
    if (!box_overlap(here, &around_there, own) ||
        !box_overlap(&around_here, there, halo))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        own->first[axis] -= here->first[axis];
        halo->first[axis] -= here->first[axis];
    }
    return true;
}

static int find_longest(const struct box *box)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (box->points[axis] > box->points[longest])
            longest = axis;
    return longest;
}

/* Layers of `area` points needed by `boxes` boxes. */
static int layers(int boxes, double area)
{
    return (int)ceil(boxes / area);
}

/* The number of boxes before the cut: the choice with the most equal weights of both
   sides for which `length` layers of `area` points have room. */
static int halve(const double *weights, int count, int length, double area)
{
    const double all = sum(weights, count);
    double before = 0, least = INFINITY;
    int best = 1;
    for (int i = 1; i < count; i++) {
        before += weights[i - 1];
        const double difference = fabs(all - 2 * before);
        if (difference < least && layers(i, area) + layers(count - i, area) <= length) {
            least = difference;
            best = i;
        }
    }
    return best;
}

/* The number of layers before the cut: of the two whole numbers around their share, the
   one with the smaller maximum of layers over weight on both sides. */
static int choose_layers(int length, double before, double after, int least, int most)
{
    const int below = (int)floor(length * (before / (before + after)));
    const double down = (length - below) * before, up = (below + 1) * after;
    const int chosen = down <= up ? below : below + 1;
    return chosen < least ? least : chosen > most ? most : chosen;
}

/* Cut boxes[0] into `count` boxes. */
static void cut(struct box *boxes, const double *weights, int count)
{
    if (count == 1)
        return;
    const struct box whole = boxes[0];
    const int axis = find_longest(&whole), length = whole.points[axis];
    const double area = box_volume(&whole) / length;
    const int before = halve(weights, count, length, area), after = count - before;
    const int part =
        choose_layers(length, sum(weights, before), sum(weights + before, after),
                      layers(before, area), length - layers(after, area));
    boxes[before] = whole;
    boxes[0].points[axis] = part;
    boxes[before].first[axis] += part;
    boxes[before].points[axis] -= part;
    cut(boxes, weights, before);
    cut(boxes + before, weights + before, after);
}

void parts_cut_box(struct box *boxes, const int size[3], const double *weights,
                   int count)
{
    boxes[0] = (struct box){.points = {size[0], size[1], size[2]}};
    cut(boxes, weights, count);
}
