/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/advice.h"

#include "lib/base/array.h"
#include "motley/surface.h"
#include "motley/survey.h"

#include <math.h>
#include <stdlib.h>

/* Sizes count as the same if they differ by no more than this factor. */
static const double about = 1.05;

/* Sizes are looked at in steps of this factor. A fall goes on while the efficiency
   recovers by no more than that: parts of whole rows, say, let it jitter. */
static const double step = 1.002, recovery = 1.05;

/* As it is predicted by itself, its messages followed. */
static struct mt_operating_point operate_at(const struct mt_surface *surface,
                                            double size, double nodes)
{
    struct mt_operating_point operating = {.size = size, .nodes = nodes};
    mt_surface_grid(surface, &size, 1, &nodes, 1, &operating.point);
    return operating;
}

/* The best size on so many nodes; false: none can run. */
static bool find_best(struct mt_operating_point *best, const struct mt_advice *advice,
                      double nodes)
{
    double size;
    struct mt_surface_point point;
    if (!mt_best_size(advice->surface, nodes, advice->sizes, &point, &size))
        return false;
    *best = operate_at(advice->surface, size, nodes);
    return true;
}

/* The sizes that make sense, and with them the one that was given. */
static int choose_span(struct mt_advice *advice, struct mt_error *err)
{
    const double most = mt_surface_machine(advice->surface)->nodes, size = advice->size;
    const int status = mt_sizes_of_interest(&advice->sizes, advice->surface,
                                            fmax(advice->nodes, most), err);
    if (size == 0)
        return status;
    if (status != MT_OK)
        advice->sizes = (struct mt_span){fmax(1, floor(size / 16)), 16 * size};
    advice->sizes.low = fmin(advice->sizes.low, size);
    advice->sizes.high = fmax(advice->sizes.high, size);
    return MT_OK;
}

static int choose_size(struct mt_advice *advice, struct mt_error *err)
{
    const struct mt_surface *surface = advice->surface;
    const char *name = mt_surface_machine(surface)->name;
    const struct mt_expr *valid = mt_surface_algorithm(surface)->shape.valid;
    const char *needs = valid ? ", for it needs " : "",
               *rule = valid ? mt_expr_text(valid) : "";
    if (!find_best(&advice->best, advice, advice->nodes))
        return mt_fail(err, MT_EINFEASIBLE,
                       "no size from %.15g to %.15g can run on %.15g nodes of %s%s%s",
                       advice->sizes.low, advice->sizes.high, advice->nodes, name,
                       needs, rule);
    advice->chosen = advice->size > 0 ? operate_at(surface, advice->size, advice->nodes)
                                      : advice->best;
    if (!advice->chosen.point.valid)
        return mt_fail(err, MT_EINFEASIBLE,
                       "N = %.15g cannot run on %.15g nodes of %s%s%s",
                       advice->chosen.size, advice->nodes, name, needs, rule);
    return MT_OK;
}

static void find_close(struct mt_advice *advice)
{
    struct mt_span found;
    const double efficiency = MT_CLOSE * advice->best.point.efficiency;
    advice->close = advice->best;
    if (mt_iso_efficiency(advice->surface, efficiency, advice->nodes, advice->sizes,
                          &found))
        advice->close = operate_at(advice->surface, found.low, advice->nodes);
}

/* How far more nodes pay. */
static void find_enough(struct mt_advice *advice)
{
    const double most = fmax(mt_surface_machine(advice->surface)->nodes, advice->nodes);
    const struct mt_span nodes = {advice->nodes, most};
    const double size = advice->chosen.size;
    advice->enough =
        operate_at(advice->surface, size,
                   mt_worthwhile_nodes(advice->surface, size, nodes, MT_WORTHWHILE));
    advice->all = operate_at(advice->surface, size, most);
}

static bool is_about(double a, double b)
{
    return a <= about * b && b <= about * a;
}

/* The best size grows with the nodes: look where it is the given one. */
static void find_best_nodes(struct mt_advice *advice)
{
    const double size = advice->chosen.size;
    double low = 1, high = mt_surface_machine(advice->surface)->nodes;
    struct mt_operating_point best;
    while (low < high) {
        const double middle = floor((low + high) / 2);
        if (find_best(&best, advice, middle) && best.size >= size)
            high = middle;
        else
            low = middle + 1;
    }
    if (find_best(&best, advice, low) && is_about(best.size, size))
        advice->best_nodes = low;
}

