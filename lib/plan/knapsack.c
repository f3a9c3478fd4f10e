/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least value of a plane over a box. In ranks y_j = a_j P it is the least of
 *
 *     slope log P + (sum of cost_j y_j) / P
 *
 * where nodes of a group choose among its ways. For each P that is a fractional
 * knapsack, filled by the steps of the groups' lower convex hulls in the order of their
 * rates (Dantzig 1957, Sinha and Zoltners 1979); between two steps the minimum over P
 * is known. Limits have Lagrange multipliers.
 */
#include "tuning.h"
#include "view.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Stop with a tangent that may gain less than this, of a logarithm. */
static const double enough = 1e-6;
/* A limit counts as kept within this factor. */
static const double nearly = 1 + 1e-12;
/* A logarithm of seconds above that of any configuration. */
static const double endless = 700;
/* More than all roundings of a plane's value, relative to its terms. */
static const double rounding = 64 * DBL_EPSILON;

static double rise(const struct mt_view *view, const struct mt_plane *plane,
                   const struct mt_spot *from, const struct mt_spot *to)
{
    double sum = plane->slope * (to->t - from->t);
    for (int i = 0; i < view->count; i++)
        sum += plane->costs[i] * (to->shares[i] - from->shares[i]);
    return sum;
}

/*
 * Planes.
 */

/* Add the steps by which nodes of a group get more ranks, along the lower convex hull.
 */
static void add_steps(const struct mt_bounds *bounds, int g, double nodes, int from,
                      const double *costs)
{
    struct mt_view *view = bounds->view;
    double m = from < 0 ? 0 : bounds->ways[view->ways[from]].layout.processes;
    double cost = from < 0 ? 0 : m * costs[from];
    for (;;) {
        struct mt_step best = {.rate = INFINITY, .from = from, .to = -1};
        double most = m;
        for (int i = view->first[g]; i < view->first[g + 1]; i++) {
            const double more = bounds->ways[view->ways[i]].layout.processes;
            const double rate = (more * costs[i] - cost) / (more - m);
            if (more <= m || rate > best.rate || (rate == best.rate && more <= most))
                continue;
            best.rate = rate;
            best.to = i;
            most = more;
        }
        if (best.to < 0)
            return;
        best.ranks = nodes * (most - m);
        int at = view->nsteps++;
        for (; at > 0 && view->steps[at - 1].rate > best.rate; at--)
            view->steps[at] = view->steps[at - 1];
        view->steps[at] = best;
        from = best.to;
        m = most;
        cost = m * costs[from];
    }
}

/* The way with the fewest processes; ties go to the least cost. */
static int fewest_processes(const struct mt_bounds *bounds, int g, const double *costs)
{
    const struct mt_view *view = bounds->view;
    int best = view->first[g];
    for (int i = best + 1; i < view->first[g + 1]; i++) {
        const int m = bounds->ways[view->ways[i]].layout.processes,
                  least = bounds->ways[view->ways[best]].layout.processes;
        if (m < least || (m == least && costs[i] < costs[best]))
            best = i;
    }
    return best;
}

/* The knapsack: the least for the nodes that must be in, and the steps to more. */
static void find_steps(const struct mt_bounds *bounds, const double *costs)
{
    struct mt_view *view = bounds->view;
    view->nsteps = 0;
    view->base_ranks = view->base_cost = 0;
    for (int g = 0; g < view->ngroups; g++) {
        const struct mt_stretch *nodes = &view->box->groups[g];
        if (view->first[g] == view->first[g + 1])
            continue;
        if (nodes->low > 0) {
            const int i = fewest_processes(bounds, g, costs);
            const double ranks =
                (double)nodes->low * bounds->ways[view->ways[i]].layout.processes;
            view->base_ranks += ranks;
            view->base_cost += ranks * costs[i];
            add_steps(bounds, g, nodes->low, i, costs);
        }
        if (nodes->high > nodes->low)
            add_steps(bounds, g, nodes->high - nodes->low, -1, costs);
    }
}

