/* SPDX-License-Identifier: BSD-3-Clause */
/* Summarises auto models: the hypotheses with their weights, and the shares of the time
   on the most processes that ran. */
#include "posterior.h"

#include <stdlib.h>
#include <string.h>

static int compare_weights(const void *left, const void *right)
{
    const struct mt_weighted_hypothesis *a = left, *b = right;
    return (a->weight < b->weight) - (a->weight > b->weight);
}

/* The cell with the most processes, and of these the largest size. */
static const struct mt_point *largest_point(const struct mt_posterior *posterior)
{
    const struct mt_point *largest = &posterior->points[0];
    for (int i = 1; i < posterior->cells.count; i++) {
        const struct mt_point *point = &posterior->points[i];
        if (point->ranks > largest->ranks ||
            (point->ranks == largest->ranks && point->size > largest->size))
            largest = point;
    }
    return largest;
}

/* Add the shares by one hypothesis, of the portion that takes longest. */
static void add_shares(struct mt_explanation *explanation,
                       const struct mt_posterior *posterior,
                       const struct mt_mean_part *part, const struct mt_point *largest)
{
    struct mt_point point = *largest;
    struct mt_portion_seconds portions[MT_MAX_GROUPS], slowest = {0};
    double most = 0;
    mt_point_set_work(&point, posterior, part->hypothesis.exponent);
    mt_hypothesis_portions(posterior, &part->hypothesis, part->u, &point, portions);
    for (int i = 0; i < point.nportions; i++) {
        const struct mt_portion_seconds *s = &portions[i];
        const double sum = s->compute + s->serial + s->messages;
        if (sum <= most)
            continue;
        most = sum;
        slowest = *s;
    }
    explanation->compute += part->weight * slowest.compute / most;
    explanation->serial += part->weight * slowest.serial / most;
    explanation->messages += part->weight * slowest.messages / most;
}

/* Add a hypothesis, or its weight to one with the same text, as cache steps differ in
   place only. */
static void add_hypothesis(struct mt_explanation *explanation,
                           const struct mt_posterior *posterior,
                           const struct mt_mean_part *part)
{
    char text[MT_HYPOTHESIS_TEXT];
    int i = 0;
    mt_hypothesis_format(text, posterior, &part->hypothesis);
    while (i < explanation->count && strcmp(explanation->hypotheses[i].text, text) != 0)
        i++;
    if (i == explanation->count)
        memcpy(explanation->hypotheses[explanation->count++].text, text, sizeof text);
    explanation->hypotheses[i].weight += part->weight;
}

int mt_models_explain(struct mt_explanation *explanation,
                      const struct mt_models *models, struct mt_error *err)
{
    const struct mt_posterior *posterior = models->posterior;
    if (!posterior)
        return mt_fail(err, MT_ENOTFOUND,
                       "only auto models have hypotheses, once they "
                       "are fitted");
    const struct mt_mean *mean = &posterior->mean;
    const struct mt_point *largest = largest_point(posterior);
    struct mt_explanation made = {.size = largest->size, .ranks = (int)largest->ranks};
    made.hypotheses = calloc((size_t)mean->nparts, sizeof *made.hypotheses);
    if (!made.hypotheses)
        return mt_fail(err, MT_ENOMEM, "no memory for %d hypotheses", mean->nparts);
    for (int i = 0; i < mean->nparts; i++) {
        add_hypothesis(&made, posterior, &mean->parts[i]);
        add_shares(&made, posterior, &mean->parts[i], largest);
    }
    for (int i = 0; i < posterior->nparts; i++) {
        const struct mt_part *part = &posterior->parts[i];
        made.discrepancy += part->weight * mt_grid_tau(part->grid);
        made.noise += part->weight * mt_grid_sigma(part->grid);
    }
    qsort(made.hypotheses, (size_t)made.count, sizeof *made.hypotheses,
          compare_weights);
    *explanation = made;
    return MT_OK;
}

void mt_explanation_clear(struct mt_explanation *explanation)
{
    free(explanation->hypotheses);
    *explanation = (struct mt_explanation){0};
}
