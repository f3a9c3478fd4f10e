/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the size from which another level of recursion pays (bisection on measured
   gains). */
#include "crossings.h"

#include "linalg/kernel/kernel.h"
#include "linalg/strassen/team.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The smallest squares that are tried. */
static const double least = 64;
/* Sizes up to so many times as large as each other say the same of a crossing. */
static const double alike = 1.5;
/* Of thin products, in crossings of squares: the long sizes, long enough to be thin,
   and not so long that they take minutes; and the short one, where they cross if rows,
   columns and depth are worth the same. */
static const double long_size = 1.5, short_size = 0.6;

enum class { SQUARE, THIN_ROWS, THIN_COLUMNS, THIN_DEPTH };

/* Odd sizes are the worst case: a row, a column and a slice are left over. */
static int make_odd(double size)
{
    return (int)size | 1;
}

/* Squares, or products of which one size is another. */
static struct tune_shape shape_of(enum class class, double size, double others)
{
    const int mine = make_odd(size), long_ones = make_odd(others);
    return (struct tune_shape){.m = class == THIN_ROWS ? mine : long_ones,
                               .n = class == THIN_COLUMNS ? mine : long_ones,
                               .k = class == THIN_DEPTH ? mine : long_ones};
}

/* The smallest squares that tell where another level pays. For smaller ones the kernel
   would not make the lowest products: two ways of the BLAS would be compared. */
static double least_square(const struct tune_plan *plan)
{
    const struct mt_strassen_tuning tuning = {.kernel = plan->kernel,
                                              .threads = plan->effort.threads};
    const int huge = 1 << 20;
    double size = least;
    if (mt_strassen_by_kernel(&tuning, huge, huge, huge, 1))
        while (!mt_strassen_by_kernel(&tuning, (int)size, (int)size, (int)size, 1))
            size *= 1.02;
    return size;
}

static int find_gain(struct tune_gain *gain, const struct tune_shape *shape,
                     const struct tune_plan *plan, struct mt_error *err)
{
    const struct mt_strassen_tuning tuning = {.kernel = plan->kernel,
                                              .threads = plan->effort.threads};
    const int none = 0, one = 1;
    const struct tune_ways ways = {{.tuning = &tuning, .levels = &none},
                                   {.tuning = &tuning, .levels = &one}};
    const int status = tune_gain(gain, shape, &ways, &plan->effort, err);
    if (status == MT_OK && plan->tell)
        plan->tell(shape, "another level", gain->factor);
    return status;
}

/*
 * What a level costs in sums, in terms of what its products save, so that it pays below
 * 1: with seven products of eight, 1 / gain = 7 / 8 + cost / 8. Sums go by n^2,
 * products by n^3: of squares of size n that cross at c, the cost is c / n; and of any
 * product it is rows / m + columns / n + depth / k, by the meaning of a cut-off.
 */
static double cost_of(double gain)
{
    return 8 / gain - 7;
}

static bool are_near(double a, double b, double resolution)
{
    return fmax(a, b) <= resolution * fmin(a, b);
}

enum { MOST_SIGNS = 1000 };

/* Where squares cross, as a pair of a size has it. */
struct sign {
    double size, crossing;
};

