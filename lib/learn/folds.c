/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation folds by number of nodes and by working set. */
#include "folds.h"

#include "fit.h"
#include "lib/base/array.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/* Sort, and drop values that are equal up to rounding. */
static int sort_distinct(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, mt_compare_doubles);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || values[i] > values[kept - 1] * (1 + 1e-6))
            values[kept++] = values[i];
    }
    return kept;
}

static bool *new_fold(struct mt_learn_folds *folds, struct mt_error *err)
{
    bool *out = calloc((size_t)folds->data->count, sizeof *out);
    if (!out)
        mt_fail(err, MT_ENOMEM, "no memory to leave out some of %d runs",
                folds->data->count);
    else
        folds->out[folds->count++] = out;
    return out;
}

/* A fold that leaves out the runs on `low` to `high` ranks. */
static int leave_out_ranks(struct mt_learn_folds *folds, double low, double high,
                           struct mt_error *err)
{
    bool *out = new_fold(folds, err);
    for (int i = 0; out && i < folds->data->count; i++) {
        const double ranks = folds->data->samples[i].demand.ranks;
        out[i] = ranks >= low && ranks <= high;
    }
    return out ? MT_OK : MT_ENOMEM;
}

/* A measure of the size: the working set if known, else the steps. */
static double extent(const struct mt_learn_sample *sample)
{
    return sample->demand.working_set > 0 ? sample->demand.working_set
                                          : sample->demand.steps;
}

/* A fold that leaves out every fourth distinct working set. */
static int leave_out_sets(struct mt_learn_folds *folds, const double *sets, int nsets,
                          int part, struct mt_error *err)
{
    bool *out = new_fold(folds, err);
    for (int i = 0; out && i < folds->data->count; i++) {
        int place = 0;
        while (place < nsets - 1 && sets[place + 1] <= extent(&folds->data->samples[i]))
            place++;
        out[i] = place % PARTS_OF_SETS == part;
    }
    return out ? MT_OK : MT_ENOMEM;
}

/* Folds that leave out one number of nodes each, and one for the two largest. The
   smallest number is never left out, as no prediction is for fewer nodes. `values` has
   room for the samples. */
static int fold_by_ranks(struct mt_learn_folds *folds, double *values,
                         struct mt_error *err)
{
    const struct mt_learn_data *data = folds->data;
    int count = 0, status = MT_OK;
    for (int i = 0; i < data->count; i++) {
        if (data->samples[i].demand.messages > 0)
            values[count++] = data->samples[i].demand.ranks;
    }
    const int nranks = sort_distinct(values, count);
    const int first = nranks > FOLDS_OF_RANKS ? nranks - FOLDS_OF_RANKS : 1;
    for (int i = first; i < nranks && status == MT_OK; i++)
        status = leave_out_ranks(folds, values[i], values[i], err);
    if (nranks > 3 && status == MT_OK)
        status = leave_out_ranks(folds, values[nranks - 2], values[nranks - 1], err);
    return status;
}

/* Folds that leave out parts of the working sets. */
static int fold_by_sets(struct mt_learn_folds *folds, double *values,
                        struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < folds->data->count; i++)
        values[i] = extent(&folds->data->samples[i]);
    const int nsets = sort_distinct(values, folds->data->count);
    for (int i = 0; nsets > 1 && i < PARTS_OF_SETS && i < nsets && status == MT_OK; i++)
        status = leave_out_sets(folds, values, nsets, i, err);
    return status;
}

int mt_learn_folds_make(struct mt_learn_folds *folds, const struct mt_learn_data *data,
                        struct mt_error *err)
{
    int status = MT_OK;
    folds->data = data;
    folds->sorted = malloc((size_t)data->count * sizeof *folds->sorted);
    double *values = malloc((size_t)data->count * sizeof *values);
    if (!values || !folds->sorted)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", data->count);
    if (status == MT_OK)
        status = fold_by_ranks(folds, values, err);
    if (status == MT_OK)
        status = fold_by_sets(folds, values, err);
    free(values);
    return status;
}

void mt_learn_folds_clear(struct mt_learn_folds *folds)
{
    for (int i = 0; i < folds->count; i++)
        free(folds->out[i]);
    free(folds->sorted);
    *folds = (struct mt_learn_folds){0};
}

int mt_learn_folds_validate(struct mt_learn_validation *validation,
                            struct mt_learn_folds *folds,
                            const struct mt_learn_form *form,
                            const struct mt_learn_values *values, struct mt_error *err)
{
    struct mt_learn_validation made = {.count = folds->count};
    for (int fold = 0; fold < folds->count; fold++) {
        const bool *out = folds->out[fold];
        int nkept = 0, end = folds->data->count;
        for (int i = 0; i < folds->data->count; i++)
            folds->sorted[out[i] ? --end : nkept++] = folds->data->samples[i];
        struct mt_learn_data kept = *folds->data, left_out = kept;
        kept.samples = folds->sorted;
        kept.count = nkept;
        left_out.samples = folds->sorted + nkept;
        left_out.count -= nkept;
        const bool told = mt_learn_determined(form, &kept);
        struct mt_learn_values refit = *values;
        const int status = told ? mt_learn_refit(&refit, form, &kept, err) : MT_OK;
        if (status != MT_OK)
            return status;
        made.means[fold] =
            (told ? 1 : untold) * mt_learn_error(form, &refit, &left_out);
    }
    *validation = made;
    return MT_OK;
}

double mt_learn_validation_error(const struct mt_learn_validation *validation)
{
    double sum = 0;
    for (int i = 0; i < validation->count; i++)
        sum += validation->means[i];
    return sum / validation->count;
}

double mt_learn_validation_chance(const struct mt_learn_validation *a,
                                  const struct mt_learn_validation *b)
{
    double sum = 0, squares = 0;
    const int count = a->count;
    for (int i = 0; i < count; i++) {
        const double difference = a->means[i] - b->means[i];
        sum += difference;
        squares += difference * difference;
    }
    const double mean = sum / count;
    return sqrt(fmax(0, squares / count - mean * mean) / count);
}