/* The shares of a knapsack that is filled up to P. */
static void fill(const struct mt_bounds *bounds, const double *costs, double ranks,
                 struct mt_spot *spot)
{
    const struct mt_view *view = bounds->view;
    double left = ranks - view->base_ranks;
    spot->t = log(ranks);
    memset(spot->shares, 0, (size_t)view->count * sizeof *spot->shares);
    for (int g = 0; g < view->ngroups; g++) {
        if (view->first[g] == view->first[g + 1] || view->box->groups[g].low == 0)
            continue;
        const int i = fewest_processes(bounds, g, costs);
        spot->shares[i] += (double)view->box->groups[g].low *
                           bounds->ways[view->ways[i]].layout.processes / ranks;
    }
    for (int i = 0; i < view->nsteps && left > 0; i++) {
        const struct mt_step *step = &view->steps[i];
        const double taken = fmin(left, step->ranks);
        const double to = bounds->ways[view->ways[step->to]].layout.processes;
        const double from =
            step->from < 0 ? 0 : bounds->ways[view->ways[step->from]].layout.processes;
        const double nodes = taken / (to - from);
        spot->shares[step->to] += nodes * to / ranks;
        if (step->from >= 0)
            spot->shares[step->from] -= nodes * from / ranks;
        left -= taken;
    }
}

/* The least of slope log P + (cost + rate (P - at)) / P over low <= P <= high, if that
   is less than `least`; `ranks` receives its P. */
static void try_piece(double slope, double cost, double rate, double at, double low,
                      double high, double *least, double *ranks)
{
    const double rest = cost - rate * at;
    const double inner = slope > 0 && rest > 0 ? rest / slope : low;
    const double tried[] = {low, high, fmin(fmax(inner, low), high)};
    for (int i = 0; i < 3 && low <= high; i++) {
        const double value = slope * log(tried[i]) + rest / tried[i] + rate;
        if (value < *least) {
            *least = value;
            *ranks = tried[i];
        }
    }
}

/* The least value of a plane in the box; INFINITY: the box is empty. */
static double minimise(struct mt_bounds *bounds, const struct mt_plane *plane,
                       struct mt_spot *spot)
{
    struct mt_view *view = bounds->view;
    const double low = view->box->low, high = view->box->high;
    double least = INFINITY, best = 0;
    bounds->solved++;
    find_steps(bounds, plane->costs);
    double ranks = view->base_ranks, cost = view->base_cost;
    if (ranks >= low && ranks <= high)
        try_piece(plane->slope, cost, 0, ranks, ranks, ranks, &least, &best);
    for (int i = 0; i < view->nsteps && ranks < high; i++) {
        const struct mt_step *step = &view->steps[i];
        try_piece(plane->slope, cost, step->rate, ranks, fmax(ranks, low),
                  fmin(ranks + step->ranks, high), &least, &best);
        ranks += step->ranks;
        cost += step->ranks * step->rate;
    }
    if (least < INFINITY)
        fill(bounds, plane->costs, best, spot);
    return plane->constant + least;
}

static void copy_spot(const struct mt_view *view, struct mt_spot *to,
                      const struct mt_spot *from)
{
    to->t = from->t;
    memcpy(to->shares, from->shares, (size_t)view->count * sizeof *to->shares);
}

static void move(const struct mt_view *view, struct mt_spot *spot,
                 const struct mt_spot *to, double part)
{
    spot->t += part * (to->t - spot->t);
    for (int i = 0; i < view->count; i++)
        spot->shares[i] += part * (to->shares[i] - spot->shares[i]);
}

/*
 * Limits. Each is one of a plane: the logarithm of the seconds, of what the nodes take,
 * or of their product.
 */

