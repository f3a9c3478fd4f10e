/* SPDX-License-Identifier: BSD-3-Clause */
#include "start.h"

#include "lib/math/least_squares.h"
#include "lib/math/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs, latency, byte, and byte over half. */
enum { MOST_LINEAR = MT_MAX_CACHE_STEPS + 4 };

/* The seconds of a sample for each of the linear values, were that 1. */
static int linear_row(double *row, const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_demand *demand)
{
    int count = 0;
    row[count++] = demand->steps;
    for (int i = 0; i < form->ncaches; i++)
        row[count++] = demand->steps * mt_learn_ramp(values, i, demand->working_set);
    const int ncosts = count;
    if (form->messages) {
        const double length = mt_learn_bytes(form, values, demand);
        const double bytes = demand->messages * length *
                             mt_learn_contention(form, values, demand->ranks);
        row[count++] = bytes;
        if (form->latency)
            row[count++] = demand->messages;
        if (form->half)
            row[count++] = bytes * length;
    }
    if (form->overlap) {
        struct mt_learn_form sequential = *form;
        sequential.overlap = false;
        struct mt_demand computation = *demand;
        computation.messages = 0;
        const double compute =
            mt_learn_seconds(&sequential, values, &computation, NULL);
        const double both = mt_learn_seconds(&sequential, values, demand, NULL);
        const bool computes = compute >= both - compute;
        memset(computes ? row + ncosts : row, 0,
               (size_t)(computes ? count - ncosts : ncosts) * sizeof *row);
    }
    return count;
}

static void take_linear(struct mt_learn_values *values,
                        const struct mt_learn_form *form, const double *solution)
{
    values->cost = *solution++;
    for (int i = 0; i < form->ncaches; i++)
        values->grows[i] = *solution++;
    if (!form->messages)
        return;
    values->byte = *solution++;
    if (form->latency)
        values->latency = *solution++;
    if (form->half)
        values->per_byte = values->byte > 0 ? *solution / values->byte : 0;
}

/* What is left of the squares: nothing of it can be seen from [A b] reduced to a
   triangle but |b - A x|. */
static double squares_left(const double *triangle, int ld, int unknowns,
                           const double *x)
{
    double sum = 0;
    for (int i = 0; i <= unknowns; i++) {
        double left = triangle[(size_t)unknowns * (size_t)ld + (size_t)i];
        for (int j = i; j < unknowns; j++)
            left -= triangle[(size_t)j * (size_t)ld + (size_t)i] * x[j];
        sum += left * left;
    }
    return sum;
}

int mt_learn_solve_linear(struct mt_learn_values *values,
                          const struct mt_learn_form *form,
                          const struct mt_learn_sample *samples, int nsamples,
                          double *squares, struct mt_error *err)
{
    const int ld = nsamples > MOST_LINEAR + 1 ? nsamples : MOST_LINEAR + 1;
    double *matrix = calloc((size_t)ld * (MOST_LINEAR + 1), sizeof *matrix);
    if (!matrix)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", nsamples);
    double lengths[MOST_LINEAR] = {0}, solution[MOST_LINEAR] = {0};
    int unknowns = 0;
    for (int i = 0; i < nsamples; i++) {
        double row[MOST_LINEAR];
        unknowns = linear_row(row, form, values, &samples[i].demand);
        for (int j = 0; j < unknowns; j++) {
            const double entry = row[j] / samples[i].seconds;
            matrix[(size_t)j * (size_t)ld + (size_t)i] = entry;
            lengths[j] += entry * entry;
        }
        matrix[(size_t)unknowns * (size_t)ld + (size_t)i] = 1;
    }
    for (int j = 0; j < unknowns; j++) {
        lengths[j] = lengths[j] > 0 ? sqrt(lengths[j]) : 1;
        for (int i = 0; i < nsamples; i++)
            matrix[(size_t)j * (size_t)ld + (size_t)i] /= lengths[j];
    }
    int status = mt_reduce_to_triangle(matrix, ld, ld, unknowns + 1, err);
    if (status == MT_OK)
        status = mt_nnls(matrix, ld, unknowns, solution, err);
    if (status == MT_OK) {
        *squares = squares_left(matrix, ld, unknowns, solution);
        for (int j = 0; j < unknowns; j++)
            solution[j] /= lengths[j];
        take_linear(values, form, solution);
    }
    free(matrix);
    return status;
}

/* Try other values; keep them if they leave less. */
static int try(struct mt_learn_values *best, double *least,
               const struct mt_learn_values *values, const struct mt_learn_form *form,
               const struct mt_learn_sample *samples, int nsamples,
               struct mt_error *err)
{
    struct mt_learn_values tried = *values;
    double squares = INFINITY;
    const int status =
        mt_learn_solve_linear(&tried, form, samples, nsamples, &squares, err);
    if (status == MT_OK && squares < *least * (1 - 1e-9)) {
        *least = squares;
        *best = tried;
    }
    return status;
}

/* How many share a part, or have room: numbers of nodes that were used, and some
   between those. Of those that fit as well, the first and smallest: from there on
   nothing gets slower. */
static int scan_shares(struct mt_learn_values *best, double *least,
                       struct mt_learn_values *tried, const struct mt_learn_form *form,
                       const struct mt_learn_sample *samples, int nsamples,
                       struct mt_error *err)
{
    int status = MT_OK;
    for (double ranks = 1, next; status == MT_OK && ranks < INFINITY; ranks = next) {
        next = INFINITY;
        for (int i = 0; i < nsamples; i++) {
            if (samples[i].demand.ranks > ranks)
                next = fmin(next, samples[i].demand.ranks);
        }
        for (int i = 1; i <= 4 && next < INFINITY && status == MT_OK; i++) {
            tried->strength = i == 4 ? next : ranks * pow(next / ranks, i / 4.0);
            status = try(best, least, tried, form, samples, nsamples, err);
        }
    }
    return status;
}

int mt_learn_scan_law(struct mt_learn_values *values, const struct mt_learn_form *form,
                      const struct mt_learn_sample *samples, int nsamples,
                      struct mt_error *err)
{
    static const double exponents[] = {0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};
    static const double strengths[] = {0.1, 0.3, 0.5, 0.7, 0.85, 0.95};
    enum { NEXPONENTS = sizeof exponents / sizeof *exponents };
    enum { NSTRENGTHS = sizeof strengths / sizeof *strengths };
    struct mt_learn_values best = *values, tried = *values;
    double least = INFINITY;
    int status = MT_OK;
    const bool entered = values->exponent > 0 || values->strength > 0;
    if (form->proportional)
        tried.exponent = 1;
    if (entered || !form->messages || mt_learn_nlaw(form) == 0)
        status = try(&best, &least, &tried, form, samples, nsamples, err);
    const bool counts = form->contention == MT_CONTENTION_SHARED ||
                        form->contention == MT_CONTENTION_LIMITED;
    if (status == MT_OK && form->messages && counts) {
        status = scan_shares(&best, &least, &tried, form, samples, nsamples, err);
    } else if (form->messages && mt_learn_nlaw(form) > 0) {
        const bool saturates = form->contention == MT_CONTENTION_SATURATING;
        for (int i = 0; i < NEXPONENTS * NSTRENGTHS && status == MT_OK; i++) {
            tried.exponent = exponents[i % NEXPONENTS];
            tried.strength = saturates ? strengths[i / NEXPONENTS] : 0;
            if (saturates || i < NEXPONENTS)
                status = try(&best, &least, &tried, form, samples, nsamples, err);
        }
    }
    if (status == MT_OK)
        *values = best;
    return status;
}
