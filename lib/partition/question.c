/* SPDX-License-Identifier: BSD-3-Clause */
#include "question.h"

#include "calibration.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdio.h>
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

void mt_strassen_product_name(char name[32], enum mt_partition_kind kind)
{
    snprintf(name, 32, "strassen-%s", mt_partition_kind_name(kind));
}

static int compare_seconds(const void *left, const void *right)
{
    const struct mt_run *a = left, *b = right;
    return (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

/* NaN: there are none of this size. */
static double median_of(struct mt_runs *runs, double size)
{
    int count = 0;
    for (int i = 0; i < runs->count; i++)
        if (runs->runs[i].size == size) {
            const struct mt_run other = runs->runs[count];
            runs->runs[count++] = runs->runs[i];
            runs->runs[i] = other;
        }
    if (count == 0)
        return NAN;
    qsort(runs->runs, (size_t)count, sizeof *runs->runs, compare_seconds);
    return (runs->runs[(count - 1) / 2].seconds + runs->runs[count / 2].seconds) / 2;
}

/* What such products took, by each kind. */
static int read_measured(struct mt_strassen_question *question, struct mt_store *store,
                         struct mt_error *err)
{
    const struct mt_partition_product *product = &question->product;
    const double size = cbrt((double)product->m * product->n * product->k);
    char *text = mt_configuration_format(&question->configuration, &question->cluster);
    int status =
        text ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++) {
        char name[32];
        struct mt_runs runs = {.count = 0};
        mt_strassen_product_name(name, (enum mt_partition_kind)kind);
        const struct mt_run_filter filter = {.cluster = question->cluster.name,
                                             .program = name,
                                             .configuration = text,
                                             .succeeded_only = true};
        status = mt_store_runs(store, &runs, &filter, err);
        question->measured[kind] = median_of(&runs, size);
        mt_runs_clear(&runs);
    }
    free(text);
    return status;
}

int mt_strassen_question_calibrate(struct mt_strassen_question *question,
                                   struct mt_store *store, struct mt_error *err)
{
    struct mt_strassen_calibration known;
    int status = mt_strassen_calibrate(&known, store, &question->cluster,
                                       &question->configuration, err);
    if (status == MT_OK)
        status = list_ranks(question, &known, err);
    return status == MT_OK ? read_measured(question, store, err) : status;
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

/* The fastest kind, in which those without `confirmed` products count, or do not, but
   for equal blocks. */
static enum mt_partition_kind fastest(const struct mt_strassen_choices *choices,
                                      const struct mt_strassen_question *question,
                                      bool confirmed)
{
    int best = -1;
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++) {
        const bool counts =
            question->kinds[kind] && (!confirmed || kind == MT_PARTITION_EQUAL ||
                                      !isnan(question->measured[kind]));
        if (counts &&
            (best < 0 || choices->seconds[kind] < (1 - 1e-6) * choices->seconds[best]))
            best = kind;
    }
    return best < 0 ? MT_PARTITION_EQUAL : (enum mt_partition_kind)best;
}

int mt_strassen_choose_all(struct mt_strassen_choices *choices,
                           const struct mt_strassen_question *question,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++) {
        struct mt_strassen_choice *choice = &choices->of[kind];
        if (question->kinds[kind])
            status =
                mt_strassen_choose(choice, (enum mt_partition_kind)kind, question, err);
        choices->seconds[kind] = isnan(question->measured[kind])
                                     ? choice->forecast.seconds
                                     : question->measured[kind];
    }
    if (status != MT_OK)
        return status;
    choices->promising = fastest(choices, question, false);
    choices->best =
        fastest(choices, question, !mt_cluster_simulated(&question->cluster));
    return MT_OK;
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