/* Add `weight` times a plane. */
static void add_plane(const struct mt_view *view, struct mt_plane *sum,
                      const struct mt_plane *plane, double weight)
{
    sum->constant += weight * plane->constant;
    sum->slope += weight * plane->slope;
    for (int i = 0; i < view->count; i++)
        sum->costs[i] += weight * plane->costs[i];
}

double mt_view_value(const struct mt_view *view, const struct mt_plane *plane,
                     const struct mt_spot *spot)
{
    double value = plane->constant + plane->slope * spot->t;
    for (int i = 0; i < view->count; i++)
        value += plane->costs[i] * spot->shares[i];
    return value;
}

/* What the terms of a plane may be in the box. */
static double terms_of(const struct mt_view *view, const struct mt_plane *plane)
{
    double most = 0;
    for (int i = 0; i < view->count; i++)
        most = fmax(most, fabs(plane->costs[i]));
    return fabs(plane->constant) + fabs(plane->slope) * view->to + most;
}

static void add_limit(struct mt_view *view, bool seconds, const struct mt_plane *other,
                      double most)
{
    view->limits[view->nlimits++] = (struct mt_limit){seconds, other, most};
}

/* The box's limits of the price, a rank. */
static void find_range(const struct mt_bounds *bounds, const struct mt_plane *price)
{
    struct mt_view *view = bounds->view;
    const double cheap = view->box->cheap, dear = view->box->dear;
    view->cheap.constant = 1;
    view->dear.constant = -1;
    for (int i = 0; i < view->count; i++) {
        view->cheap.costs[i] = cheap > 0 ? -price->costs[i] / cheap : 0;
        view->dear.costs[i] = price->costs[i] / dear;
    }
    if (cheap > 0)
        add_limit(view, false, &view->cheap, 0);
    if (dear < INFINITY)
        add_limit(view, false, &view->dear, 0);
}

/* A plane below the logarithm of what the nodes take: t plus that of the ranks' mean,
   which is above its chord. Not where they may take nothing. */
static void find_price(struct mt_bounds *bounds, enum mt_resource resource)
{
    struct mt_view *view = bounds->view;
    struct mt_plane *price = &view->prices[resource], *other = &view->plane;
    *price = (struct mt_plane){.costs = price->costs};
    *other = (struct mt_plane){.costs = other->costs};
    for (int i = 0; i < view->count; i++) {
        price->costs[i] = bounds->ways[view->ways[i]].takes[resource];
        other->costs[i] = -price->costs[i];
    }
    double low = minimise(bounds, price, &view->least),
           high = -minimise(bounds, other, &view->least);
    if (resource == mt_objective_resource(bounds->question->objective)) {
        find_range(bounds, price);
        view->low_price = low = fmax(low, view->box->cheap);
        view->high_price = high = fmin(high, view->box->dear);
    }
    view->priced[resource] = low > 0 && isfinite(low);
    if (!view->priced[resource])
        return;
    const double slope = high > low * nearly ? log(high / low) / (high - low) : 0;
    for (int i = 0; i < view->count; i++)
        price->costs[i] *= slope;
    price->constant = log(low) - slope * low;
    price->slope = 1;
}

/* A plane below the ratio of the nodes' resources to the limit, less 1, a rank: in
   units of the middle of the box, where 1 / P is below its chord. */
static void find_amount(const struct mt_bounds *bounds, enum mt_resource resource)
{
    struct mt_view *view = bounds->view;
    struct mt_plane *amount = &view->amounts[resource];
    const double most = view->most[resource], ranks = sqrt(exp(view->from + view->to)),
                 width = view->to - view->from, first = ranks * exp(-view->from),
                 last = ranks * exp(-view->to);
    for (int i = 0; i < view->count; i++)
        amount->costs[i] =
            bounds->ways[view->ways[i]].takes[resource] * ranks / fmax(most, 1);
    amount->slope = width > 0 ? (first - last) / width : 0;
    amount->constant = -first - amount->slope * view->from;
}