/* What is known of where squares cross. */
struct search {
    struct sign signs[MOST_SIGNS];
    int count;
    double crossing; /* the median of what sizes like the last say */
    double surely;   /* at most, but for one chance in twenty */
    double largest;  /* size that was tried */
    double seconds;  /* that were spent */
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of sorted values, which one their true median is below, but for one chance in twenty:
   by the sign test, as the median would be if so many values at most lay above it by
   the toss of a coin. With fewer than five values not even the highest is. */
static int sure_place(int count)
{
    double chance = pow(0.5, count), above = chance;
    int place = count - 1;
    for (int i = 1; i <= count; i++) {
        chance *= (double)(count - i + 1) / i;
        above += chance;
        if (above > 0.05)
            break;
        place = count - 1 - i;
    }
    return place;
}

static void note_gain(struct search *search, double size, const struct tune_gain *gain)
{
    double near[MOST_SIGNS];
    int count = 0;
    for (int i = 0; i < gain->pairs && search->count < MOST_SIGNS; i++)
        search->signs[search->count++] =
            (struct sign){size, size * cost_of(gain->ratios[i])};
    for (int i = 0; i < search->count; i++)
        if (are_near(search->signs[i].size, size, alike))
            near[count++] = search->signs[i].crossing;
    qsort(near, (size_t)count, sizeof *near, compare);
    search->crossing = near[count / 2];
    search->surely = near[sure_place(count)];
    search->largest = fmax(search->largest, size);
    search->seconds += 2 * (gain->pairs + 1) * gain->seconds;
}

/* The largest size whose products take no longer than they may, by one of them; a
   little less, as those that do are given up. */
static double largest_size(double size, const struct tune_gain *gain,
                           const struct tune_plan *plan)
{
    return size * cbrt(0.9 * plan->effort.longest / gain->seconds);
}

/* The size to try next: between where another level seems to pay and where it surely
   does, as far as is known. */
static double next_size(const struct search *search, double size)
{
    const double next = sqrt(fmax(search->crossing, 0) * fmax(search->surely, 0));
    return fmin(fmax(next, size / 2), 2 * size);
}

/*
 * Where squares cross. Sizes are tried where those before say that it is, until what
 * the pairs of such sizes say together is sure: a single pair may be off by a tenth,
 * and a crossing by eight times that. When its time is over a search still goes where
 * it has not been. What is taken for true is where a level surely pays, so that chance
 * takes a crossing up, but not down. INFINITY: nowhere that could be tried; what
 * smaller ones say of larger ones was wrong where several threads wait for the memory.
 */
static int find_square(double *crossing, double *largest_tried, double start,
                       double beta, const struct tune_plan *plan, struct mt_error *err)
{
    struct search search = {.crossing = INFINITY, .surely = INFINITY};
    const double smallest = least_square(plan);
    bool found = false;
    for (double size = fmax(start, smallest), next; size >= smallest && !found;
         size = next) {
        struct tune_shape shape = shape_of(SQUARE, size, size);
        struct tune_gain gain;
        shape.beta = beta;
        const int status = find_gain(&gain, &shape, plan, err);
        if (status != MT_OK)
            return status;
        if (gain.pairs == 0)
            break; /* what is known has to do */
        note_gain(&search, size, &gain);
        const double largest = largest_size(size, &gain, plan);
        next = fmin(fmax(next_size(&search, size), smallest), largest);
        const bool is_sure =
            search.surely <= plan->resolution * fmax(search.crossing, smallest);
        const bool is_beyond = search.crossing > plan->resolution * largest;
        found = search.count == MOST_SIGNS ||
                (is_sure && are_near(next, size, plan->resolution)) ||
                (is_beyond && largest <= plan->resolution * size) ||
                (search.seconds >= plan->seconds &&
                 (search.surely <= plan->resolution * search.largest ||
                  next <= sqrt(plan->resolution) * search.largest));
    }
    *largest_tried = search.largest;
    *crossing = search.surely <= plan->resolution * search.largest
                    ? fmax(search.surely, smallest)
                    : INFINITY;
    return MT_OK;
}

static struct mt_strassen_cutoff thirds(double square)
{
    return (struct mt_strassen_cutoff){square / 3, square / 3, square / 3};
}

/*
 * How much of the crossing of squares, s, is due to rows, columns and depth: with long
 * sizes l, the cost of a product that is thin in rows is rows / m + (s - rows) / l.
 */
static int find_thin(struct mt_strassen_cutoff *cutoff, double square,
                     const struct tune_plan *plan, struct mt_error *err)
{
    const double others = long_size * square;
    const double mine = fmax(short_size * square, least_square(plan));
    double weights[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        const struct tune_shape shape =
            shape_of((enum class)(THIN_ROWS + i), mine, others);
        struct tune_gain gain;
        const int status = find_gain(&gain, &shape, plan, err);
        if (status != MT_OK)
            return status;
        const double weight =
            (cost_of(gain.factor) - square / others) / (1 / mine - 1 / others);
        /* Half of what it seems to be: a gain that is off by 2 % moves it by a sixth of
           the square. */
        weights[i] =
            gain.pairs == 0 ? square / 3 : fmax(weight + square / 3, square / 10) / 2;
        sum += weights[i];
    }
    const double scale = square / sum; /* squares cross where they were seen to */
    *cutoff = (struct mt_strassen_cutoff){scale * weights[0], scale * weights[1],
                                          scale * weights[2]};
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
    if (isinf(square))
        return thirds(square);
    if (square > overwriting_square) {
        cutoff.depth += square - overwriting_square;
        return cutoff;
    }
    const double share = square / overwriting_square;
    return (struct mt_strassen_cutoff){cutoff.rows * share, cutoff.columns * share,
                                       cutoff.depth * share};
}

static const struct mt_strassen_cutoff never = {INFINITY, INFINITY, INFINITY};

/* Keep `*chosen` only if it is faster than `other`, where they differ, in the
   (geometric) mean of squares of the sizes that programs multiply. Those that take too
   long do not count. */
static int confirm(struct mt_strassen_tuning *chosen,
                   const struct mt_strassen_tuning *other, const struct tune_plan *plan,
                   struct mt_error *err)
{
    static const int sizes[] = {2001, 2801, 4001};
    const struct tune_ways ways = {{.tuning = other}, {.tuning = chosen}};
    double gains = 0; /* logarithms */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int n = sizes[i];
        const struct tune_shape shape = {.m = n, .n = n, .k = n};
        struct tune_gain gain;
        if (chosen->kernel == other->kernel &&
            mt_strassen_levels(chosen, n, n, n, 0) == 0)
            continue;
        const int status = tune_gain(&gain, &shape, &ways, &plan->check, err);
        if (status != MT_OK)
            return status;
        if (plan->tell)
            plan->tell(&shape, "what was chosen", gain.factor);
        gains += gain.pairs > 0 ? log(gain.factor) : 0;
    }
    if (gains < 0)
        *chosen = *other;
    return MT_OK;
}

