/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A convex function below the time of a box's configurations, and its tangent planes.
 *
 * With t = log P and the shares a of the ranks that each way has, the logarithm of the
 * seconds is
 *
 *     sum over hypotheses h of W_h log (max over ways i in use of the sum over rows k
 *         of exp (own_hki(t) + sum over ways j of a_j mean_hkj))
 *     + sum over ways j of a_j d_j(t)
 *
 * The maximum is at least its value for any way in use: for the least of the ways that
 * may be the slowest, or of a group that must be in. own(t) is concave, and above its
 * chord. The discrepancy d_j(t) is above a line; of a_j times that line, what is not
 * linear in (t, a) is bounded by the box's width. What is left is the logarithm of a
 * sum of exponentials of planes: convex, and above its tangent plane at any (t, a).
 * A plane's least value over the box is found in knapsack.c. All errors are of second
 * order in the width of the box (McCormick 1976; Boyd and Vandenberghe 2004, 3.1.5).
 */
#include "view.h"

#include "lib/input/internal.h"
#include "lib/model/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int mt_view_init(struct mt_view **view, int ways, struct mt_error *err)
{
    const size_t n = (size_t)ways;
    struct mt_view *made = calloc(1, sizeof *made);
    double *all = calloc(19 * n, sizeof *all);
    int *active = calloc(n, sizeof *active);
    struct mt_step *steps = calloc(2 * n, sizeof *steps);
    if (!made || !all || !active || !steps) {
        free(made);
        free(all);
        free(active);
        free(steps);
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d layouts", ways);
    }
    *made = (struct mt_view){.all = all, .ways = active, .steps = steps};
    double **const arrays[] = {&made->level,
                               &made->start.shares,
                               &made->here.shares,
                               &made->least.shares,
                               &made->other.shares,
                               &made->trial.shares,
                               &made->plane.costs,
                               &made->next.costs,
                               &made->sum.costs,
                               &made->prices[0].costs,
                               &made->prices[1].costs,
                               &made->prices[2].costs,
                               &made->amounts[0].costs,
                               &made->amounts[1].costs,
                               &made->amounts[2].costs,
                               &made->cheap.costs,
                               &made->dear.costs,
                               &made->costs,
                               &made->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, all += n)
        *arrays[i] = all;
    *view = made;
    return MT_OK;
}

void mt_view_free(struct mt_view *view)
{
    if (!view)
        return;
    free(view->all);
    free(view->ways);
    free(view->steps);
    free(view);
}

/*
 * The box.
 */

static void find_active(const struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    const struct mt_box *box = view->box;
    view->ngroups = bounds->predictor->problem.cluster->ngroups;
    view->count = 0;
    for (int g = 0; g < view->ngroups; g++) {
        const struct mt_stretch *nodes = &box->groups[g];
        view->first[g] = view->count;
        for (int i = nodes->first; i <= nodes->last && nodes->high > 0; i++)
            if (mt_box_may_use(box, bounds, i))
                view->ways[view->count++] = i;
    }
    view->first[view->ngroups] = view->count;
}

/* Expressions that depend on P are replaced by their least value in the box, as the
   rows do not fall with them. */
static void take_least(struct mt_point *point, const struct mt_least *least,
                       double exponent)
{
    const double imbalance = point->busiest * point->ranks / point->work;
    if (exponent == 0 && !isnan(least->work))
        point->work = least->work;
    point->busiest = point->work / point->ranks *
                     (isnan(least->imbalance) ? imbalance : least->imbalance);
    if (least->of_work)
        point->data = log2(point->work / point->ranks);
    else if (!isnan(least->data))
        point->data = least->data;
    mt_point_fill(point);
}

/* The least that a split adds to a row. */
static double least_apart(const struct mt_bounds *bounds, int split, int row)
{
    const double parameter = bounds->apart[row];
    if (split == 0)
        return 0;
    const struct mt_range *range = &bounds->view->splits[split - 1];
    return parameter * (parameter > 0 ? range->low : range->high);
}

