/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounds need no outward rounding where an operation is rounded correctly, for then it
 * is monotone: no computed value lies outside computed bounds.
 */
#include "code.h"

#include <float.h>
#include <math.h>

static const struct mt_range unknown = {NAN, NAN};
static const struct mt_range always = {1, 1};
static const struct mt_range never = {0, 0};
static const struct mt_range sometimes = {0, 1};

static bool is_unknown(struct mt_range range)
{
    return isunordered(range.low, range.high);
}

static bool is_point(struct mt_range range)
{
    return range.low == range.high;
}

static bool contains_zero(struct mt_range range)
{
    return range.low <= 0 && range.high >= 0;
}

/* The smallest range that holds the four values, none of which may be NaN. */
static struct mt_range hull(double a, double b, double c, double d)
{
    return (struct mt_range){fmin(fmin(a, b), fmin(c, d)),
                             fmax(fmax(a, b), fmax(c, d))};
}

/* Room for log() and pow() being a unit in the last place off, not monotonically. */
static struct mt_range widen(struct mt_range range)
{
    return (struct mt_range){range.low - 4 * DBL_EPSILON * fabs(range.low),
                             range.high + 4 * DBL_EPSILON * fabs(range.high)};
}

static inline struct mt_range multiply(struct mt_range left, struct mt_range right,
                                       bool same)
{
    if (left.low >= 0 && right.low >= 0)
        return (struct mt_range){left.low * right.low, left.high * right.high};
    if (is_unknown(left) || is_unknown(right))
        return unknown;
    double ll = left.low * right.low, hh = left.high * right.high;
    if (same)
        return hull(ll, hh, contains_zero(left) ? 0 : ll, ll);
    return hull(ll, hh, left.low * right.high, left.high * right.low);
}

static inline struct mt_range divide(struct mt_range left, struct mt_range right)
{
    if (left.low >= 0 && right.low > 0)
        return (struct mt_range){left.low / right.high, left.high / right.low};
    if (is_unknown(left) || is_unknown(right) || contains_zero(right))
        return unknown;
    return hull(left.low / right.low, left.low / right.high, left.high / right.low,
                left.high / right.high);
}

static struct mt_range remain(struct mt_range left, struct mt_range right)
{
    if (is_unknown(left) || is_unknown(right) || contains_zero(right))
        return unknown;
    double divisor = fmax(fabs(right.low), fabs(right.high));
    if (is_point(right) && left.high - left.low < divisor &&
        (left.low >= 0 || left.high <= 0)) {
        double low = fmod(left.low, divisor), high = fmod(left.high, divisor);
        if (low <= high) /* no multiple of the divisor in between */
            return (struct mt_range){low, high};
    }
    double largest = fmin(divisor, fmax(fabs(left.low), fabs(left.high)));
    return (struct mt_range){left.low < 0 ? -largest : 0, left.high > 0 ? largest : 0};
}

static double power_value(double base, double exponent)
{
    return mt_operator_value(MT_OP_POWER, base, exponent);
}

/* A power grows or falls steadily in the base on each side of zero, and for a base >= 0
   in the exponent: its extremes are at the corners, or at zero. */
static struct mt_range power(struct mt_range base, struct mt_range exponent)
{
    if (is_unknown(base) || is_unknown(exponent))
        return unknown;
    if (contains_zero(base) && exponent.low < 0)
        return unknown;
    double ll = power_value(base.low, exponent.low);
    double hl = power_value(base.high, exponent.low);
    if (is_point(base) && is_point(exponent))
        return (struct mt_range){ll, ll};
    if (base.low >= 0)
        return widen(hull(ll, hl, power_value(base.low, exponent.high),
                          power_value(base.high, exponent.high)));
    if (!is_point(exponent) || exponent.low != floor(exponent.low))
        return unknown;
    return widen(
        hull(ll, hl, contains_zero(base) ? power_value(0, exponent.low) : ll, ll));
}

static struct mt_range compare_equal(struct mt_range left, struct mt_range right)
{
    if (is_unknown(left) || is_unknown(right))
        return unknown;
    if (left.high < right.low || right.high < left.low)
        return never;
    return is_point(left) && is_point(right) ? always : sometimes;
}

