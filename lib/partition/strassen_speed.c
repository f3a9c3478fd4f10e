/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the speed of a processor to measured products. */
#include "lib/math/least_squares.h"
#include "lib/math/nnls.h"
#include "motley/partition.h"

#include <math.h>
#include <stdlib.h>

/* The time of a run is a sum of these. */
enum { FLOPS, FLOPS_PER_SIZE, BYTES, PARTS };

/* Find the parts that the runs determine; fail if they are too few for any. */
static int find_parts(bool wanted[PARTS], const struct mt_strassen_sample *samples,
                      int count, struct mt_error *err)
{
    double plain = 0; /* the size of a run without levels */
    for (int i = 0; i < PARTS; i++)
        wanted[i] = false;
    for (int i = 0; i < count; i++) {
        const struct mt_strassen_sample *run = &samples[i];
        if (!(run->size > 0) || !(run->seconds > 0) || !isfinite(run->size) ||
            !isfinite(run->seconds))
            return mt_fail(err, MT_EINVAL,
                           "a product of size %.9g in %.9g s cannot have been measured",
                           run->size, run->seconds);
        if (run->levels > 0) {
            wanted[BYTES] = true;
            continue;
        }
        wanted[FLOPS] = true;
        if (plain > 0 && run->size != plain)
            wanted[FLOPS_PER_SIZE] = true;
        plain = run->size;
    }
    if (!wanted[FLOPS])
        return mt_fail(err, MT_ERANK, "no run is without levels of Strassen");
    return MT_OK;
}

/* [A b] of the wanted parts, by columns, each row divided by the run's seconds, and
   each of A's columns by its length. */
static void fill_problem(double *matrix, int ld, const bool wanted[PARTS],
                         double lengths[PARTS],
                         const struct mt_strassen_sample *samples, int count)
{
    double *columns[PARTS] = {NULL};
    for (int part = 0; part < PARTS; part++)
        if (wanted[part]) {
            columns[part] = matrix;
            matrix += ld;
        }
    for (int i = 0; i < count; i++) {
        const struct mt_strassen_sample *run = &samples[i];
        const struct mt_strassen_cost cost =
            mt_strassen_cost(run->size, run->size, run->size, run->levels, false);
        const double parts[PARTS] = {cost.flops, cost.flops / cost.leaf, cost.bytes};
        for (int part = 0; part < PARTS; part++)
            if (wanted[part])
                columns[part][i] = parts[part] / run->seconds;
        matrix[i] = 1;
    }
    for (int part = 0; part < PARTS; part++) {
        lengths[part] = 0;
        if (!wanted[part])
            continue;
        for (int i = 0; i < count; i++)
            lengths[part] = hypot(lengths[part], columns[part][i]);
        for (int i = 0; i < count; i++)
            columns[part][i] /= lengths[part];
    }
}

/* Fit the amount of each part to the runs; 0 for unwanted parts. */
static int solve(double amounts[PARTS], const bool wanted[PARTS],
                 const struct mt_strassen_sample *samples, int count,
                 struct mt_error *err)
{
    int unknowns = 0;
    for (int part = 0; part < PARTS; part++)
        unknowns += wanted[part];
    const int rows = count > unknowns ? count : unknowns + 1;
    double *matrix = calloc((size_t)rows * (size_t)(unknowns + 1), sizeof *matrix);
    if (!matrix)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    double lengths[PARTS], found[PARTS] = {0};
    fill_problem(matrix, rows, wanted, lengths, samples, count);
    int status = mt_reduce_to_triangle(matrix, rows, rows, unknowns + 1, err);
    if (status == MT_OK)
        status = mt_nnls(matrix, rows, unknowns, found, err);
    const double *next = found;
    for (int part = 0; part < PARTS && status == MT_OK; part++)
        /* Rounded, as the last digits differ with the processor for which LAPACK was
           compiled, and could make the search find another cut. */
        amounts[part] = wanted[part] ? (float)(*next++ / lengths[part]) : 0;
    free(matrix);
    return status;
}

int mt_strassen_speed_fit(struct mt_strassen_speed *speed,
                          const struct mt_strassen_sample *samples, int count,
                          struct mt_error *err)
{
    bool wanted[PARTS];
    double amounts[PARTS] = {0};
    int status = find_parts(wanted, samples, count, err);
    if (status == MT_OK)
        status = solve(amounts, wanted, samples, count, err);
    if (status == MT_OK && amounts[FLOPS] <= 0 && wanted[FLOPS_PER_SIZE]) {
        /* larger products are slower: no size is large enough */
        wanted[FLOPS_PER_SIZE] = false;
        status = solve(amounts, wanted, samples, count, err);
    }
    if (status != MT_OK)
        return status;
    if (amounts[FLOPS] <= 0)
        return mt_fail(err, MT_ERANK, "the runs do not determine the speed");
    *speed = (struct mt_strassen_speed){
        .flops = 1 / amounts[FLOPS],
        .half = amounts[FLOPS_PER_SIZE] / amounts[FLOPS],
        .bandwidth = amounts[BYTES] > 0 ? 1 / amounts[BYTES] : (double)INFINITY,
    };
    return MT_OK;
}
