/* SPDX-License-Identifier: BSD-3-Clause */
/* The dims() of expressions against MPI_Dims_create() itself; prints TAP. */
#include "motley/expr.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST_RANKS = 512, MOST_DIMENSIONS = 3 };

/* Where Open MPI, up to 4.1 at least, gives factors that are less balanced. */
static bool may_differ(int ranks, int dimensions)
{
#ifdef OPEN_MPI
    static const int in_two[] = {72, 180, 240, 288, 336, 420, 450, 504};
    for (size_t i = 0; i < sizeof in_two / sizeof *in_two; i++)
        if (dimensions == 2 && ranks == in_two[i])
            return true;
    return dimensions == 3 && (ranks == 432 || ranks == 504);
#else
    (void)ranks;
    (void)dimensions;
    return false;
#endif
}

/* The place-th largest of the factors; -1 without a value. */
static int factor(int ranks, int dimensions, int place)
{
    char text[32];
    snprintf(text, sizeof text, "dims(P, %d, %d)", dimensions, place);
    struct mt_expr *expr = NULL;
    if (mt_expr_parse(&expr, text, NULL) != MT_OK)
        return -1;
    const double values[MT_NVARIABLES] = {[MT_P] = ranks};
    const double value = mt_expr_value(expr, values);
    mt_expr_free(expr);
    return value > 0 ? (int)value : -1;
}

static bool agrees(int ranks, int dimensions)
{
    int expected[MOST_DIMENSIONS] = {0};
    MPI_Dims_create(ranks, dimensions, expected);
    bool same = true;
    for (int i = 0; i < dimensions; i++)
        same &= factor(ranks, dimensions, i + 1) == expected[i];
    if (!same && !may_differ(ranks, dimensions))
        printf("# %d ranks: the MPI has %d x %d x %d\n", ranks, expected[0],
               expected[1], expected[2]);
    return same || may_differ(ranks, dimensions);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int failures = 0;
    printf("1..%d\n", MOST_DIMENSIONS);
    for (int dimensions = 1; dimensions <= MOST_DIMENSIONS; dimensions++) {
        bool good = true;
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
            good &= agrees(ranks, dimensions);
        printf("%sok %d - up to %d ranks are split as by MPI in %d dimensions\n",
               good ? "" : "not ", dimensions, MOST_RANKS, dimensions);
        failures += !good;
    }
    MPI_Finalize();
    return failures != 0;
}
