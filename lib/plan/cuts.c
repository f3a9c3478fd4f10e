/* SPDX-License-Identifier: BSD-3-Clause */
/* The bound of a box, where it is loose, and a configuration near its least. */
#include "view.h"

#include "lib/input/internal.h"

#include <math.h>
#include <string.h>

/* Nodes that are whole to rounding. */
static const double whole_nodes = 1e-6;
/* A gap that is not worth a split. */
static const double tiny = 1e-10;

/*
 * Where a box's bound is loose, and a configuration nearby.
 */

/* How far the seconds at `least` exceed the bound, by each inexact part. */
struct gaps {
    double seconds; /* the logarithm at `least`, without the gaps */
    double ranks, slowest, price, apart;
    int way;   /* an active way slower than the assumed slowest one; -1: none */
    int group; /* a group that may be in, apart from others; -1: none */
};

/* The seconds of a way over those of the assumed slowest way. */
static double ratio(const struct mt_bounds *bounds, int h, int way,
                    const double seconds[MT_MOST_ROWS], double sum)
{
    double all = 0;
    for (int k = bounds->starts[h]; k < bounds->starts[h + 1]; k++)
        all += seconds[k - bounds->starts[h]] *
               bounds->factors[k * bounds->nways + way] / bounds->view->slowest[k];
    return all / sum;
}

static double nodes_at(const struct mt_bounds *bounds, const struct mt_spot *spot,
                       int g)
{
    const struct mt_view *view = bounds->view;
    double nodes = 0;
    for (int i = view->first[g]; i < view->first[g + 1]; i++)
        nodes += spot->shares[i] / bounds->ways[view->ways[i]].layout.processes;
    return nodes * exp(spot->t);
}

/* How far groups of a split are apart at a spot. */
static double apart_at(const struct mt_bounds *bounds, const struct mt_spot *spot,
                       int split)
{
    int used[MT_MAX_GROUPS], count = 0;
    double most = 0;
    for (int g = 0; g < bounds->view->ngroups; g++)
        if (nodes_at(bounds, spot, g) > whole_nodes)
            used[count++] = g;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            most = fmax(most, mt_view_apart(bounds, split, used[a], used[b]));
    return most;
}

/* The group that need not be in the box with the largest distance from another one that
   may be. */
static int farthest(const struct mt_bounds *bounds, int split)
{
    const struct mt_view *view = bounds->view;
    const struct mt_stretch *nodes = view->box->groups;
    double most = 0;
    int group = -1;
    for (int a = 0; a < view->ngroups; a++)
        for (int b = 0; b < view->ngroups; b++) {
            if (a == b || nodes[a].low > 0 || nodes[a].high == 0 || nodes[b].high == 0)
                continue;
            const double apart = mt_view_apart(bounds, split, a, b);
            group = apart > most ? a : group;
            most = fmax(most, apart);
        }
    return group;
}

/* How far splits loosen the bound at a spot; how much the seconds rise (with parameters
   below 0: fall) with the value of each. */
static void find_splits(const struct mt_bounds *bounds, const struct mt_spot *spot,
                        const struct mt_range *rises, struct gaps *gaps)
{
    double most = 0;
    for (int i = 0; i < bounds->posterior->nsplits; i++) {
        const struct mt_range *range = &bounds->view->splits[i];
        if (range->high <= range->low)
            continue;
        const double apart = apart_at(bounds, spot, i),
                     gap = rises[i].high * (apart - range->low) +
                           rises[i].low * (apart - range->high);
        gaps->apart += gap;
        if (gap > most) {
            most = gap;
            gaps->group = farthest(bounds, i);
        }
    }
}

