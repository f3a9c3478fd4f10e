/* SPDX-License-Identifier: BSD-3-Clause */
#include "learn_minimise.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>

static const double tolerance = 1e-8;
enum { MOST_EVALUATIONS = 200 };

struct problem {
    const struct mt_learn_form *form;
    const struct mt_learn_sample *samples;
};

/* cminpack's: the residuals when `wanted` is 1, else their derivatives, by columns. */
static int evaluate(void *data, int nsamples, int ncoefficients,
                    const double *coefficients, double *residuals, double *jacobian,
                    int ld, int wanted)
{
    const struct problem *problem = data;
    struct mt_learn_values values;
    mt_learn_unpack(&values, problem->form, coefficients);
    for (int i = 0; i < nsamples; i++) {
        const struct mt_learn_sample *sample = &problem->samples[i];
        if (wanted == 1) {
            residuals[i] =
                mt_learn_seconds(problem->form, &values, &sample->demand, NULL) /
                    sample->seconds -
                1;
            continue;
        }
        double gradient[MT_LEARN_MAX_COEFFICIENTS];
        mt_learn_seconds(problem->form, &values, &sample->demand, gradient);
        for (int j = 0; j < ncoefficients; j++)
            jacobian[i + (size_t)j * (size_t)ld] = gradient[j] / sample->seconds;
    }
    return 0;
}

int mt_learn_minimise(double *coefficients, const struct mt_learn_form *form,
                      const struct mt_learn_sample *samples, int nsamples,
                      double *squares, struct mt_error *err)
{
    const int n = mt_learn_ncoefficients(form);
    const size_t m = (size_t)nsamples;
    double *numbers = calloc(m * (size_t)n + 2 * m, sizeof *numbers);
    if (!numbers)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d samples", nsamples);
    double *residuals = numbers, *more = numbers + m, *jacobian = numbers + 2 * m;
    double scale[MT_LEARN_MAX_COEFFICIENTS], qtf[MT_LEARN_MAX_COEFFICIENTS];
    double one[MT_LEARN_MAX_COEFFICIENTS], two[MT_LEARN_MAX_COEFFICIENTS];
    double three[MT_LEARN_MAX_COEFFICIENTS];
    int pivots[MT_LEARN_MAX_COEFFICIENTS], evaluations = 0, derivatives = 0;
    for (int i = 0; i < n; i++)
        scale[i] = 1; /* logarithms are of one scale */
    struct problem problem = {form, samples};
    lmder(evaluate, &problem, nsamples, n, coefficients, residuals, jacobian, nsamples,
          tolerance, tolerance, 0, MOST_EVALUATIONS, scale, 2, 0.1, 0, &evaluations,
          &derivatives, pivots, qtf, one, two, three, more);
    double sum = 0;
    for (int i = 0; i < nsamples; i++)
        sum += residuals[i] * residuals[i];
    *squares = sum;
    free(numbers);
    return MT_OK;
}
