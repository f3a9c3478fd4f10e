/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossings.h"

#include "linalg/kernel/kernel.h"

#include <math.h>
#include <stdbool.h>

static const double least = 64;
/* From size to size, before the crossing is between two. */
static const double square_step = M_SQRT2, thin_step = 1.25;
/* The long sizes of thin products, in crossings of squares: long enough to be thin, and
   not so long that they take minutes. */
static const double long_size = 1.5;

enum class { SQUARE, THIN_ROWS, THIN_COLUMNS, THIN_DEPTH };

/* Products of one class that differ by one size. */
struct row {
    enum class class;
    double others; /* the long sizes of thin ones */
    double beta;
    double start, most; /* the sizes tried first and last */
    double step;
    double resolution; /* how near the sizes are between which a crossing is known */
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

static int find_gain(double *gain, const struct tune_shape *shape,
                     const struct tune_plan *plan, struct mt_error *err)
{
    const struct mt_strassen_tuning tuning = {.kernel = plan->kernel};
    const int none = 0, one = 1;
    const struct tune_ways ways = {{.tuning = &tuning, .levels = &none},
                                   {.tuning = &tuning, .levels = &one}};
    const int status = tune_gain(gain, shape, &ways, &plan->effort, err);
    if (status == MT_OK && plan->tell)
        plan->tell(shape, "another level", *gain);
    return status;
}

/* The smallest size known to pay, when all above it do; INFINITY: none. */
static int find_crossing(double *crossing, const struct row *row,
                         const struct tune_plan *plan, struct mt_error *err)
{
    double loses = 0, pays = INFINITY, size = row->start, most = row->most;
    while (size >= least && size <= most && pays > loses * row->resolution) {
        const struct tune_shape shape = shape_of(row, size);
        double gain;
        const int status = find_gain(&gain, &shape, plan, err);
        if (status != MT_OK)
            return status;
        if (gain >= 1)
            pays = size;
        else
            loses = size;
        if (gain == 0)
            most = size;
        if (isinf(pays))
            size = loses * row->step;
        else
            size = loses > 0 ? sqrt(pays * loses) : pays / row->step;
    }
    *crossing = pays;
    return MT_OK;
}

static int find_square(double *square, double start, double beta,
                       const struct tune_plan *plan, struct mt_error *err)
{
    const struct row squares = {.class = SQUARE,
                                .beta = beta,
                                .start = start,
                                .most = INFINITY,
                                .step = square_step,
                                .resolution = plan->resolution};
    return find_crossing(square, &squares, plan, err);
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

static struct mt_strassen_cutoff thirds(double square)
{
    return (struct mt_strassen_cutoff){square / 3, square / 3, square / 3};
}

static int find_thin(struct mt_strassen_cutoff *cutoff, double square,
                     const struct tune_plan *plan, struct mt_error *err)
{
    double thin[3];
    for (int i = 0; i < 3; i++) {
        const struct row row = {
            .class = (enum class)(THIN_ROWS + i),
            .others = long_size * square,
            /* where they cross if rows, columns and depth are worth the same */
            .start = square / 3 / (1 - 2 / (3 * long_size)),
            .most = 0.9 * long_size * square,
            .step = thin_step,
            .resolution = 1.01 * thin_step,
        };
        const int status = find_crossing(&thin[i], &row, plan, err);
        if (status != MT_OK)
            return status;
        thin[i] = fmin(thin[i], row.most);
    }
    *cutoff = solve(square, thin, long_size * square);
    return MT_OK;
}

/*
 * What else it costs to add to C are sums of the size of C: they count as depth does.
 * Where it seems to cost less, all shapes share in that.
 */
static struct mt_strassen_cutoff accumulating(
    const struct mt_strassen_cutoff *overwrite, double overwriting_square,
    double square)
{
    struct mt_strassen_cutoff cutoff = *overwrite;
    if (square > overwriting_square) {
        cutoff.depth += square - overwriting_square;
        return cutoff;
    }
    const double share = square / overwriting_square;
    return (struct mt_strassen_cutoff){cutoff.rows * share, cutoff.columns * share,
                                       cutoff.depth * share};
}

int tune_crossings(struct mt_strassen_tuning *tuning, const struct tune_plan *plan,
                   struct mt_error *err)
{
    double square, adding;
    int status = find_square(&square, plan->start, 0, plan, err);
    if (status == MT_OK)
        status =
            find_square(&adding, isfinite(square) ? square : plan->start, 1, plan, err);
    if (status != MT_OK)
        return status;
    struct mt_strassen_cutoff overwrite = thirds(square);
    if (isfinite(square) && !plan->only_squares)
        status = find_thin(&overwrite, square, plan, err);
    if (status != MT_OK)
        return status;
    tuning->kernel = plan->kernel;
    tuning->overwrite = overwrite;
    tuning->accumulate =
        isfinite(square) ? accumulating(&overwrite, square, adding) : thirds(adding);
    return MT_OK;
}

/* From a little above the smallest that it takes, where both are as fast, to where
   another level will pay. */
static const struct tune_shape kernel_shapes[] = {
    {600, 600, 600, 0},  {770, 770, 770, 1},   {1025, 1025, 1025, 0},
    {601, 1601, 801, 0}, {1601, 601, 1025, 1}, {1601, 1601, 601, 1},
};
enum { KERNEL_SHAPES = sizeof kernel_shapes / sizeof *kernel_shapes };

int tune_kernel(bool *faster, const struct tune_plan *plan, struct mt_error *err)
{
    const struct mt_strassen_tuning kernel = {.kernel = true}, blas = {0};
    const int none = 0;
    const struct tune_ways ways = {{.tuning = &blas, .levels = &none},
                                   {.tuning = &kernel, .levels = &none}};
    /* It is for one thread. */
    const bool possible = plan->effort.one_thread && mt_kernel_available();
    int won = 0;
    for (int i = 0, lost = 0; i < KERNEL_SHAPES && possible && 2 * lost < KERNEL_SHAPES;
         i++) {
        double gain;
        const int status =
            tune_gain(&gain, &kernel_shapes[i], &ways, &plan->effort, err);
        if (status != MT_OK)
            return status;
        if (plan->tell)
            plan->tell(&kernel_shapes[i], "motley's own kernel", gain);
        won += gain >= 1;
        lost += gain < 1;
    }
    *faster = 2 * won > KERNEL_SHAPES;
    return MT_OK;
}