static struct gaps find_gaps(struct mt_bounds *bounds, const struct mt_spot *spot)
{
    struct mt_view *view = bounds->view;
    const struct mt_mean *mean = &bounds->posterior->mean;
    struct gaps gaps = {.seconds = mt_view_fixed(bounds), .way = -1, .group = -1};
    struct mt_range rises[MT_MAX_GROUPS + 1] = {{0}};
    double rows[MT_VIEW_ROWS], *excess_of = view->scratch, *values = view->costs;
    mt_view_rows(bounds, round(exp(spot->t)), NULL, rows);
    mt_view_means(bounds, spot->shares);
    memset(excess_of, 0, (size_t)view->count * sizeof *excess_of);
    for (int h = 0; h < mean->nparts; h++) {
        const int first = bounds->starts[h];
        double seconds[MT_MOST_ROWS], sum = 0, lines = 0, most = 1;
        for (int k = first; k < bounds->starts[h + 1]; k++) {
            const double rest = view->slowest[k] * exp(view->means[k]);
            seconds[k - first] = exp(rows[k]) * rest;
            sum += seconds[k - first];
            lines += exp(view->low[k] + view->slope[k] * (spot->t - view->from)) * rest;
        }
        const int split = mean->parts[h].hypothesis.split;
        for (int k = first; k < bounds->starts[h + 1] && split > 0; k++)
            *(bounds->apart[k] > 0 ? &rises[split - 1].high : &rises[split - 1].low) +=
                mean->parts[h].weight * bounds->apart[k] * seconds[k - first] / sum;
        for (int i = 0; i < view->count; i++) {
            if (spot->shares[i] <= 0)
                continue;
            const double slower = ratio(bounds, h, view->ways[i], seconds, sum);
            most = fmax(most, slower);
            if (slower > 1)
                excess_of[i] += mean->parts[h].weight * log(slower);
        }
        gaps.ranks += mean->parts[h].weight * log(sum / lines);
        gaps.slowest += mean->parts[h].weight * log(most);
        gaps.seconds += mean->parts[h].weight * log(sum * most);
    }
    find_splits(bounds, spot, rises, &gaps);
    const enum mt_resource least = mt_objective_resource(bounds->question->objective);
    double takes = 0;
    for (int i = 0; i < view->count; i++)
        takes += spot->shares[i] * bounds->ways[view->ways[i]].takes[least];
    if (least != MT_NODES && view->priced[least])
        gaps.price =
            log(takes) + spot->t - mt_view_value(view, &view->prices[least], spot);
    mt_view_discrepancy(bounds, spot->t, values);
    gaps.ranks += view->spread - view->tilt * (spot->t - (view->from + view->to) / 2);
    for (int i = 0; i < view->count; i++) {
        gaps.seconds += spot->shares[i] * values[i];
        gaps.ranks += spot->shares[i] * (values[i] - view->level[i]);
        if (excess_of[i] > 0 && (gaps.way < 0 || excess_of[i] > excess_of[gaps.way]))
            gaps.way = i;
    }
    return gaps;
}

static int groups_at(const struct mt_bounds *bounds, const struct mt_spot *spot)
{
    int count = 0;
    for (int g = 0; g < bounds->view->ngroups; g++)
        count += nodes_at(bounds, spot, g) > whole_nodes;
    return count;
}

/* The number of ways that a group's nodes use at a spot. */
static int ways_at(const struct mt_view *view, const struct mt_spot *spot, int g)
{
    int count = 0;
    for (int i = view->first[g]; i < view->first[g + 1]; i++)
        count += spot->shares[i] > whole_nodes * whole_nodes;
    return count;
}

