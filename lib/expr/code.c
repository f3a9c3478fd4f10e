/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiled form of expressions and its values; dims() splits as MPI_Dims_create().
 */
#include "code.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranges of fewer whole numbers than this are evaluated one by one. */
enum { NARROW = 16 };

int mt_dims_pack(int count, int place)
{
    return count * MT_DIMS_MOST + place - 1;
}

int mt_dims_count(double which)
{
    return (int)which / MT_DIMS_MOST;
}

/* The larger of the two closest factors of n whose smaller is at least `least`; 0 if n
   has no such factors. */
static int larger_of_two(int n, int least)
{
    int smaller = (int)sqrt(n);
    while (smaller >= least && n % smaller != 0)
        smaller--;
    return smaller >= least ? n / smaller : 0;
}

/*
 * Three factors in descending order with the smallest difference between largest and
 * smallest; ties go to the larger smallest one. As the smallest goes down from the cube
 * root, the largest, at least the root of the rest, moves away from it.
 */
static void split_in_three(int n, int factors[3])
{
    int least_spread = INT_MAX;
    for (int smallest = (int)(cbrt(n) + 0.5); smallest >= 1; smallest--) {
        if (sqrt((double)n / smallest) - smallest >= least_spread)
            break;
        if (n % smallest != 0)
            continue;
        const int rest = n / smallest, largest = larger_of_two(rest, smallest);
        if (largest == 0 || largest - smallest >= least_spread)
            continue;
        least_spread = largest - smallest;
        factors[0] = largest;
        factors[1] = rest / largest;
        factors[2] = smallest;
    }
}

static void split(int n, int count, int factors[MT_DIMS_MOST])
{
    factors[0] = n;
    factors[1] = factors[2] = 1;
    const int larger = count == 2 ? larger_of_two(n, 1) : 0;
    if (larger > 0) {
        factors[0] = larger;
        factors[1] = n / larger;
    } else if (count == 3) {
        split_in_three(n, factors);
    }
}

/*
 * A search for a plan needs the same numbers in the models of all groups, for each
 * factor; finding them each time took most of its time. So each thread caches the
 * latest answers.
 */
enum { KEPT = 256 };

struct answer {
    int n, count;
    int factors[MT_DIMS_MOST];
};

double mt_dims_value(double total, double which)
{
    static _Thread_local struct answer kept[KEPT];
    if (!(total >= 1 && total <= INT_MAX) || total != floor(total))
        return NAN;
    const int n = (int)total, count = mt_dims_count(which);
    struct answer *answer = &kept[((unsigned)n + (unsigned)count * (KEPT / 4)) % KEPT];
    if (answer->n != n || answer->count != count) {
        split(n, count, answer->factors);
        answer->n = n;
        answer->count = count;
    }
    return answer->factors[(int)which % MT_DIMS_MOST];
}

/* Bounds of the n-th root; room for cbrt() being inexact. */
static struct mt_range root(struct mt_range range, int n)
{
    if (n == 1)
        return range;
    if (n == 2)
        return (struct mt_range){sqrt(range.low), sqrt(range.high)};
    return (struct mt_range){cbrt(range.low) * (1 - 1e-12),
                             cbrt(range.high) * (1 + 1e-12)};
}

struct mt_range mt_dims_range(struct mt_range total, double which)
{
    const struct mt_range whole = {ceil(total.low), floor(total.high)};
    if (!(total.low >= 1 && total.high <= INT_MAX && whole.low <= whole.high))
        return (struct mt_range){NAN, NAN};
    if (whole.high - whole.low < NARROW) {
        struct mt_range range = {INFINITY, -INFINITY};
        for (int i = 0; i <= whole.high - whole.low; i++) {
            const double value = mt_dims_value(whole.low + i, which);
            range.low = fmin(range.low, value);
            range.high = fmax(range.high, value);
        }
        return range;
    }
    /* The largest is at least the root, and the place-th at most the place-th root. */
    const int count = mt_dims_count(which), place = (int)which % MT_DIMS_MOST + 1;
    return (struct mt_range){place == 1 ? ceil(root(whole, count).low) : 1,
                             floor(root(whole, place).high)};
}

static double truth(bool holds)
{
    return holds ? 1 : 0;
}

/* NaN operands compare to NaN, so that a missing value never decides anything. */
static double compared(bool holds, double left, double right)
{
    return isunordered(left, right) ? NAN : truth(holds);
}

