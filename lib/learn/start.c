/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting points of a fit: non-negative least squares over a grid of the non-linear
   parameters. */
#include "start.h"

#include "pins.h"

#include "lib/base/array.h"
#include "lib/machine/elapsed.h"
#include "lib/math/least_squares.h"
#include "lib/math/nnls.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs, near steps, latency, hop, byte, and byte over half. */
enum { MOST_LINEAR = MT_MAX_CACHE_STEPS + 6 };

/* The row of the linear system: the seconds of a sample per unit of each linear value.
 */
static int linear_row(double *row, const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_sample *sample)
{
    const struct mt_demand *demand = &sample->demand;
    int count = 0;
    row[count++] = mt_far_steps(demand);
    for (int i = 0; i < form->ncaches; i++)
        row[count++] =
            mt_far_steps(demand) * mt_learn_ramp(values, i, demand->working_set);
    if (form->near)
        row[count++] = demand->near_steps;
    const int ncosts = count;
    if (form->messages) {
        const double length = mt_learn_bytes(form, values, sample);
        const double bytes = demand->messages * mt_learn_reach(form, values, sample);
        row[count++] = bytes;
        if (form->latency)
            row[count++] = demand->messages;
        if (form->hop)
            row[count++] = demand->messages * sample->meeting.hops;
        if (form->half)
            row[count++] = bytes * length;
    }
    if (form->overlap) {
        struct mt_learn_form sequential = *form;
        sequential.overlap = false;
        struct mt_learn_sample computation = *sample;
        computation.demand.messages = 0;
        const double compute =
            mt_learn_seconds(&sequential, values, &computation, NULL);
        const double both = mt_learn_seconds(&sequential, values, sample, NULL);
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
    if (form->near)
        values->near = *solution++;
    if (!form->messages)
        return;
    values->byte = *solution++;
    if (form->latency)
        values->latency = *solution++;
    if (form->hop)
        values->hop = *solution++;
    if (form->half)
        values->per_byte = values->byte > 0 ? *solution / values->byte : 0;
}

/* The sum of squares |b - A x|^2, from [A b] reduced to a triangle. */
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
                          const struct mt_learn_data *data, double *squares,
                          struct mt_error *err)
{
    const int rows = data->count + 1; /* the last row is the prior of a byte's time */
    const int ld = rows > MOST_LINEAR + 1 ? rows : MOST_LINEAR + 1;
    const double known = far_error * mt_learn_link_weight(form, data);
    double *matrix = calloc((size_t)ld * (MOST_LINEAR + 1), sizeof *matrix);
    if (!matrix)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", data->count);
    double lengths[MOST_LINEAR] = {0}, solution[MOST_LINEAR] = {0};
    int unknowns = 0;
    for (int i = 0; i < data->count; i++) {
        double row[MOST_LINEAR];
        unknowns = linear_row(row, form, values, &data->samples[i]);
        for (int j = 0; j < unknowns; j++) {
            const double entry = row[j] / data->samples[i].seconds;
            matrix[(size_t)j * (size_t)ld + (size_t)i] = entry;
            lengths[j] += entry * entry;
        }
        matrix[(size_t)unknowns * (size_t)ld + (size_t)i] = 1;
    }
    if (known > 0) {
        const int byte = 1 + form->ncaches + form->near;
        const double entry = known / data->link.byte;
        matrix[(size_t)byte * (size_t)ld + (size_t)data->count] = entry;
        matrix[(size_t)unknowns * (size_t)ld + (size_t)data->count] = known;
        lengths[byte] += entry * entry;
    }
    for (int j = 0; j < unknowns; j++) {
        lengths[j] = lengths[j] > 0 ? sqrt(lengths[j]) : 1;
        for (int i = 0; i < rows; i++)
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

/* The state of a scan over values of a form: the best so far. */
struct scan {
    const struct mt_learn_form *form;
    const struct mt_learn_data *data;
    struct mt_learn_values best;
    double least;    /* the sum of squares of the best */
    double rounding; /* relative; of equally good values the first is kept */
};

/* Solve for the linear values, and keep all of them if they leave smaller squares. */
static int scan_try(struct scan *scan, const struct mt_learn_values *values,
                    struct mt_error *err)
{
    struct mt_learn_values tried = *values;
    double squares = INFINITY;
    const int status =
        mt_learn_solve_linear(&tried, scan->form, scan->data, &squares, err);
    if (status == MT_OK && squares < scan->least * (1 - scan->rounding)) {
        scan->least = squares;
        scan->best = tried;
    }
    return status;
}

/* Scan the number that share a part or have room: the numbers of messages that were
   under way together, and some in between. Ties go to the smallest. */
static int scan_shares(struct scan *scan, struct mt_learn_values tried,
                       struct mt_error *err)
{
    const struct mt_learn_data *data = scan->data;
    int status = MT_OK;
    for (double count = 1, next; status == MT_OK && count < INFINITY; count = next) {
        next = INFINITY;
        for (int i = 0; i < data->count; i++) {
            const double together = mt_together(&data->samples[i].demand);
            if (together > count)
                next = fmin(next, together);
        }
        for (int i = 1; i <= 4 && next < INFINITY && status == MT_OK; i++) {
            tried.strength = i == 4 ? next : count * pow(next / count, i / 4.0);
            status = scan_try(scan, &tried, err);
        }
    }
    return status;
}

/* Scan the number of messages that a switch passes at once; on a trunk, also fractions
   of one. */
static int scan_switches(struct scan *scan, struct mt_learn_values tried,
                         struct mt_error *err)
{
    int most = 1, status = MT_OK;
    for (int i = 0; i < scan->data->count; i++)
        if (scan->data->samples[i].meeting.most > most)
            most = scan->data->samples[i].meeting.most;
    const double least = scan->form->contention == MT_CONTENTION_TRUNKS ? 1 / 32.0 : 1;
    for (double at = least; at < most && status == MT_OK; at *= 1.2) {
        tried.strength = at * 1.05;
        status = scan_try(scan, &tried, err);
    }
    return status;
}

/* Try exponents, each with several strengths if the law saturates. */
static int scan_exponents(struct scan *scan, struct mt_learn_values tried,
                          struct mt_error *err)
{
    enum { NEXPONENTS = sizeof tried_exponents / sizeof *tried_exponents };
    enum { NSTRENGTHS = sizeof tried_strengths / sizeof *tried_strengths };
    const bool saturates = scan->form->contention == MT_CONTENTION_SATURATING;
    const int ways = saturates ? NEXPONENTS * NSTRENGTHS : NEXPONENTS;
    int status = MT_OK;
    for (int i = 0; i < ways && status == MT_OK; i++) {
        tried.exponent = tried_exponents[i % NEXPONENTS];
        tried.strength = saturates ? tried_strengths[i / NEXPONENTS] : 0;
        status = scan_try(scan, &tried, err);
    }
    return status;
}

int mt_learn_scan_law(struct mt_learn_values *values, const struct mt_learn_form *form,
                      const struct mt_learn_data *data, struct mt_error *err)
{
    struct scan scan = {.form = form,
                        .data = data,
                        .best = *values,
                        .least = INFINITY,
                        .rounding = 1e-9};
    struct mt_learn_values tried = *values;
    const bool law = form->messages && mt_learn_nlaw(form) > 0;
    const bool entered = values->exponent > 0 || values->strength > 0;
    const bool counts = form->contention == MT_CONTENTION_SHARED ||
                        form->contention == MT_CONTENTION_LIMITED;
    const bool counted = mt_are_counted(form->contention);
    int status = MT_OK;
    if (form->proportional && counted)
        tried.strength = 1;
    else if (form->proportional)
        tried.exponent = 1;
    else if (form->room > 0)
        tried.strength = form->room;
    if (entered || !law)
        status = scan_try(&scan, &tried, err);
    if (status == MT_OK && law && counted)
        status = scan_switches(&scan, tried, err);
    else if (status == MT_OK && law)
        status =
            counts ? scan_shares(&scan, tried, err) : scan_exponents(&scan, tried, err);
    if (status == MT_OK)
        *values = scan.best;
    return status;
}

struct interval {
    double low, high;
};
static const struct interval everywhere = {-INFINITY, INFINITY};

/* The logarithms of the measured working sets in `within`, at most `most` of them. */
static int find_knots(double *knots, int *nknots, int most, struct interval within,
                      const struct mt_learn_data *data, struct mt_error *err)
{
    double *sets = malloc((size_t)data->count * sizeof *sets);
    if (!sets)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", data->count);
    int count = 0;
    for (int i = 0; i < data->count; i++) {
        const double set = log(data->samples[i].demand.working_set);
        if (set > within.low && set < within.high)
            sets[count++] = set;
    }
    qsort(sets, (size_t)count, sizeof *sets, mt_compare_doubles);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || sets[i] > sets[kept - 1] + 1e-3)
            sets[kept++] = sets[i];
    }
    *nknots = kept < most ? kept : most;
    for (int i = 0; i < *nknots; i++)
        knots[i] = sets[*nknots < kept ? i * (kept - 1) / (most - 1) : i];
    free(sets);
    return MT_OK;
}

