/* SPDX-License-Identifier: BSD-3-Clause */
#include "cache.h"

#include "start.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_KNOTS = 16 };
/* Between parts of a cache, in its widths: the minimiser cannot open one that is 0. */
static const double gap = 0.1;

/* What is searched, and the best so far. */
struct search {
    const struct mt_learn_form *form;
    const struct mt_learn_sample *samples;
    int nsamples;
    struct mt_learn_values best;
    double least;
};

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Logarithms of measured working sets, of many ones as evenly spread as they are. */
static int find_knots(double *knots, int *nknots, const struct mt_learn_sample *samples,
                      int nsamples, struct mt_error *err)
{
    double *sets = malloc((size_t)nsamples * sizeof *sets);
    if (!sets)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", nsamples);
    int count = 0;
    for (int i = 0; i < nsamples; i++) {
        if (samples[i].demand.working_set > 0)
            sets[count++] = log(samples[i].demand.working_set);
    }
    qsort(sets, (size_t)count, sizeof *sets, compare_numbers);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || sets[i] > sets[kept - 1] + 1e-3)
            sets[kept++] = sets[i];
    }
    *nknots = kept < MOST_KNOTS ? kept : MOST_KNOTS;
    for (int i = 0; i < *nknots; i++)
        knots[i] = sets[*nknots < kept ? i * (kept - 1) / (MOST_KNOTS - 1) : i];
    free(sets);
    return MT_OK;
}

/* The caches with one more, from `begin` to `end`, if that is free. */
static bool insert(struct mt_learn_values *more, const struct mt_learn_values *values,
                   int ncaches, double begin, double end)
{
    int place = 0;
    while (place < ncaches && values->begins[place] < begin)
        place++;
    const double before =
        place > 0 ? values->begins[place - 1] + values->widths[place - 1] : -INFINITY;
    const double after = place < ncaches ? values->begins[place] : INFINITY;
    if (begin < before || end > after)
        return false;
    *more = *values;
    for (int i = ncaches; i > place; i--) {
        more->begins[i] = values->begins[i - 1];
        more->widths[i] = values->widths[i - 1];
    }
    more->begins[place] = begin;
    more->widths[place] = end - begin;
    return true;
}

static int consider(struct search *search, struct mt_learn_values *values,
                    struct mt_error *err)
{
    double squares = INFINITY;
    const int status = mt_learn_solve_linear(values, search->form, search->samples,
                                             search->nsamples, &squares, err);
    if (status == MT_OK && squares < search->least) {
        search->least = squares;
        search->best = *values;
    }
    return status;
}

static int consider_parts(struct search *search, const struct mt_learn_values *values,
                          int cache, struct mt_error *err)
{
    const int ncaches = search->form->ncaches - 1;
    const double begin = values->begins[cache], width = values->widths[cache];
    int status = MT_OK;
    for (double share = 0.25; share < 1 && status == MT_OK; share += 0.25) {
        struct mt_learn_values first = *values, both;
        first.widths[cache] = (share - gap) * width;
        if (insert(&both, &first, ncaches, begin + share * width, begin + width))
            status = consider(search, &both, err);
    }
    return status;
}

int mt_learn_add_cache(struct mt_learn_values *values, const struct mt_learn_form *form,
                       const struct mt_learn_sample *samples, int nsamples,
                       struct mt_error *err)
{
    struct search search = {form, samples, nsamples, *values, INFINITY};
    double knots[MOST_KNOTS];
    int nknots = 0;
    int status = find_knots(knots, &nknots, samples, nsamples, err);
    for (int i = 0; i < nknots; i++) {
        for (int j = i + 1; j < nknots && status == MT_OK; j++) {
            struct mt_learn_values more;
            if (insert(&more, values, form->ncaches - 1, knots[i], knots[j]))
                status = consider(&search, &more, err);
        }
    }
    for (int i = 0; i < form->ncaches - 1 && status == MT_OK; i++)
        status = consider_parts(&search, values, i, err);
    if (status == MT_OK)
        *values = search.best;
    return status;
}
