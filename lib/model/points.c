/* SPDX-License-Identifier: BSD-3-Clause */
/* A configuration at a size, as hypotheses see it: the speed of each group's nodes by
   the layouts that ran, the work, and the values of the terms. */
#include "posterior.h"

#include "lib/input/internal.h"
#include "tuning.h"

#include <math.h>

/* Whether two layouts differ in processes only. */
static bool is_alike(struct mt_layout a, struct mt_layout b)
{
    a.processes = b.processes;
    return mt_layout_compare(a, b) == 0;
}

/* The speed of the group with these processes on a node by the layouts that ran; false:
   none ran with these threads, binding and GPUs. */
static bool blend(struct mt_blend *blend, const struct mt_posterior *posterior,
                  int group, struct mt_layout layout)
{
    int below = -1, above = -1;
    for (int i = 0; i < posterior->nspeeds; i++) {
        const struct mt_speed *speed = &posterior->speeds[i];
        const int m = speed->layout.processes;
        if (speed->group != group || !is_alike(speed->layout, layout))
            continue;
        if (m <= layout.processes &&
            (below < 0 || m > posterior->speeds[below].layout.processes))
            below = i;
        if (m >= layout.processes &&
            (above < 0 || m < posterior->speeds[above].layout.processes))
            above = i;
    }
    if (below < 0 && above < 0)
        return false;
    *blend = (struct mt_blend){{below < 0 ? above : below, above < 0 ? below : above},
                               {1, 0}};
    if (below >= 0 && above >= 0 && below != above) {
        const double m = posterior->speeds[below].layout.processes;
        blend->weight[1] = log(layout.processes / m) /
                           log(posterior->speeds[above].layout.processes / m);
        blend->weight[0] = 1 - blend->weight[1];
    }
    return true;
}

static int fewest_processes(const struct mt_posterior *posterior, int group)
{
    int fewest = 0;
    for (int i = 0; i < posterior->nspeeds; i++) {
        const struct mt_speed *speed = &posterior->speeds[i];
        if (speed->group == group && (fewest == 0 || speed->layout.processes < fewest))
            fewest = speed->layout.processes;
    }
    return fewest;
}

/* Work relative to that at the reference size; the program says it. */
static double relative_work(const struct mt_posterior *posterior, double size,
                            double ranks)
{
    return mt_program_work(posterior->program, size, (int)ranks) /
           posterior->reference_work;
}

static double term_value(enum mt_term term, const struct mt_point *point, int processes)
{
    const double w = point->work, ranks = point->ranks;
    const bool several = ranks > 1, across = point->nodes > 1;
    const double shared = across ? sqrt(processes) : 1;
    switch (term) {
    case MT_TERM_ONE:
        return 1;
    case MT_TERM_WORK:
        return w;
    case MT_TERM_SURFACE:
        return pow(w, 2.0 / 3);
    case MT_TERM_LOG:
        return point->doublings;
    case MT_TERM_RANKS:
        return ranks - 1;
    case MT_TERM_ROOT:
        return several ? sqrt(ranks) : 0;
    case MT_TERM_FACES3:
        return several ? pow(w / ranks, 2.0 / 3) * shared : 0;
    case MT_TERM_FACES2:
        return several ? sqrt(w / ranks) * shared : 0;
    case MT_TERM_ALL_TO_ALL:
        return across ? w / ranks * processes : 0;
    case MT_TERM_SURFACE_LOG:
        return pow(w, 2.0 / 3) * point->doublings;
    case MT_TERM_WORK_LOG:
        return w * point->doublings;
    case MT_TERM_CACHE: /* as the compute term has it */
    case MT_TERMS:
        break;
    }
    return 0;
}

/* The busiest process's work over the mean, if the program gives it. */
static double imbalance_at(const struct mt_program *program,
                           const struct mt_point *point)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = point->size, [MT_P] = point->ranks, [MT_M] = 1, [MT_T] = 1};
    const double imbalance =
        program->shape.imbalance ? mt_expr_value(program->shape.imbalance, values) : 1;
    return imbalance >= 1 && isfinite(imbalance) ? imbalance : 1;
}

static double data_of(const struct mt_program *program, const struct mt_point *point)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = point->size, [MT_P] = point->ranks, [MT_M] = 1, [MT_T] = 1};
    const struct mt_expr *expr =
        program->shape.working_set ? program->shape.working_set : program->memory;
    const double bytes = expr ? mt_expr_value(expr, values) : 0;
    return log2(bytes > 0 && isfinite(bytes) ? bytes : point->work / point->ranks);
}

void mt_point_fill(struct mt_point *point)
{
    for (int i = 0; i < point->nportions; i++)
        for (int term = 0; term < MT_TERMS; term++)
            point->portions[i].terms[term] =
                term_value((enum mt_term)term, point, point->portions[i].processes);
}

void mt_point_set_work(struct mt_point *point, const struct mt_posterior *posterior,
                       double exponent)
{
    if (exponent > 0)
        point->work = exp(exponent * point->log_size);
    else
        point->work = posterior->one_size || posterior->reference_work == 0
                          ? 1
                          : relative_work(posterior, point->size, point->ranks);
    point->busiest =
        point->work * imbalance_at(posterior->program, point) / point->ranks;
    point->data = data_of(posterior->program, point);
    mt_point_fill(point);
}

void mt_point_set_ranks(struct mt_point *point, double ranks)
{
    point->ranks = ranks;
    point->doublings = log2(ranks);
}

bool mt_point_make(struct mt_point *point, const struct mt_posterior *posterior,
                   const struct mt_configuration *configuration, double size)
{
    const int ranks = mt_configuration_ranks(configuration);
    *point = (struct mt_point){.configuration = configuration,
                               .size = size,
                               .ranks = ranks,
                               .nodes = mt_configuration_nodes(configuration),
                               .log_size = log(size / posterior->reference),
                               .doublings = log2(ranks)};
    if (!posterior->one_size)
        point->axis = posterior->reference_work > 0
                          ? mt_work_axis * log2(relative_work(posterior, size, 1))
                          : log2(size / posterior->reference);
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use *use = &configuration->use[g];
        struct mt_layout serial = use->layout;
        struct mt_portion *portion = &point->portions[point->nportions];
        if (use->nodes == 0)
            continue;
        const int group = posterior->groups[g];
        if (group < 0)
            return false;
        serial.processes = fewest_processes(posterior, group);
        *portion = (struct mt_portion){.group = group,
                                       .processes = use->layout.processes,
                                       .share = (double)use->nodes *
                                                use->layout.processes / ranks,
                                       .own = -1};
        if (!blend(&portion->compute, posterior, group, use->layout) ||
            !blend(&portion->serial, posterior, group, serial))
            return false;
        for (int i = 0; i < posterior->nspeeds; i++)
            if (posterior->speeds[i].group == group &&
                mt_layout_compare(posterior->speeds[i].layout, use->layout) == 0)
                portion->own = i;
        point->log_processes +=
            portion->share * (log(use->layout.processes) - posterior->log_processes);
        point->nportions++;
    }
    mt_point_set_work(point, posterior, 0);
    return true;
}