/* Add a cache from `begin` to `end`; false if it would overlap another. */
static bool insert_cache(struct mt_learn_values *more,
                         const struct mt_learn_values *values, int ncaches,
                         double begin, double end)
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

static int scan_parts(struct scan *scan, const struct mt_learn_values *values,
                      int cache, struct mt_error *err)
{
    const int ncaches = scan->form->ncaches - 1;
    const double begin = values->begins[cache], width = values->widths[cache];
    int status = MT_OK;
    for (double share = 0.25; share < 1 && status == MT_OK; share += 0.25) {
        struct mt_learn_values first = *values, both;
        first.widths[cache] = (share - split_gap) * width;
        if (insert_cache(&both, &first, ncaches, begin + share * width, begin + width))
            status = scan_try(scan, &both, err);
    }
    return status;
}

int mt_learn_add_cache(struct mt_learn_values *values, const struct mt_learn_form *form,
                       const struct mt_learn_data *data, struct mt_error *err)
{
    struct scan scan = {.form = form, .data = data, .best = *values, .least = INFINITY};
    const int ncaches = form->ncaches - 1;
    double knots[MOST_KNOTS];
    int nknots = 0;
    int status = find_knots(knots, &nknots, MOST_KNOTS, everywhere, data, err);
    for (int i = 0; i < nknots; i++) {
        for (int j = i + 1; j < nknots && status == MT_OK; j++) {
            struct mt_learn_values more;
            if (insert_cache(&more, values, ncaches, knots[i], knots[j]))
                status = scan_try(&scan, &more, err);
        }
    }
    for (int i = 0; i < ncaches && status == MT_OK; i++)
        status = scan_parts(&scan, values, i, err);
    if (status == MT_OK)
        *values = scan.best;
    return status;
}

