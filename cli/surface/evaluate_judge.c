/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include <math.h>
#include <stdlib.h>

/* Sizes that make a grid on which a ridge can be told from its sides. */
enum { LEAST_SIZES = 3 };

struct mt_surface_errors mt_surface_errors(const struct mt_surface_pair *pairs,
                                           int count)
{
    struct mt_surface_errors errors = {.points = count};
    for (int i = 0; i < count; i++) {
        errors.mean += fabs(pairs[i].error) / count;
        if (!errors.worst || fabs(pairs[i].error) > fabs(errors.worst->error))
            errors.worst = &pairs[i];
    }
    return errors;
}

int mt_surface_learned_pairs(const struct mt_surface_evaluation *evaluation)
{
    const struct mt_learned_from *learned = &evaluation->surface.algorithm->learned;
    int count = 0;
    while (count < evaluation->count &&
           (learned->runs == 0 || evaluation->pairs[count].nodes <= learned->nodes))
        count++;
    return count;
}

int mt_surface_same_nodes(const struct mt_surface_evaluation *evaluation, int first)
{
    int end = first + 1;
    while (end < evaluation->count &&
           evaluation->pairs[end].nodes == evaluation->pairs[first].nodes)
        end++;
    return end - first;
}

bool mt_surface_ridge(struct mt_surface_ridge *ridge,
                      const struct mt_surface_pair *pairs, int count)
{
    const struct mt_surface_pair *best = NULL, *predicted = NULL;
    int sizes = 0, best_place = 0, predicted_place = 0;
    for (int i = 0; i < count; i++) {
        const struct mt_surface_pair *pair = &pairs[i];
        if (!pair->fits)
            continue;
        if (!best || pair->efficiency > best->efficiency) {
            best = pair;
            best_place = sizes;
        }
        if (!predicted ||
            pair->predicted_efficiency > predicted->predicted_efficiency) {
            predicted = pair;
            predicted_place = sizes;
        }
        sizes++;
    }
    if (sizes < LEAST_SIZES)
        return false;
    *ridge =
        (struct mt_surface_ridge){.size = best->size,
                                  .predicted_size = predicted->size,
                                  .steps = abs(best_place - predicted_place),
                                  .loss = 1 - predicted->efficiency / best->efficiency};
    return true;
}

int mt_surface_worst(const struct mt_surface_pair *worst[MT_WORST_PAIRS],
                     const struct mt_surface_evaluation *evaluation)
{
    int count = 0;
    for (int i = 0; i < evaluation->count; i++) {
        const struct mt_surface_pair *pair = &evaluation->pairs[i];
        int place = count < MT_WORST_PAIRS ? count++ : MT_WORST_PAIRS;
        for (; place > 0 && fabs(worst[place - 1]->error) < fabs(pair->error); place--)
            if (place < MT_WORST_PAIRS)
                worst[place] = worst[place - 1];
        if (place < MT_WORST_PAIRS)
            worst[place] = pair;
    }
    return count;
}