/* The best sizes on twice as many nodes, four times, and so on. */
static void find_growth(struct mt_advice *advice)
{
    const double most = mt_surface_machine(advice->surface)->nodes;
    for (double nodes = 2 * advice->nodes;
         nodes <= most && advice->ngrowth < MT_MAX_GROWTH; nodes *= 2)
        if (find_best(&advice->growth[advice->ngrowth], advice, nodes))
            advice->ngrowth++;
}

/* The largest size that fits; 0: all do. */
static double memory_limit(const struct mt_advice *advice)
{
    const double limit = mt_surface_memory_limit(advice->surface, advice->nodes,
                                                 advice->sizes.low, advice->sizes.high);
    return limit < advice->sizes.high ? limit : 0;
}

/* What causes most of a fall: the cost of a step (a cache), the steps of the busiest
   process (imbalance), or else messages. */
static enum mt_loss find_loss(const struct mt_advice *advice,
                              const struct mt_fall *fall)
{
    const struct mt_algorithm *algorithm = mt_surface_algorithm(advice->surface);
    const double sizes[] = {fall->from, fall->to};
    double cost[2], steps[2];
    for (int i = 0; i < 2; i++) {
        struct mt_demand demand = {0};
        if (mt_shape_demand(&demand, &algorithm->shape, sizes[i], advice->nodes, NULL))
            return MT_LOSS_MESSAGES;
        cost[i] = mt_step_cost(&algorithm->components, demand.working_set);
        steps[i] =
            demand.steps / mt_surface_at(advice->surface, sizes[i], advice->nodes).work;
    }
    const double half = log(fall->before / fall->after) / 2;
    if (log(cost[1] / cost[0]) > half)
        return MT_LOSS_CACHE;
    return log(steps[1] / steps[0]) > half ? MT_LOSS_IMBALANCE : MT_LOSS_MESSAGES;
}

/* Add the fall if it is large enough. */
static int add_fall(struct mt_advice *advice, struct mt_fall fall, struct mt_error *err)
{
    if (!(fall.after < (1 - MT_CLIFF) * fall.before))
        return MT_OK;
    const int status = mt_array_grow(&advice->falls, advice->nfalls,
                                     sizeof *advice->falls, "falls", err);
    if (status != MT_OK)
        return status;
    fall.loss = find_loss(advice, &fall);
    advice->falls[advice->nfalls++] = fall;
    return MT_OK;
}

static int find_falls(struct mt_advice *advice, struct mt_error *err)
{
    struct mt_fall fall = {0}; /* the one that goes on */
    int status = MT_OK;
    for (double size = advice->sizes.low; size <= advice->sizes.high && status == MT_OK;
         size = fmax(size + 1, floor(size * step))) {
        const struct mt_surface_point point =
            mt_surface_at(advice->surface, size, advice->nodes);
        if (!point.valid || !point.fits)
            continue;
        if (point.efficiency < fall.after) {
            fall.to = size;
            fall.after = point.efficiency;
        } else if (point.efficiency >= fall.before ||
                   point.efficiency > recovery * fall.after) {
            status = add_fall(advice, fall, err);
            fall = (struct mt_fall){.from = size,
                                    .to = size,
                                    .before = point.efficiency,
                                    .after = point.efficiency};
        }
    }
    return status == MT_OK ? add_fall(advice, fall, err) : status;
}

int mt_advice_make(struct mt_advice *advice, const struct mt_surface *surface,
                   double nodes, double size, struct mt_error *err)
{
    *advice = (struct mt_advice){.surface = surface, .nodes = nodes, .size = size};
    int status = choose_span(advice, err);
    if (status == MT_OK)
        status = choose_size(advice, err);
    if (status == MT_OK)
        status = find_falls(advice, err);
    if (status != MT_OK) {
        mt_advice_clear(advice);
        return status;
    }
    advice->memory_limit = memory_limit(advice);
    find_close(advice);
    find_enough(advice);
    find_growth(advice);
    if (size > 0)
        find_best_nodes(advice);
    return MT_OK;
}

void mt_advice_clear(struct mt_advice *advice)
{
    free(advice->falls);
    *advice = (struct mt_advice){0};
}
