/* SPDX-License-Identifier: BSD-3-Clause */
/* How the work, memory and messages of an algorithm grow with N and P. */
#include "internal.h"
#include "lib/expr/internal.h"

#include <math.h>
#include <stddef.h>

void mt_shape_clear(struct mt_shape *shape)
{
    mt_expr_free(shape->across);
    mt_expr_free(shape->shift);
    mt_expr_free(shape->together);
    mt_expr_free(shape->mean_bytes);
    mt_expr_free(shape->bytes);
    mt_expr_free(shape->messages);
    mt_expr_free(shape->imbalance);
    mt_expr_free(shape->working_set);
    mt_expr_free(shape->near_steps);
    mt_expr_free(shape->steps);
    mt_expr_free(shape->valid);
    mt_expr_free(shape->memory);
    mt_expr_free(shape->work);
    *shape = (struct mt_shape){0};
}

int mt_shape_copy(struct mt_shape *copy, const struct mt_shape *shape,
                  struct mt_error *err)
{
    struct mt_shape made = {0};
    const struct {
        struct mt_expr **to;
        const struct mt_expr *from;
    } members[] = {
        {&made.work, shape->work},
        {&made.memory, shape->memory},
        {&made.valid, shape->valid},
        {&made.steps, shape->steps},
        {&made.near_steps, shape->near_steps},
        {&made.working_set, shape->working_set},
        {&made.imbalance, shape->imbalance},
        {&made.messages, shape->messages},
        {&made.bytes, shape->bytes},
        {&made.mean_bytes, shape->mean_bytes},
        {&made.together, shape->together},
        {&made.shift, shape->shift},
        {&made.across, shape->across},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!members[i].from)
            continue;
        int status = mt_expr_parse(members[i].to, mt_expr_text(members[i].from), err);
        if (status != MT_OK) {
            mt_shape_clear(&made);
            return status;
        }
    }
    *copy = made;
    return MT_OK;
}

static double value_at(const struct mt_expr *expr, double size, double ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks, [MT_M] = 1};
    return mt_expr_value(expr, values);
}

bool mt_shape_same_work(const struct mt_shape *a, const struct mt_shape *b)
{
    enum { SIZES = 12 };
    const double first = 16, last = 0x1p20, tolerance = 1e-9;
    if (!a->work || !b->work)
        return false;
    for (int i = 0; i < SIZES; i++) {
        const double size = round(first * pow(last / first, i / (SIZES - 1.0)));
        const double of_a = value_at(a->work, size, 1);
        const double of_b = value_at(b->work, size, 1);
        const bool same =
            isnan(of_a) ? isnan(of_b) : fabs(of_a - of_b) <= tolerance * fabs(of_a);
        if (!same)
            return false;
    }
    return true;
}

bool mt_shape_valid(const struct mt_shape *shape, double size, double ranks)
{
    if (!shape->valid)
        return true;
    const double value = value_at(shape->valid, size, ranks);
    return value != 0 && !isnan(value);
}

/* The value of an expression that counts something; NULL has the value `otherwise`. */
static int count_at(double *value, const struct mt_expr *expr, double otherwise,
                    double size, double ranks, struct mt_error *err)
{
    const double counted = expr ? value_at(expr, size, ranks) : otherwise;
    if (!isfinite(counted) || counted < 0)
        return mt_fail(err, MT_EINVAL, "'%.100s' %s at N = %.10g, P = %.10g",
                       expr ? mt_expr_text(expr) : "work/P",
                       isfinite(counted) ? "is negative" : "has no value", size, ranks);
    *value = counted;
    return MT_OK;
}

/* The steps of the mean process. */
static int mean_steps(double *steps, const struct mt_shape *shape, double size,
                      double ranks, struct mt_error *err)
{
    if (!shape->steps && !shape->work)
        return mt_fail(err, MT_EINVAL, "neither the steps nor the work are known");
    const double share = shape->steps ? 0 : value_at(shape->work, size, ranks) / ranks;
    return count_at(steps, shape->steps, share, size, ranks, err);
}

int mt_shape_demand(struct mt_demand *demand, const struct mt_shape *shape, double size,
                    double ranks, struct mt_error *err)
{
    struct mt_demand made = {.ranks = ranks};
    double imbalance = 1;
    int status = mean_steps(&made.steps, shape, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.near_steps, shape->near_steps, 0, size, ranks, err);
    if (status == MT_OK && !mt_are_steps(made.near_steps, made.steps))
        return mt_fail(err, MT_EINVAL,
                       "'%.100s' is more than all steps at N = %.10g, P = %.10g",
                       mt_expr_text(shape->near_steps), size, ranks);
    if (status == MT_OK)
        status = count_at(&imbalance, shape->imbalance, 1, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.working_set, shape->working_set, 0, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.messages, shape->messages, 0, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.bytes, shape->bytes, 0, size, ranks, err);
    if (status == MT_OK)
        status =
            count_at(&made.mean_bytes, shape->mean_bytes, made.bytes, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.together, shape->together, ranks, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.shift, shape->shift, 0, size, ranks, err);
    if (status == MT_OK)
        status = count_at(&made.across, shape->across, 0, size, ranks, err);
    if (status != MT_OK)
        return status;
    made.steps *= imbalance;
    made.near_steps *= imbalance;
    made.rows = mt_uneven_rows(&made, size);
    *demand = made;
    return MT_OK;
}