/* Whole nodes near `least`, each group's in one way. */
static bool round_spot(const struct mt_bounds *bounds,
                       struct mt_configuration *configuration)
{
    struct mt_view *view = bounds->view;
    const struct mt_box *box = view->box;
    int used = 0, ranks = 0;
    *configuration = (struct mt_configuration){{{0}}};
    memset(view->trial.shares, 0, (size_t)view->count * sizeof *view->trial.shares);
    for (int g = 0; g < view->ngroups; g++) {
        int best = view->first[g];
        const double nodes = floor(nodes_at(bounds, &view->least, g) + whole_nodes);
        const int n = (int)fmin(fmax(nodes, box->groups[g].low), box->groups[g].high);
        if (view->first[g] == view->first[g + 1] || n == 0)
            continue;
        for (int i = best; i < view->first[g + 1]; i++)
            if (view->least.shares[i] > view->least.shares[best])
                best = i;
        const struct mt_layout layout = bounds->ways[view->ways[best]].layout;
        configuration->use[g] = mt_use_nodes(n, layout);
        view->trial.shares[best] = (double)n * layout.processes;
        ranks += n * layout.processes;
        used++;
    }
    for (int i = 0; i < view->count; i++)
        view->trial.shares[i] /= ranks;
    view->trial.t = log(ranks);
    return used > box->several && mt_configuration_nodes(configuration) > 1;
}

static struct mt_cut cut_at(enum mt_cut_kind kind, int group, int at)
{
    return (struct mt_cut){.kind = kind, .group = group, .at = at};
}

static struct mt_cut cut_ways(const struct mt_bounds *bounds, int g, int i)
{
    const struct mt_view *view = bounds->view;
    if (view->box->groups[g].low == 0)
        return cut_at(MT_CUT_NODES, g, 0);
    return cut_at(MT_CUT_WAYS, g, view->ways[i] - (i > view->first[g]));
}

static struct mt_cut cut_group(const struct mt_bounds *bounds, int g)
{
    const struct mt_view *view = bounds->view;
    const struct mt_stretch *nodes = &view->box->groups[g];
    if (view->first[g + 1] - view->first[g] > 1)
        return cut_ways(bounds, g, (view->first[g] + view->first[g + 1]) / 2);
    return cut_at(MT_CUT_NODES, g, nodes->low + (nodes->high - nodes->low - 1) / 2);
}

/* Cut at the way that is slower than the assumed slowest one. */
static bool cut_slowest(const struct mt_bounds *bounds, int way, struct mt_cut *cut)
{
    const struct mt_view *view = bounds->view;
    const struct mt_way *slow = &bounds->ways[view->ways[way]];
    const int g = slow->group;
    if (slow->place > view->box->fastest)
        *cut = cut_at(MT_CUT_PLACES, g, slow->place - 1);
    else if (view->box->groups[g].low == 0 || view->first[g + 1] - view->first[g] > 1)
        *cut = cut_ways(bounds, g, way);
    else
        return false;
    return true;
}

/* In a mix, require a group that is not in yet. */
static struct mt_cut cut_use(const struct mt_bounds *bounds)
{
    const struct mt_view *view = bounds->view;
    int g = 0;
    while (view->box->groups[g].low > 0 || view->first[g] == view->first[g + 1] ||
           nodes_at(bounds, &view->least, g) > whole_nodes)
        g++;
    return cut_at(MT_CUT_NODES, g, 0);
}

/* Cut at nodes that are not whole, or in several ways; otherwise next to `least`. */
static struct mt_cut cut_nodes(const struct mt_bounds *bounds)
{
    const struct mt_view *view = bounds->view;
    int widest = -1, range = 0, mixed = -1;
    double part = whole_nodes;
    struct mt_cut cut = cut_at(MT_CUT_RANKS, 0, (view->box->low + view->box->high) / 2);
    for (int g = 0; g < view->ngroups; g++) {
        const struct mt_stretch *nodes = &view->box->groups[g];
        const double n = nodes_at(bounds, &view->least, g), off = fabs(n - round(n));
        if (view->first[g + 1] - view->first[g] > 1 &&
            (mixed < 0 || ways_at(view, &view->least, g) > 1))
            mixed = g;
        if (nodes->high > nodes->low && off > part) {
            const int below = (int)fmax(floor(n), nodes->low);
            part = off;
            cut =
                cut_at(MT_CUT_NODES, g, below < nodes->high ? below : nodes->high - 1);
        }
        if (nodes->high - nodes->low > range) {
            range = nodes->high - nodes->low;
            widest = g;
        }
    }
    if (mixed >= 0 && ways_at(view, &view->least, mixed) > 1)
        return cut_group(bounds, mixed);
    if (part > whole_nodes)
        return cut;
    if (widest >= 0) {
        const int n = (int)round(nodes_at(bounds, &view->least, widest));
        return cut_at(MT_CUT_NODES, widest,
                      n < view->box->groups[widest].high ? n : n - 1);
    }
    return mixed >= 0 ? cut_group(bounds, mixed) : cut;
}

