/* SPDX-License-Identifier: BSD-3-Clause */
#include "code.h"

#include "dims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        return NAN; /* pow() has numbers for some of these */
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

/* One loop for each operator, so that what it does is chosen once; of a constant
   length, so that it can become vector instructions. */
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
