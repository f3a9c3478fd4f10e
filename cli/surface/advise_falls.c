/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise.h"

#include <math.h>
#include <stdlib.h>

/* Sizes are looked at in steps of this factor. A fall goes on while the efficiency
   recovers by no more than that: parts of whole rows, say, let it jitter. */
static const double step = 1.002, recovery = 1.05;

/* What most of a fall is due to: an operation takes longer as the steps of the busiest
   process, or their cost, grow; what is left is messages. */
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

/* Add the fall, unless it is a small one. */
static int add_fall(struct mt_advice *advice, struct mt_fall fall, struct mt_error *err)
{
    if (!(fall.after < (1 - MT_CLIFF) * fall.before))
        return MT_OK;
    struct mt_fall *falls =
        realloc(advice->falls, ((size_t)advice->nfalls + 1) * sizeof *falls);
    if (!falls)
        return mt_fail(err, MT_ENOMEM, "no memory for advice");
    fall.loss = find_loss(advice, &fall);
    falls[advice->nfalls++] = fall;
    advice->falls = falls;
    return MT_OK;
}

int mt_advice_find_falls(struct mt_advice *advice, struct mt_error *err)
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