/* Split the part that loosens the bound most: the range of P, the slowest way, the
   range of a group's nodes, or fractional nodes. */
static struct mt_cut find_cut(const struct mt_bounds *bounds, const struct gaps *gaps,
                              double rounding)
{
    const struct mt_view *view = bounds->view;
    const struct mt_box *box = view->box;
    const struct mt_spot *here = &view->here, *least = &view->least;
    struct mt_cut cut = cut_nodes(bounds), slowest;
    double most = fmax(rounding, tiny);
    const double ranks = fmax(view->apart, 0) + gaps->ranks +
                         (view->next.slope - view->plane.slope) * (least->t - here->t);
    if (ranks > most && box->low < box->high) {
        most = ranks;
        cut = cut_at(MT_CUT_RANKS, 0,
                     (int)fmin(sqrt((double)box->low * box->high), box->high - 1));
    }
    for (int g = 0; g < view->ngroups; g++) {
        double sum = 0;
        for (int i = view->first[g]; i < view->first[g + 1]; i++)
            sum += (view->next.costs[i] - view->plane.costs[i]) *
                   (least->shares[i] - here->shares[i]);
        if (sum > most && (box->groups[g].low < box->groups[g].high ||
                           view->first[g + 1] - view->first[g] > 1)) {
            most = sum;
            cut = cut_group(bounds, g);
        }
    }
    if (gaps->way >= 0 && gaps->slowest > most &&
        cut_slowest(bounds, gaps->way, &slowest)) {
        most = gaps->slowest;
        cut = slowest;
    }
    if (gaps->group >= 0 && gaps->apart > most) {
        most = gaps->apart;
        cut = cut_at(MT_CUT_NODES, gaps->group, 0);
    }
    if (gaps->price > most)
        cut = (struct mt_cut){.kind = MT_CUT_PRICE,
                              .price = sqrt(view->low_price * view->high_price)};
    return cut;
}

void mt_bounds_find(struct mt_bounds *bounds, const struct mt_box *box,
                    const double most[MT_RESOURCES], struct mt_bound *bound)
{
    struct mt_view *view = bounds->view;
    const enum mt_resource least = mt_objective_resource(bounds->question->objective);
    *bound = (struct mt_bound){.seconds = INFINITY, .value = INFINITY};
    if (!mt_view_open(bounds, box, most) || !mt_view_within(bounds))
        return;
    mt_view_limit(bounds);
    if (least != MT_NODES &&
        view->low_price > view->high_price * (1 + whole_nodes * whole_nodes))
        return;
    const double seconds = mt_view_least(bounds, &(struct mt_limit){.seconds = true});
    double value = seconds;
    if (seconds < INFINITY && least != MT_NODES)
        value = view->priced[least]
                    ? mt_view_least(bounds,
                                    &(struct mt_limit){true, &view->prices[least], 0})
                    : -INFINITY;
    if (seconds == INFINITY || value == INFINITY)
        return;
    bound->seconds = seconds - bounds->slack;
    bound->value = value - bounds->slack;
    const struct gaps gaps = find_gaps(bounds, &view->least);
    double rounding = 0;
    bound->any = round_spot(bounds, &bound->likely);
    if (bound->any) {
        bound->estimate = find_gaps(bounds, &view->trial).seconds;
        rounding = bound->estimate - gaps.seconds;
    }
    bound->cut = box->several && groups_at(bounds, &view->least) < 2
                     ? cut_use(bounds)
                     : find_cut(bounds, &gaps, rounding);
}
