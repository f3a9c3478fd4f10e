/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise.h"

#include "axis.h"
#include "cli/common/command.h"
#include "surface.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

/* Sizes that differ by no more are the same to an adviser. */
static const double about = 1.05;

static struct mt_place place_at(const struct mt_surface *surface, double size,
                                double nodes)
{
    return (struct mt_place){size, nodes, mt_surface_at(surface, size, nodes)};
}

/* The best size on so many nodes; false: none can run. */
static bool find_best(struct mt_place *best, const struct mt_advice *advice,
                      double nodes)
{
    best->nodes = nodes;
    return mt_best_size(advice->surface, nodes, advice->sizes, &best->point,
                        &best->size);
}

static int read_nodes(double *nodes, const char *text, struct mt_error *err)
{
    struct mt_axis axis = {0};
    const int status = mt_axis_of_nodes(&axis, text, 1, err);
    return status == MT_OK ? mt_axis_single(nodes, &axis, text, "nodes", err) : status;
}

static int read_size(double *size, const char *text, struct mt_error *err)
{
    struct mt_axis axis = {0};
    const int status = mt_axis_parse(&axis, text, "size", err);
    return status == MT_OK ? mt_axis_single(size, &axis, text, "size", err) : status;
}

static int read_options(struct mt_advice *advice, struct mt_error *err)
{
    const struct mt_surface_options *wanted = &mt_surface_options;
    const double most = mt_surface_machine(advice->surface)->nodes;
    struct mt_error unknown = {0};
    double size = 0;
    if (!wanted->nodes)
        return mt_fail(err, MT_EINVAL, "--nodes is needed: how many nodes are there?");
    int status = read_nodes(&advice->nodes, wanted->nodes, err);
    if (status == MT_OK && wanted->sizes)
        status = read_size(&size, wanted->sizes, err);
    if (status != MT_OK)
        return status;
    advice->size_given = size > 0;
    advice->chosen.size = size;
    status = mt_sizes_of_interest(&advice->sizes, advice->surface,
                                  fmax(advice->nodes, most), &unknown);
    if (status != MT_OK && !advice->size_given)
        return mt_fail(err, status, "%s", unknown.text);
    if (status != MT_OK)
        advice->sizes = (struct mt_span){fmax(1, floor(size / 16)), 16 * size};
    if (advice->size_given) {
        advice->sizes.low = fmin(advice->sizes.low, size);
        advice->sizes.high = fmax(advice->sizes.high, size);
    }
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
    advice->chosen = advice->size_given
                         ? place_at(surface, advice->chosen.size, advice->nodes)
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
        advice->close = place_at(advice->surface, found.low, advice->nodes);
}

/* How far more nodes pay. */
static void find_enough(struct mt_advice *advice)
{
    const double most = fmax(mt_surface_machine(advice->surface)->nodes, advice->nodes);
    const struct mt_span nodes = {advice->nodes, most};
    const double size = advice->chosen.size;
    advice->enough =
        place_at(advice->surface, size,
                 mt_worthwhile_nodes(advice->surface, size, nodes, MT_WORTHWHILE));
    advice->all = place_at(advice->surface, size, most);
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
    struct mt_place best;
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

/* Find what is left to be said, and say it. */
static int tell(struct mt_advice *advice, struct mt_error *err)
{
    advice->memory_limit = memory_limit(advice);
    find_close(advice);
    find_enough(advice);
    find_growth(advice);
    if (advice->size_given)
        find_best_nodes(advice);
    if (mt_common.json)
        return mt_advice_print_json(advice, err);
    mt_advice_print(advice);
    return MT_OK;
}

static int advise(const struct mt_surface *surface, struct mt_error *err)
{
    struct mt_advice advice = {.surface = surface};
    int status = read_options(&advice, err);
    if (status == MT_OK)
        status = choose_size(&advice, err);
    if (status == MT_OK)
        status = mt_advice_find_falls(&advice, err);
    if (status == MT_OK)
        status = tell(&advice, err);
    free(advice.falls);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    int status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = advise(input.surface, err);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size", "json", NULL};

const struct mt_action mt_surface_advise = {
    .name = "advise",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "which size for these nodes, how many more pay, what to avoid",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
