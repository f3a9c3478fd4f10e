/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include <math.h>

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

int mt_strassen_choose_all(struct mt_strassen_choice choices[MT_PARTITION_KINDS],
                           const struct mt_strassen_question *question,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++)
        status = mt_strassen_choose(&choices[kind], kind, question, err);
    return status;
}

/* Of equally fast ones the simplest, which comes first. */
enum mt_partition_kind mt_strassen_best(
    const struct mt_strassen_choice choices[MT_PARTITION_KINDS])
{
    enum mt_partition_kind best = MT_PARTITION_EQUAL;
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        if (choices[kind].forecast.seconds <
            (1 - 1e-6) * choices[best].forecast.seconds)
            best = kind;
    return best;
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