/* The question's limit on seconds times resources; 0: no limit. */
static double limit_of(const struct mt_question *question, enum mt_resource resource)
{
    const double unit = mt_resource_value(resource, 1, 1);
    const double cost = question->cost > 0 && question->budget > 0
                            ? fmin(question->cost, question->budget)
                            : fmax(question->cost, question->budget);
    if (resource == MT_NODES)
        return question->deadline;
    return (resource == MT_PRICE ? cost : question->joules) / unit;
}

void mt_view_limit(struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    const struct mt_question *question = bounds->question;
    const enum mt_resource least = mt_objective_resource(question->objective);
    view->nlimits = 0;
    for (int r = 0; r < MT_RESOURCES; r++) {
        const enum mt_resource resource = (enum mt_resource)r;
        const double most = limit_of(question, resource);
        const bool limited = view->most[r] < INFINITY;
        if (limited || most > 0 || resource == least)
            find_price(bounds, resource);
        if (resource == MT_NODES && most > 0)
            add_limit(view, true, NULL, log(most) + bounds->slack);
        else if (most > 0 && view->priced[r])
            add_limit(view, true, &view->prices[r], log(most) + bounds->slack);
        if (limited && resource == MT_NODES)
            add_limit(view, false, &view->prices[r], log(view->most[r]));
        if (!limited)
            continue;
        find_amount(bounds, resource);
        add_limit(view, false, &view->amounts[r], 0);
    }
}

/* Add `weight` times the plane of a limit or an objective to the sum. */
static void add_limited(struct mt_view *view, const struct mt_limit *limit,
                        double weight)
{
    if (limit->seconds)
        add_plane(view, &view->sum, &view->plane, weight);
    if (limit->other)
        add_plane(view, &view->sum, limit->other, weight);
    view->sum.constant -= weight * limit->most;
}

static double excess(const struct mt_view *view, const struct mt_limit *limit,
                     const struct mt_spot *spot)
{
    return (limit->seconds ? mt_view_value(view, &view->plane, spot) : 0) +
           (limit->other ? mt_view_value(view, limit->other, spot) : 0) - limit->most;
}

/* A multiplier, the least value with it, and by how much its spot exceeds the limit. */
struct trial {
    double weight, value, excess;
};

/* The largest rounding error of a value with a multiplier of 1. */
static double rounding_of(const struct mt_view *view, const struct mt_limit *limit)
{
    return rounding *
           (fabs(limit->most) + (limit->seconds ? terms_of(view, &view->plane) : 0) +
            (limit->other ? terms_of(view, limit->other) : 0));
}

/*
 * Raise the least value of the sum by the multiplier of a limit that its spot, `least`,
 * exceeds. The value is concave in the multiplier, with the excess as its slope, so the
 * search goes to where the tangents of a low and a high multiplier meet. `least`
 * receives the spot that keeps the limit, the sum the limit's plane. Multipliers large
 * enough for rounding to matter are not tried.
 */
static double keep_limit(struct mt_bounds *bounds, const struct mt_limit *limit,
                         double value)
{
    struct mt_view *view = bounds->view;
    struct trial low = {0, value, excess(view, limit, &view->least)}, high = low,
                 best = low;
    const double rounded = rounding_of(view, limit);
    double weight = 0, heaviest = 0;
    for (int i = 0; i < TRIALS && low.value < endless; i++) {
        struct trial next = {.weight = 1};
        if (high.excess > 0 && i > 0)
            next.weight = 4 * low.weight;
        else if (i > 0)
            next.weight = (high.value - low.value + low.excess * low.weight -
                           high.excess * high.weight) /
                          (low.excess - high.excess);
        const double most =
            low.value + low.excess * (next.weight - low.weight); /* by the tangents */
        if (!(next.weight > low.weight) || next.weight * rounded > enough ||
            (high.excess <= 0 &&
             (!(next.weight < high.weight) || most - best.value < enough)))
            break;
        add_limited(view, limit, next.weight - weight);
        weight = next.weight;
        heaviest = fmax(heaviest, weight);
        next.value = minimise(bounds, &view->sum, &view->trial);
        next.excess = excess(view, limit, &view->trial);
        if (next.excess < nearly - 1) /* it is kept */
            next.excess = fmin(next.excess, 0);
        if (next.value > best.value)
            best = next;
        copy_spot(view, next.excess > 0 ? &view->least : &view->other, &view->trial);
        *(next.excess > 0 ? &low : &high) = next;
    }
    add_limited(view, limit, best.weight - weight);
    view->weight += limit->seconds * best.weight;
    view->apart = fmax(view->apart, high.excess <= 0 && best.weight > 0
                                        ? fabs(view->least.t - view->other.t)
                                        : 0);
    if (high.excess <= 0)
        move(view, &view->least, &view->other, low.excess / (low.excess - high.excess));
    return best.value - heaviest * rounded;
}