static struct mt_range compare_less(struct mt_range left, struct mt_range right)
{
    if (is_unknown(left) || is_unknown(right))
        return unknown;
    if (left.high < right.low)
        return always;
    return left.low >= right.high ? never : sometimes;
}

static struct mt_range negate_truth(struct mt_range range)
{
    return (struct mt_range){1 - range.high, 1 - range.low};
}

/* Whether the values of a range are true. */
static struct mt_range truth(struct mt_range range)
{
    return negate_truth(compare_equal(range, never));
}

static struct mt_range logical_and(struct mt_range left, struct mt_range right)
{
    left = truth(left);
    right = truth(right);
    if (left.high == 0)
        return never;
    if (is_unknown(left) || is_unknown(right))
        return unknown;
    return (struct mt_range){left.low * right.low, left.high * right.high};
}

static struct mt_range logical_or(struct mt_range left, struct mt_range right)
{
    return negate_truth(
        logical_and(negate_truth(truth(left)), negate_truth(truth(right))));
}

static struct mt_range logarithm(double (*function)(double), struct mt_range range)
{
    if (!(range.low > 0))
        return unknown;
    struct mt_range result = {function(range.low), function(range.high)};
    return is_point(range) ? result : widen(result);
}

static inline struct mt_range bound(enum mt_operator op, struct mt_range left,
                                    struct mt_range right, bool same)
{
    switch (op) {
    case MT_OP_OR:
        return logical_or(left, right);
    case MT_OP_AND:
        return logical_and(left, right);
    case MT_OP_EQUAL:
        return compare_equal(left, right);
    case MT_OP_UNEQUAL:
        return negate_truth(compare_equal(left, right));
    case MT_OP_LESS:
        return compare_less(left, right);
    case MT_OP_AT_MOST:
        return negate_truth(compare_less(right, left));
    case MT_OP_ADD:
        return (struct mt_range){left.low + right.low, left.high + right.high};
    case MT_OP_SUBTRACT:
        return (struct mt_range){left.low - right.high, left.high - right.low};
    case MT_OP_MULTIPLY:
        return multiply(left, right, same);
    case MT_OP_DIVIDE:
        return divide(left, right);
    case MT_OP_REMAINDER:
        return remain(left, right);
    case MT_OP_POWER:
        return power(left, right);
    case MT_OP_MIN:
    case MT_OP_MAX:
        return (struct mt_range){mt_operator_value(op, left.low, right.low),
                                 mt_operator_value(op, left.high, right.high)};
    case MT_OP_DIMS:
        return mt_dims_range(left, right.low);
    case MT_OP_NEGATE:
        return (struct mt_range){-left.high, -left.low};
    case MT_OP_NOT:
        return negate_truth(truth(left));
    case MT_OP_LOG:
        return logarithm(log, left);
    case MT_OP_LOG2:
        return logarithm(log2, left);
    case MT_OP_SQRT:
        return (struct mt_range){sqrt(left.low), sqrt(left.high)};
    case MT_OP_CEIL:
        return (struct mt_range){ceil(left.low), ceil(left.high)};
    case MT_OP_FLOOR:
        return (struct mt_range){floor(left.low), floor(left.high)};
    }
    return unknown;
}

/* Bounds that are infinite, too far apart for a number, or half known: unknown. */
static inline struct mt_range known_or_unknown(struct mt_range range)
{
    return range.high - range.low <= DBL_MAX ? range : unknown;
}

void mt_code_ranges(const struct mt_code *code,
                    const struct mt_range box[MT_NVARIABLES], struct mt_range *row)
{
    struct mt_range slots[MT_CODE_MAX_SLOTS];
    struct mt_range *next = slots;
    for (int i = 0; i < MT_NVARIABLES; i++)
        *next++ = known_or_unknown(box[i]);
    for (int i = 0; i < code->nconstants; i++)
        *next++ = (struct mt_range){code->constants[i], code->constants[i]};
    for (int i = 0; i < code->noperations; i++) {
        const struct mt_operation *operation = &code->operations[i];
        *next++ = known_or_unknown(
            bound((enum mt_operator)operation->op, slots[operation->left],
                  slots[operation->right], operation->left == operation->right));
    }
    for (int i = 0; i < code->nresults; i++)
        row[i] = slots[code->results[i]];
}
