/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune_crossings.h"

#include <math.h>
#include <stdbool.h>

static const double step = M_SQRT2; /* before the crossing is between two sizes */
static const double least = 64;
/* The long sizes of thin products, in crossings of squares: long enough to be thin, and
   not so long that they take minutes. */
static const double long_size = 1.5;

enum class { SQUARE, THIN_ROWS, THIN_COLUMNS, THIN_DEPTH };

/* Products of one class that differ by one size. */
struct row {
    enum class class;
    double others; /* the long sizes of thin ones */
    double beta;
};

/* Odd sizes are the worst case: a row, a column and a slice are left over. */
static int make_odd(double size)
{
    return (int)size | 1;
}

static struct tune_shape shape_of(const struct row *row, double size)
{
    const int mine = make_odd(size);
    const int others = row->class == SQUARE ? mine : make_odd(row->others);
    return (struct tune_shape){.m = row->class == THIN_ROWS ? mine : others,
                               .n = row->class == THIN_COLUMNS ? mine : others,
                               .k = row->class == THIN_DEPTH ? mine : others,
                               .beta = row->beta};
}

/* The smallest size known to pay, when all above it do; INFINITY: none up to `most`. */
static int find_crossing(double *crossing, const struct row *row, double start,
                         double most, const struct tune_plan *plan,
                         struct mt_error *err)
{
    double loses = 0, pays = INFINITY, size = start;
    while (size >= least && size <= most && pays > loses * plan->resolution) {
        const struct tune_shape shape = shape_of(row, size);
        double gain;
        const int status = tune_gain(&gain, &shape, &plan->effort, err);
        if (status != MT_OK)
            return status;
        if (plan->tell)
            plan->tell(&shape, gain);
        if (gain >= 1)
            pays = size;
        else
            loses = size;
        if (gain == 0)
            most = size;
        if (isinf(pays))
            size = loses * step;
        else
            size = loses > 0 ? sqrt(pays * loses) : pays / step;
    }
    *crossing = pays;
    return MT_OK;
}

/*
 * The cut-off that has these crossings: with rows, columns and depth r, c and d, and
 * long sizes l, thin products cross at r / m = 1 - (c + d) / l, and so on. Where that
 * lets squares pay before they do, all three grow.
 */
static struct mt_strassen_cutoff solve(double square, const double thin[3],
                                       double others)
{
    double weights[3], sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weights[i] = 1 / (others / thin[i] - 1);
    double all = others * sum / (1 + sum);
    all = fmax(all, square) / sum;
    return (struct mt_strassen_cutoff){all * weights[0], all * weights[1],
                                       all * weights[2]};
}

static int find_thin(struct mt_strassen_cutoff *cutoff, double square, double beta,
                     const struct tune_plan *plan, struct mt_error *err)
{
    const double others = long_size * square, most = 0.9 * others;
    /* Where they cross if rows, columns and depth are worth the same. */
    const double start = square / 3 / (1 - 2 / (3 * long_size));
    double thin[3];
    for (int i = 0; i < 3; i++) {
        const struct row row = {(enum class)(THIN_ROWS + i), others, beta};
        const int status = find_crossing(&thin[i], &row, start, most, plan, err);
        if (status != MT_OK)
            return status;
        thin[i] = fmin(thin[i], most);
    }
    *cutoff = solve(square, thin, others);
    return MT_OK;
}

static int find_cutoff(struct mt_strassen_cutoff *cutoff, double start, double beta,
                       const struct tune_plan *plan, struct mt_error *err)
{
    const struct row squares = {SQUARE, 0, beta};
    double square;
    const int status = find_crossing(&square, &squares, start, INFINITY, plan, err);
    if (status != MT_OK)
        return status;
    if (isfinite(square) && !plan->only_squares)
        return find_thin(cutoff, square, beta, plan, err);
    *cutoff = (struct mt_strassen_cutoff){square / 3, square / 3, square / 3};
    return MT_OK;
}

int tune_crossings(struct mt_strassen_tuning *tuning, const struct tune_plan *plan,
                   struct mt_error *err)
{
    struct mt_strassen_tuning found;
    int status = find_cutoff(&found.overwrite, plan->start, 0, plan, err);
    const struct mt_strassen_cutoff *overwrite = &found.overwrite;
    const double square = overwrite->rows + overwrite->columns + overwrite->depth;
    if (status == MT_OK)
        status = find_cutoff(&found.accumulate, isfinite(square) ? square : plan->start,
                             1, plan, err);
    if (status == MT_OK)
        *tuning = found;
    return status;
}