/* The least of the objective's plane in the box, within the limits; its spot is
   `least`. */
static double solve(struct mt_bounds *bounds, const struct mt_limit *objective)
{
    struct mt_view *view = bounds->view;
    view->sum.constant = view->sum.slope = 0;
    memset(view->sum.costs, 0, (size_t)view->count * sizeof *view->sum.costs);
    add_limited(view, objective, 1);
    view->weight = 1;
    view->apart = -1;
    double value = minimise(bounds, &view->sum, &view->least);
    for (int i = 0; i < view->nlimits && value < endless; i++) {
        const struct mt_limit *limit = &view->limits[i];
        if (excess(view, limit, &view->least) > nearly - 1)
            value = keep_limit(bounds, limit, value);
    }
    return value;
}

/*
 * A bound of an objective by tangents of the seconds, each at the minimum of the last
 * plane, or on the way there (Frank and Wolfe 1956). Leaves the last spot `here` with
 * its plane, and the spot `least` of that with the plane `next`.
 */
double mt_view_least(struct mt_bounds *bounds, const struct mt_limit *objective)
{
    struct mt_view *view = bounds->view;
    double best = -INFINITY;
    copy_spot(view, &view->here, &view->start);
    mt_view_tangent(bounds, &view->here, &view->plane);
    for (int i = 1;; i++) {
        best = fmax(best, solve(bounds, objective));
        if (best > endless)
            return INFINITY;
        const double there = mt_view_tangent(bounds, &view->least, &view->next);
        const double bend =
            view->weight * (there - mt_view_value(view, &view->plane, &view->least));
        const double falls = mt_view_value(view, &view->sum, &view->least) -
                             mt_view_value(view, &view->sum, &view->here),
                     rises = falls +
                             view->weight *
                                 (rise(view, &view->next, &view->here, &view->least) -
                                  rise(view, &view->plane, &view->here, &view->least));
        if (i == TANGENTS || bend < enough)
            return best;
        move(view, &view->here, &view->least,
             falls < 0 && rises > 0 ? falls / (falls - rises) : 1);
        mt_view_tangent(bounds, &view->here, &view->plane);
    }
}

/* Whether the nodes of the box may keep the limits. */
bool mt_view_within(struct mt_bounds *bounds)
{
    struct mt_view *view = bounds->view;
    for (int r = 0; r < MT_RESOURCES; r++) {
        if (view->most[r] == INFINITY)
            continue;
        for (int i = 0; i < view->count; i++)
            view->costs[i] = bounds->ways[view->ways[i]].takes[r];
        find_steps(bounds, view->costs);
        double taken = view->base_cost, left = view->box->low - view->base_ranks;
        for (int i = 0; i < view->nsteps && left > 0; i++) {
            const double ranks = fmin(left, view->steps[i].ranks);
            taken += ranks * view->steps[i].rate;
            left -= ranks;
        }
        if (taken > view->most[r] * nearly + nearly - 1)
            return false;
    }
    return true;
}