/* Try a cache step between all knots that are near, and not beyond its neighbours. */
static int scan_near(struct scan *scan, int cache, struct mt_error *err)
{
    struct mt_learn_values tried = scan->best;
    const double *begins = tried.begins, *widths = tried.widths;
    struct interval near = {begins[cache] - M_LN2,
                            begins[cache] + widths[cache] + M_LN2};
    double knots[KNOTS_OF_MOVES];
    int nknots = 0;
    if (cache > 0)
        near.low = fmax(near.low, begins[cache - 1] + widths[cache - 1]);
    if (cache + 1 < scan->form->ncaches)
        near.high = fmin(near.high, begins[cache + 1]);
    int status = scan_try(scan, &tried, err);
    if (status == MT_OK)
        status = find_knots(knots, &nknots, KNOTS_OF_MOVES, near, scan->data, err);
    for (int i = 0; i < nknots; i++)
        for (int j = i + 1; j < nknots && status == MT_OK; j++) {
            tried.begins[cache] = knots[i];
            tried.widths[cache] = knots[j] - knots[i];
            status = scan_try(scan, &tried, err);
        }
    return status;
}

int mt_learn_move_caches(struct mt_learn_values *values,
                         const struct mt_learn_form *form,
                         const struct mt_learn_data *data, struct mt_error *err)
{
    int status = MT_OK;
    for (int cache = 0; cache < form->ncaches && status == MT_OK; cache++) {
        struct scan scan = {
            .form = form, .data = data, .best = *values, .least = INFINITY};
        if (form->pins[cache])
            continue;
        status = scan_near(&scan, cache, err);
        if (status == MT_OK)
            *values = scan.best;
    }
    return status;
}

/* Try a second step from the end of the first on. */
static int scan_second(struct scan *scan, struct mt_learn_values tried,
                       const double *knots, int nknots, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < nknots; i++)
        for (int j = i + 1; j < nknots && status == MT_OK; j++) {
            tried.begins[1] = knots[i];
            tried.widths[1] = knots[j] - knots[i];
            status = scan_try(scan, &tried, err);
        }
    return status;
}

int mt_learn_place_pair(struct mt_learn_values *values, bool *placed,
                        const struct mt_learn_form *form,
                        const struct mt_learn_data *data, struct mt_error *err)
{
    struct scan scan = {.form = form, .data = data, .best = *values, .least = INFINITY};
    struct mt_learn_values tried = *values;
    double knots[KNOTS_OF_PAIRS];
    int nknots = 0;
    int status = find_knots(knots, &nknots, KNOTS_OF_PAIRS, everywhere, data, err);
    for (int i = 0; i < nknots; i++)
        for (int j = i + 1; j < nknots && status == MT_OK; j++) {
            tried.begins[0] = knots[i];
            tried.widths[0] = knots[j] - knots[i];
            status = scan_second(&scan, tried, knots + j, nknots - j, err);
        }
    if (status != MT_OK)
        return status;
    *placed = scan.least < INFINITY;
    *values = scan.best;
    return MT_OK;
}
