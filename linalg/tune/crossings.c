/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the size from which another level of recursion pays (bisection on measured
   gains). */
#include "crossings.h"

#include "linalg/strassen/product.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The smallest squares that are tried. */
static const double smallest = 64;
/* Sizes within this factor of each other give the same crossing. */
static const double alike = 1.5;
static const struct mt_strassen_cutoff never = {INFINITY, INFINITY, INFINITY};

/* Odd sizes are the worst case: a row, a column and a slice are left over. */
static struct tune_square square_of(double size, double beta)
{
    return (struct tune_square){(int)size | 1, beta};
}

/* The speed-up of one level over none. */
static int find_gain(struct tune_gain *gain, const struct tune_square *square,
                     const struct tune_effort *effort, const struct tune_plan *plan,
                     struct mt_error *err)
{
    const struct mt_strassen_tuning tuning = {.threads = effort->threads};
    const int none = 0, one = 1;
    const struct tune_ways ways = {{.tuning = &tuning, .levels = &none},
                                   {.tuning = &tuning, .levels = &one}};
    const int status = tune_gain(gain, square, &ways, effort, err);
    if (status == MT_OK && plan->tell)
        plan->tell(square, gain->factor);
    return status;
}

/*
 * The cost of a level's sums relative to the gain of its products, so that the level
 * pays below 1: with seven products of eight, 1 / gain = 7 / 8 + cost / 8. Sums take
 * O(n^2), products O(n^3): for squares of size n that cross at c, the cost is c / n;
 * and for any product it is rows / m + columns / n + depth / k, by the definition of a
 * cut-off.
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

/* The crossing of squares estimated from one pair of runs at a size. */
struct sign {
    double size, crossing;
};

/* State of the search for the crossing of squares. */
struct search {
    struct sign signs[MOST_SIGNS];
    int count;
    double crossing; /* the median of the estimates at sizes like the last */
    double surely;   /* upper bound with 95 % confidence */
    double largest;  /* size that was tried */
    double seconds;  /* that were spent */
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The index in sorted values of an upper bound for the median with 95 % confidence, by
   the sign test. With fewer than five values even the highest is not a bound. */
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

/* The largest size whose products stay within the time limit, extrapolated from one of
   them; a little less, as longer ones are given up. */
static double largest_size(double size, const struct tune_gain *gain,
                           const struct tune_plan *plan)
{
    return size * cbrt(0.9 * plan->effort.longest / gain->seconds);
}

/* The size to try next: between the sizes where another level seems to pay and where it
   surely pays, as far as known. */
static double next_size(const struct search *search, double size)
{
    const double next = sqrt(fmax(search->crossing, 0) * fmax(search->surely, 0));
    return fmin(fmax(next, size / 2), 2 * size);
}

/*
 * Find the crossing of squares. Each size tried is the estimate from those before it,
 * until pairs at similar sizes agree: a single pair may be off by a tenth, and its
 * crossing by eight times that. After its time is up, a search still tries larger sizes
 * that it has not reached. The result is a size at which a level surely pays, so that
 * noise moves a crossing up but not down. INFINITY: no size within reach pays; smaller
 * sizes mispredicted larger ones where several threads wait for memory.
 */
static int find_square(double *crossing, const struct tune_plan *plan,
                       struct mt_error *err)
{
    struct search search = {.crossing = INFINITY, .surely = INFINITY};
    bool found = false;
    for (double size = plan->start, next; size >= smallest && !found; size = next) {
        const struct tune_square square = square_of(size, 0);
        struct tune_gain gain;
        const int status = find_gain(&gain, &square, &plan->effort, plan, err);
        if (status != MT_OK)
            return status;
        if (gain.pairs == 0)
            break; /* use the current estimate */
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
    *crossing = search.surely <= plan->resolution * search.largest
                    ? fmax(search.surely, smallest)
                    : INFINITY;
    return MT_OK;
}

/*
 * Treat all shapes like squares: rows, columns and depth count the same. Sums move 27
 * quarters, 10, 10 and 7 of them due to each. With short depth, however, the BLAS also
 * passes over quarters of C seven times, and four times if they are not cut. Adding to
 * C also splits it, and counts as depth does.
 */
static void cut_from(struct mt_strassen_tuning *tuning, double crossing)
{
    const double third = crossing / 3;
    tuning->overwrite = (struct mt_strassen_cutoff){third, third, third};
    tuning->accumulate = tuning->overwrite;
    tuning->accumulate.depth +=
        crossing * MT_STRASSEN_MOVED_C / MT_STRASSEN_MOVED_BY_LEVEL;
}

/*
 * A search stops at 95 % confidence, so one in twenty is wrong: keep a crossing only if
 * a square a quarter larger is faster with a level. A product that takes too long does
 * not count.
 */
static int confirm(struct mt_strassen_cutoff *cutoff, double beta,
                   const struct tune_plan *plan, struct mt_error *err)
{
    const double larger = 1.25;
    const struct tune_square square =
        square_of(larger * (cutoff->rows + cutoff->columns + cutoff->depth), beta);
    struct tune_gain gain;
    const int status = find_gain(&gain, &square, &plan->check, plan, err);
    if (status == MT_OK && gain.pairs > 0 && gain.factor < 1)
        *cutoff = never;
    return status;
}

int tune_crossings(struct mt_strassen_tuning *tuning, const struct tune_plan *plan,
                   struct mt_error *err)
{
    struct mt_strassen_tuning found = {.threads = plan->effort.threads};
    double crossing;
    int status = find_square(&crossing, plan, err);
    if (status != MT_OK)
        return status;
    cut_from(&found, crossing);
    const bool checks = isfinite(crossing) && plan->check.longest > 0;
    if (checks)
        status = confirm(&found.overwrite, 0, plan, err);
    if (isinf(found.overwrite.rows))
        found.accumulate = never; /* it takes more sums */
    else if (status == MT_OK && checks)
        status = confirm(&found.accumulate, 1, plan, err);
    if (status == MT_OK)
        *tuning = found;
    return status;
}
