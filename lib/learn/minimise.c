/* SPDX-License-Identifier: BSD-3-Clause */
#include "minimise.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>

static const double tolerance = 1e-8;
/* Relative errors up to about that count by their squares, larger ones by their size:
   some runs are out of line, as where parts are uneven, and should not move all. */
static const double far = 0.01;
enum { MOST_EVALUATIONS = 100 };

struct problem {
    const struct mt_learn_form *form;
    const struct mt_learn_sample *samples;
    double limit; /* errors beyond it are far */
};

/* What cminpack squares and adds up, in place of a run's relative error, and its
   derivative by that. */
static double soften(double error, double limit, double *slope)
{
    const double ratio = error / limit, root = sqrt(1 + ratio * ratio);
    const double soft = copysign(limit * sqrt(2 * (root - 1)), error);
    *slope = fabs(ratio) > 1e-6 ? error / (soft * root) : 1;
    return fabs(ratio) > 1e-6 ? soft : error;
}

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
        double gradient[MT_LEARN_MAX_COEFFICIENTS], slope;
        const double seconds = mt_learn_seconds(problem->form, &values, &sample->demand,
                                                wanted == 1 ? NULL : gradient);
        const double residual =
            soften(seconds / sample->seconds - 1, problem->limit, &slope);
        if (wanted == 1)
            residuals[i] = residual;
        for (int j = 0; wanted != 1 && j < ncoefficients; j++)
            jacobian[i + (size_t)j * (size_t)ld] =
                slope * gradient[j] / sample->seconds;
    }
    return 0;
}

int mt_learn_minimise(double *coefficients, const struct mt_learn_form *form,
                      const struct mt_learn_sample *samples, int nsamples,
                      struct mt_error *err)
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
        scale[i] = 1;                         /* logarithms are of one scale */
    for (int round = 0; round < 2; round++) { /* from a bad start all is far */
        struct problem problem = {form, samples, round == 0 ? INFINITY : far};
        lmder(evaluate, &problem, nsamples, n, coefficients, residuals, jacobian,
              nsamples, tolerance, tolerance, 0, MOST_EVALUATIONS, scale, 2, 0.1, 0,
              &evaluations, &derivatives, pivots, qtf, one, two, three, more);
    }
    free(numbers);
    return MT_OK;
}