void mt_view_rows(struct mt_bounds *bounds, double ranks, const struct mt_least *least,
                  double rows[MT_VIEW_ROWS])
{
    const struct mt_mean *mean = &bounds->posterior->mean;
    struct mt_point *point = &bounds->probe;
    double exponent = -1;
    mt_point_set_ranks(point, ranks);
    for (int h = 0; h < mean->nparts; h++) {
        const struct mt_mean_part *part = &mean->parts[h];
        struct mt_rows found;
        if (part->hypothesis.exponent != exponent) {
            exponent = part->hypothesis.exponent;
            mt_point_set_work(point, bounds->posterior, exponent);
            if (least)
                take_least(point, least, exponent);
        }
        mt_hypothesis_rows(bounds->posterior, &part->hypothesis, part->u, point,
                           point->portions, &found);
        for (int k = 0; k < found.count; k++) {
            const int row = bounds->starts[h] + k;
            rows[row] =
                isnan(found.own[k])
                    ? -INFINITY
                    : found.own[k] + least_apart(bounds, part->hypothesis.split, row);
        }
    }
}

/* The least value of an expression that depends on P, or 0; NaN: it does not depend on
   P. */
static double least_of(const struct mt_bounds *bounds, const struct mt_expr *expr)
{
    return expr && mt_expr_uses(expr, MT_P)
               ? fmax(mt_box_range(bounds->view->box, bounds, expr, 1).low, 0)
               : NAN;
}

static struct mt_least find_least(const struct mt_bounds *bounds)
{
    const struct mt_program *program = bounds->predictor->problem.program;
    const struct mt_posterior *posterior = bounds->posterior;
    const struct mt_expr *data =
        program->shape.working_set ? program->shape.working_set : program->memory;
    const double work = posterior->one_size || posterior->reference_work == 0
                            ? NAN
                            : least_of(bounds, program->work);
    const double imbalance = least_of(bounds, program->shape.imbalance);
    return (struct mt_least){.work = work / posterior->reference_work,
                             .imbalance = isnan(imbalance) ? NAN : fmax(imbalance, 1),
                             .data = log2(least_of(bounds, data)),
                             .of_work = data == NULL};
}

double mt_view_apart(const struct mt_bounds *bounds, int split, int a, int b)
{
    const struct mt_posterior *posterior = bounds->posterior;
    return posterior->splits[split].apart[posterior->groups[a]][posterior->groups[b]];
}

/* The value of a split in the box: a group that must be in has at least one other group
   with it. */
static struct mt_range find_split(const struct mt_bounds *bounds, int split)
{
    const struct mt_view *view = bounds->view;
    const struct mt_stretch *nodes = view->box->groups;
    struct mt_range range = {0, 0};
    for (int a = 0; a < view->ngroups && view->box->several; a++) {
        double least = INFINITY;
        for (int b = 0; b < view->ngroups && nodes[a].high > 0; b++) {
            if (b == a || nodes[b].high == 0)
                continue;
            const double apart = mt_view_apart(bounds, split, a, b);
            range.high = fmax(range.high, apart);
            least = fmin(least, apart);
            if (nodes[a].low > 0 && nodes[b].low > 0)
                range.low = fmax(range.low, apart);
        }
        if (nodes[a].low > 0 && least < INFINITY)
            range.low = fmax(range.low, least);
    }
    return range;
}

/* Chords of the rows. */
static void find_chords(struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    const int rows = bounds->starts[bounds->posterior->mean.nparts];
    const struct mt_least least = find_least(bounds);
    mt_view_rows(bounds, view->box->low, &least, view->low);
    mt_view_rows(bounds, view->box->high, &least, view->slope);
    for (int k = 0; k < rows; k++) {
        const double rise = view->slope[k] - view->low[k];
        view->slope[k] = view->to > view->from && isfinite(rise)
                             ? rise / (view->to - view->from)
                             : 0;
    }
}

/* Add a set of active ways of which one is in use; false: it is empty. */
static bool add_set(const struct mt_bounds *bounds, int first, int end, int fastest)
{
    struct mt_view *view = bounds->view;
    const int rows = bounds->starts[bounds->posterior->mean.nparts];
    const int set = view->nsets++;
    bool any = false;
    for (int k = 0; k < rows; k++)
        view->sets[set][k] = INFINITY;
    for (int i = first; i < end; i++) {
        if (bounds->ways[view->ways[i]].place < fastest)
            continue;
        any = true;
        for (int k = 0; k < rows; k++)
            view->sets[set][k] = fmin(
                view->sets[set][k], bounds->factors[k * bounds->nways + view->ways[i]]);
    }
    return any;
}

