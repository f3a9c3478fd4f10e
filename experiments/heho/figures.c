/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"

#include "lib/math/median.h"

#include <math.h>
#include <stdlib.h>

/* Add a trial's verdicts from `first` on, one trial of `trials`. */
static void add_regret(struct regret *regret, const struct trial *trial, int first,
                       int trials)
{
    double max = 0, sum = 0;
    for (int i = first; i < trial->count; i++) {
        const double of_size = verdict_regret(&trial->verdicts[i]);
        max = fmax(max, of_size);
        sum += of_size;
    }
    regret->max += max / trials;
    regret->mean += sum / (trial->count - first) / trials;
    regret->worst_seed = fmax(regret->worst_seed, max);
}

static void add_counts(struct figures *figures, const struct trial *trial, int trials)
{
    double dearest = 0;
    for (int i = 0; i < trial->count; i++) {
        const struct verdict *verdict = &trial->verdicts[i];
        figures->measured += verdict->measured;
        figures->predicted += verdict->predicted;
        figures->covered += verdict->covered;
        figures->cases++;
        figures->top_covered += verdict->top_covered;
        figures->top_cases += verdict->top_count;
        figures->verification_runs +=
            (double)verdict->verification_runs / trial->count / trials;
        dearest = fmax(dearest, verdict->verification_seconds);
    }
    figures->verification_seconds += dearest / trials;
    figures->training_runs += (double)trial->training_runs / trials;
    figures->training_seconds += trial->training_seconds / trials;
}

static int find_errors(struct figures *figures, const struct trial *trials, int count,
                       struct mt_error *err)
{
    double *errors = calloc((size_t)count * (size_t)figures->sizes, sizeof *errors);
    if (!errors)
        return mt_fail(err, MT_ENOMEM, "no memory for %d sizes", figures->sizes);
    int used = 0;
    for (int t = 0; t < count; t++)
        for (int i = trials[t].upper; i < trials[t].count; i++)
            errors[used++] = fabs(verdict_error(&trials[t].verdicts[i]));
    figures->error_median = mt_median(errors, used);
    figures->error_worst = errors[used - 1]; /* they are sorted now */
    free(errors);
    return MT_OK;
}

int figures_of(struct figures *figures, const struct trial *trials, int count,
               struct mt_error *err)
{
    const int sizes = trials[0].count;
    struct figures made = {.seeds = count,
                           .sizes = sizes,
                           .configurations = trials[0].verdicts[sizes - 1].measured};
    for (int t = 0; t < count; t++) {
        add_regret(&made.all, &trials[t], 0, count);
        add_regret(&made.upper, &trials[t], trials[t].upper, count);
        add_counts(&made, &trials[t], count);
    }
    const int status = find_errors(&made, trials, count, err);
    if (status == MT_OK)
        *figures = made;
    return status;
}
