/* SPDX-License-Identifier: BSD-3-Clause */
#include "question.h"

#include "calibration.h"

#include <math.h>
#include <stdlib.h>

/* In the order in which launchers number them. */
static int list_ranks(struct mt_strassen_question *question,
                      const struct mt_strassen_calibration *known, struct mt_error *err)
{
    const struct mt_configuration *configuration = &question->configuration;
    const int ranks = mt_configuration_ranks(configuration);
    question->groups = calloc((size_t)ranks, sizeof *question->groups);
    question->speeds = calloc((size_t)ranks, sizeof *question->speeds);
    if (!question->groups || !question->speeds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    int rank = 0;
    for (int g = 0; g < question->cluster.ngroups; g++)
        for (int i =
                 configuration->use[g].nodes * configuration->use[g].layout.processes;
             i > 0; i--) {
            question->groups[rank] = g;
            question->speeds[rank++] = known->speeds[g];
        }
    question->machine = (struct mt_partition_cluster){
        .ranks = ranks, .speeds = question->speeds, .network = known->network};
    return MT_OK;
}

int mt_strassen_question_calibrate(struct mt_strassen_question *question,
                                   struct mt_store *store, struct mt_error *err)
{
    struct mt_strassen_calibration known;
    const int status = mt_strassen_calibrate(&known, store, &question->cluster,
                                             &question->configuration, err);
    return status == MT_OK ? list_ranks(question, &known, err) : status;
}

void mt_strassen_question_clear(struct mt_strassen_question *question)
{
    mt_cluster_clear(&question->cluster);
    free(question->text);
    free(question->groups);
    free(question->speeds);
    *question = (struct mt_strassen_question){.most = 0};
}

double mt_strassen_flops(const struct mt_strassen_question *question, double seconds)
{
    const struct mt_partition_product *product = &question->product;
    return 2.0 * product->m * product->n * product->k / seconds;
}

int mt_strassen_choose(struct mt_strassen_choice *choice, enum mt_partition_kind kind,
                       const struct mt_strassen_question *question,
                       struct mt_error *err)
{
    int status = mt_partition_choose(&choice->partition, kind, &question->product,
                                     &question->machine, question->most, err);
    if (status == MT_OK)
        status = mt_partition_predict(&choice->forecast, &choice->partition,
                                      &question->product, &question->machine, err);
    return status;
}

void mt_strassen_choice_clear(struct mt_strassen_choice *choice)
{
    mt_partition_clear(&choice->partition);
    mt_partition_forecast_clear(&choice->forecast);
}

static bool is_better(const struct mt_strassen_choice *one,
                      const struct mt_strassen_choice *other)
{
    return one->forecast.seconds < (1 - 1e-6) * other->forecast.seconds;
}

int mt_strassen_choose_all(struct mt_strassen_choices *choices,
                           const struct mt_strassen_question *question,
                           struct mt_error *err)
{
    int status = MT_OK, best = -1;
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++) {
        if (!question->kinds[kind])
            continue;
        status = mt_strassen_choose(&choices->of[kind], (enum mt_partition_kind)kind,
                                    question, err);
        if (best < 0 || is_better(&choices->of[kind], &choices->of[best]))
            best = kind;
    }
    choices->best = best < 0 ? MT_PARTITION_EQUAL : (enum mt_partition_kind)best;
    return status;
}

void mt_strassen_choices_clear(struct mt_strassen_choices *choices)
{
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        mt_strassen_choice_clear(&choices->of[kind]);
}

/* All ranks compute equally much there (but for those that have no part of a tiny
   product), and who computes longest does not wait. */
struct mt_strassen_ideal mt_strassen_ideal(const struct mt_partition_forecast *equal)
{
    double speeds = 0, longest = 0, communication = 0;
    int ranks = 0;
    for (int r = 0; r < equal->nranks; r++) {
        const struct mt_partition_times *times = &equal->ranks[r];
        if (times->compute > 0) {
            speeds += 1 / times->compute;
            ranks++;
        }
        longest = fmax(longest, times->compute);
        communication = fmax(communication, times->communication);
    }
    struct mt_strassen_ideal ideal = {
        .heterogeneity = speeds / ranks * longest,
        .communication = communication / (communication + longest),
    };
    const double t = ideal.communication;
    ideal.gain = 1 / ((1 - t) / ideal.heterogeneity + t) - 1;
    return ideal;
}

double mt_strassen_perimeters(const struct mt_partition *partition)
{
    double sum = 0;
    for (int i = 0; i < partition->ntiles; i++)
        sum += partition->tiles[i].bottom - partition->tiles[i].top +
               partition->tiles[i].right - partition->tiles[i].left;
    return sum;
}

double mt_strassen_least_perimeters(const struct mt_partition *partition)
{
    double sum = 0;
    for (int i = 0; i < partition->ntiles; i++)
        sum += 2 * sqrt((partition->tiles[i].bottom - partition->tiles[i].top) *
                        (partition->tiles[i].right - partition->tiles[i].left));
    return sum;
}