/* The sets of ways of which one is in use: those that may be the slowest, and those of
   each group that must be in. */
static bool find_sets(const struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    view->nsets = 0;
    bool any = add_set(bounds, 0, view->count, view->box->fastest);
    for (int g = 0; g < view->ngroups && any; g++)
        if (view->box->groups[g].low > 0)
            any = add_set(bounds, view->first[g], view->first[g + 1], 0);
    return any;
}

/* Where tangents begin: every group with half of its nodes, evenly in its ways. */
static void find_start(const struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    double sum = 0;
    view->start.t = (view->from + view->to) / 2;
    for (int g = 0; g < view->ngroups; g++) {
        const struct mt_stretch *nodes = &view->box->groups[g];
        const int ways = view->first[g + 1] - view->first[g];
        for (int i = view->first[g]; i < view->first[g + 1]; i++) {
            view->start.shares[i] = (nodes->low + (double)nodes->high) / ways *
                                    bounds->ways[view->ways[i]].layout.processes;
            sum += view->start.shares[i];
        }
    }
    for (int i = 0; i < view->count; i++)
        view->start.shares[i] /= sum;
}

/* The discrepancies of the active ways between the knots before k and k. */
static void find_discrepancy(const struct mt_bounds *bounds, int k, double t,
                             double *values)
{
    const struct mt_view *view = bounds->view;
    const double *rising = &bounds->rising[(size_t)k * bounds->nways],
                 *falling = &bounds->falling[(size_t)k * bounds->nways];
    const double up = exp(bounds->rate * t), down = 1 / up;
    for (int i = 0; i < view->count; i++)
        values[i] = rising[view->ways[i]] * up + falling[view->ways[i]] * down;
}