int tune_confirm(struct mt_strassen_tuning *tuning, const struct tune_plan *plan,
                 struct mt_error *err)
{
    struct mt_strassen_tuning uncut = *tuning, blas;
    uncut.overwrite = uncut.accumulate = never;
    blas = uncut;
    blas.kernel = false;
    int status = confirm(tuning, &uncut, plan, err);
    if (status == MT_OK && tuning->kernel)
        status = confirm(tuning, &blas, plan, err);
    return status;
}

int tune_crossings(struct mt_strassen_tuning *tuning, const struct tune_plan *plan,
                   struct mt_error *err)
{
    double square, adding = INFINITY, largest;
    int status = find_square(&square, &largest, plan->start, 0, plan, err);
    const bool pays = status == MT_OK && isfinite(square);
    /* Where products that overwrite C never cross, those that add to it do not. */
    if (pays)
        status = find_square(&adding, &largest, fmin(square, largest), 1, plan, err);
    if (status != MT_OK)
        return status;
    struct mt_strassen_cutoff overwrite = thirds(square);
    /* Thin products take longer than squares. */
    if (pays && !plan->only_squares)
        status = find_thin(&overwrite, square, plan, err);
    if (status != MT_OK)
        return status;
    tuning->kernel = plan->kernel;
    tuning->threads = plan->effort.threads;
    tuning->overwrite = overwrite;
    tuning->accumulate = accumulating(&overwrite, square, adding);
    return MT_OK;
}

/* From a little above the smallest that it takes, where both are as fast, to where
   another level will pay, and beyond: levels pay later for some shapes than for others.
   The longest last, which a slow BLAS leaves no time for. */
static const struct tune_shape kernel_shapes[] = {
    {600, 600, 600, 0, false},   {770, 770, 770, 1, false},
    {1025, 1025, 1025, 0, true}, {601, 1601, 801, 0, false},
    {1601, 601, 1025, 1, false}, {1601, 1601, 601, 1, true},
    {1401, 2401, 2001, 0, true}, {2001, 2001, 2001, 0, false},
};
/* Where those tried come to more or less than this (a logarithm), the longest are not.
 */
static const double clear_gain = 0.03;
enum { KERNEL_SHAPES = sizeof kernel_shapes / sizeof *kernel_shapes };

int tune_kernel(bool *faster, const struct tune_plan *plan, struct mt_error *err)
{
    const int threads = plan->effort.threads;
    const struct mt_strassen_tuning blas = {0},
                                    kernel = {.kernel = true, .threads = threads};
    const int none = 0;
    const struct tune_ways ways = {{.tuning = &blas, .levels = &none},
                                   {.tuning = &kernel, .levels = &none}};
    const bool possible = mt_kernel_available();
    double gains = 0; /* logarithms */
    int tried = 0;
    bool clear = false;
    for (int i = 0;
         i < KERNEL_SHAPES && possible && !clear && 2 * (i - tried) < KERNEL_SHAPES;
         i++) {
        struct tune_shape shape = kernel_shapes[i];
        struct tune_gain gain;
        shape.n *= threads; /* a part of that shape for each */
        const int status = tune_gain(&gain, &shape, &ways, &plan->effort, err);
        if (status != MT_OK)
            return status;
        if (plan->tell)
            plan->tell(&shape, "motley's own kernel", gain.factor);
        if (gain.pairs > 0) {
            gains += log(gain.factor);
            tried++;
        }
        clear = 2 * tried > KERNEL_SHAPES && fabs(gains) > clear_gain * tried;
    }
    *faster = 2 * tried > KERNEL_SHAPES && gains >= 0;
    return MT_OK;
}