static double logical_and(double left, double right)
{
    if (left == 0)
        return 0;
    return compared(right != 0, left, right);
}

static double logical_or(double left, double right)
{
    if (left != 0 && !isnan(left))
        return 1;
    return compared(right != 0, left, right);
}

static double power(double base, double exponent)
{
    if (isunordered(base, exponent) || (base == 0 && exponent < 0))
        return NAN; /* pow() returns numbers for some of these */
    return pow(base, exponent);
}

static inline double apply(enum mt_operator op, double left, double right)
{
    switch (op) {
    case MT_OP_OR:
        return logical_or(left, right);
    case MT_OP_AND:
        return logical_and(left, right);
    case MT_OP_EQUAL:
        return compared(left == right, left, right);
    case MT_OP_UNEQUAL:
        return compared(left != right, left, right);
    case MT_OP_LESS:
        return compared(left < right, left, right);
    case MT_OP_AT_MOST:
        return compared(left <= right, left, right);
    case MT_OP_ADD:
        return left + right;
    case MT_OP_SUBTRACT:
        return left - right;
    case MT_OP_MULTIPLY:
        return left * right;
    case MT_OP_DIVIDE:
        return left / (right == 0 ? NAN : right); /* which needs no branch */
    case MT_OP_REMAINDER:
        return fmod(left, right);
    case MT_OP_POWER:
        return power(left, right);
    case MT_OP_MIN:
        return isunordered(left, right) ? NAN : left < right ? left : right;
    case MT_OP_MAX:
        return isunordered(left, right) ? NAN : left > right ? left : right;
    case MT_OP_DIMS:
        return mt_dims_value(left, right);
    case MT_OP_NEGATE:
        return -left;
    case MT_OP_NOT:
        return compared(left == 0, left, left);
    case MT_OP_LOG:
        return left > 0 ? log(left) : NAN;
    case MT_OP_LOG2:
        return left > 0 ? log2(left) : NAN;
    case MT_OP_SQRT:
        return sqrt(left);
    case MT_OP_CEIL:
        return ceil(left);
    case MT_OP_FLOOR:
        return floor(left);
    }
    return NAN;
}

double mt_operator_value(enum mt_operator op, double left, double right)
{
    return apply(op, left, right);
}

/* One loop for each operator, so that the operator is selected once; of constant
   length, so that it can be vectorised. */
void mt_operator_values(enum mt_operator op, const double *left, const double *right,
                        double *restrict values)
{
    switch (op) {
#define EACH(op) \
    case op: \
        for (int i = 0; i < MT_OPERANDS; i++) \
            values[i] = apply(op, left[i], right[i]); \
        break;
        EACH(MT_OP_OR)
        EACH(MT_OP_AND)
        EACH(MT_OP_EQUAL)
        EACH(MT_OP_UNEQUAL)
        EACH(MT_OP_LESS)
        EACH(MT_OP_AT_MOST)
        EACH(MT_OP_ADD)
        EACH(MT_OP_SUBTRACT)
        EACH(MT_OP_MULTIPLY)
        EACH(MT_OP_DIVIDE)
        EACH(MT_OP_REMAINDER)
        EACH(MT_OP_POWER)
        EACH(MT_OP_MIN)
        EACH(MT_OP_MAX)
        EACH(MT_OP_DIMS)
        EACH(MT_OP_NEGATE)
        EACH(MT_OP_NOT)
        EACH(MT_OP_LOG)
        EACH(MT_OP_LOG2)
        EACH(MT_OP_SQRT)
        EACH(MT_OP_CEIL)
        EACH(MT_OP_FLOOR)
#undef EACH
    }
}

void mt_code_values(const struct mt_code *code, const double values[MT_NVARIABLES],
                    double *row)
{
    double slots[MT_CODE_MAX_SLOTS];
    memcpy(slots, values, MT_NVARIABLES * sizeof *values);
    double *next = slots + MT_NVARIABLES;
    for (int i = 0; i < code->nconstants; i++)
        *next++ = code->constants[i];
    for (int i = 0; i < code->noperations; i++) {
        const struct mt_operation *operation = &code->operations[i];
        *next++ = apply((enum mt_operator)operation->op, slots[operation->left],
                        slots[operation->right]);
    }
    for (int i = 0; i < code->nresults; i++)
        row[i] = slots[code->results[i]];
}

void mt_code_clear(struct mt_code *code)
{
    free(code->constants);
    free(code->operations);
    free(code->results);
    free(code->uses);
    *code = (struct mt_code){0};
}