static int knot_after(const struct mt_bounds *bounds, double t)
{
    int low = 0, high = bounds->nknots;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (bounds->knots[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void mt_view_discrepancy(const struct mt_bounds *bounds, double t, double *values)
{
    find_discrepancy(bounds, knot_after(bounds, t), t, values);
}

static struct mt_range share_of(const struct mt_bounds *bounds, int i)
{
    const struct mt_view *view = bounds->view;
    const struct mt_way *way = &bounds->ways[view->ways[i]];
    const struct mt_stretch *nodes = &view->box->groups[way->group];
    const double m = way->layout.processes;
    const bool only = view->first[way->group + 1] == view->first[way->group] + 1;
    return (struct mt_range){only ? nodes->low * m / view->box->high : 0,
                             fmin(1, nodes->high * m / view->box->low)};
}

/*
 * Lines below the discrepancies. Between two knots d = A P^rate + B P^-rate, so that
 * d'' = rate^2 d: it is above its chord by no less than minus rate^2 / 8 times its
 * largest value times the width squared.
 */
static void find_lines(const struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    const double width = view->to - view->from, bend = bounds->rate * bounds->rate / 8;
    double *slopes = view->costs, *last = view->scratch, *at_from = view->other.shares,
           *at_to = view->least.shares, *next = view->here.shares,
           *drop = view->plane.costs;
    int knot = knot_after(bounds, view->from);
    find_discrepancy(bounds, knot, view->from, at_from);
    mt_view_discrepancy(bounds, view->to, at_to);
    memcpy(last, at_from, (size_t)view->count * sizeof *last);
    for (int i = 0; i < view->count; i++) {
        slopes[i] = width > 0 ? (at_to[i] - at_from[i]) / width : 0;
        drop[i] = 0;
    }
    double t = view->from;
    while (t < view->to) {
        const bool inside = knot < bounds->nknots && bounds->knots[knot] < view->to;
        const double end = inside ? bounds->knots[knot] : view->to;
        find_discrepancy(bounds, knot, end, next);
        for (int i = 0; i < view->count; i++) {
            const double line = at_from[i] + slopes[i] * (end - view->from),
                         before = last[i] - (line - slopes[i] * (end - t)),
                         most = fmax(fmax(last[i], next[i]), 0);
            drop[i] = fmin(drop[i], fmin(before, next[i] - line) -
                                        bend * most * (end - t) * (end - t));
            last[i] = next[i];
        }
        t = end;
        knot++;
    }
    view->tilt = 0;
    for (int i = 0; i < view->count; i++)
        view->tilt += view->start.shares[i] * slopes[i];
    double widest = 0, sum = 0;
    for (int i = 0; i < view->count; i++) {
        const struct mt_range share = share_of(bounds, i);
        const double off = fabs(slopes[i] - view->tilt), here = view->start.shares[i];
        widest = fmax(widest, off);
        sum += off * fmax(share.high - here, here - share.low);
        view->level[i] = (at_from[i] + at_to[i]) / 2 + drop[i];
    }
    view->spread = fmin(widest, sum) * width / 2;
}

/*
 * Tangents.
 */

void mt_view_means(const struct mt_bounds *bounds, const double *shares)
{
    struct mt_view *view = bounds->view;
    const int rows = bounds->starts[bounds->posterior->mean.nparts];
    for (int k = 0; k < rows; k++) {
        const double *mean = &bounds->mean[(size_t)k * bounds->nways];
        double sum = 0;
        for (int i = 0; i < view->count; i++)
            sum += shares[i] * mean[view->ways[i]];
        view->means[k] = sum;
    }
}

double mt_view_fixed(const struct mt_bounds *bounds)
{
    return bounds->view->box->several ? bounds->mixed : 0;
}

/* The set with the longest seconds, whose other factors are given. */
static const double *find_slowest(const struct mt_view *view, int first, int end,
                                  const double *seconds)
{
    const double *slowest = NULL;
    double most = -1;
    for (int i = 0; i < view->nsets; i++) {
        double sum = 0;
        for (int k = first; k < end; k++)
            sum += seconds[k - first] * view->sets[i][k];
        if (sum > most) {
            most = sum;
            slowest = view->sets[i];
        }
    }
    return slowest;
}

double mt_view_tangent(const struct mt_bounds *bounds, const struct mt_spot *spot,
                       struct mt_plane *plane)
{
    struct mt_view *view = bounds->view;
    const struct mt_mean *mean = &bounds->posterior->mean;
    double value = mt_view_fixed(bounds) - view->spread +
                   view->tilt * (spot->t - (view->from + view->to) / 2);
    plane->slope = view->tilt;
    mt_view_means(bounds, spot->shares);
    for (int i = 0; i < view->count; i++) {
        plane->costs[i] = view->level[i];
        value += spot->shares[i] * view->level[i];
    }
    for (int h = 0; h < mean->nparts; h++) {
        const int first = bounds->starts[h], end = bounds->starts[h + 1];
        double seconds[MT_MOST_ROWS], sum = DBL_MIN;
        for (int k = first; k < end; k++)
            seconds[k - first] =
                exp(view->low[k] + view->slope[k] * (spot->t - view->from) +
                    view->means[k]);
        const double *slowest = find_slowest(view, first, end, seconds);
        for (int k = first; k < end; k++) {
            view->slowest[k] = slowest[k];
            seconds[k - first] *= slowest[k];
            sum += seconds[k - first];
        }
        value += mean->parts[h].weight * log(sum);
        for (int k = first; k < end; k++) {
            const double part = mean->parts[h].weight * seconds[k - first] / sum;
            plane->slope += part * view->slope[k];
            for (int i = 0; k > first && i < view->count; i++)
                plane->costs[i] +=
                    part * bounds->mean[k * bounds->nways + view->ways[i]];
        }
    }
    plane->constant = value - plane->slope * spot->t;
    for (int i = 0; i < view->count; i++)
        plane->constant -= plane->costs[i] * spot->shares[i];
    return value;
}

bool mt_view_open(struct mt_bounds *bounds, const struct mt_box *box,
                  const double most[MT_RESOURCES])
{
    struct mt_view *view = bounds->view;
    view->box = box;
    view->most = most;
    view->from = log(box->low);
    view->to = log(box->high);
    find_active(bounds);
    if (view->count == 0 || !find_sets(bounds))
        return false;
    for (int i = 0; i < bounds->posterior->nsplits; i++)
        view->splits[i] = find_split(bounds, i);
    find_chords(bounds);
    find_start(bounds);
    find_lines(bounds);
    return true;
}
