/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes and node counts at which a surface is evaluated. */
#include "internal.h"
#include "lib/base/array.h"
#include "tuning.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double largest_whole = 9007199254740992.0; /* 2^53 */

static int fail_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for a list of numbers");
}

/* Add a number if it is larger than the last one. */
static int add(struct mt_axis *axis, double value, struct mt_error *err)
{
    if (axis->count > 0 && value <= axis->values[axis->count - 1])
        return MT_OK;
    if (axis->count == MT_MAX_AXIS)
        return mt_fail(err, MT_EINVAL, "these are more than %d numbers", MT_MAX_AXIS);
    const int status =
        mt_array_grow(&axis->values, axis->count, sizeof *axis->values, "numbers", err);
    if (status == MT_OK)
        axis->values[axis->count++] = value;
    return status;
}

/* The step of a range: a factor or an increment. */
struct stride {
    double factor, step;
};

static int add_range(struct mt_axis *axis, double from, double to, struct stride stride,
                     struct mt_error *err)
{
    int status = MT_OK;
    /* Steps are at least 1: small factors would take forever. */
    for (double at = from; status == MT_OK && at < to;
         at = fmax(at * stride.factor + stride.step, floor(at) + 1))
        status = add(axis, fmin(round(at), to), err);
    return status == MT_OK ? add(axis, to, err) : status;
}

/* Read a whole number from 1 on that ends at the end of the text, or at a `stop`
   followed by more. */
static int read_whole(double *value, const char **at, char stop, struct mt_error *err)
{
    char *end;
    const double read = strtod(*at, &end);
    if (!isdigit((unsigned char)**at) || (*end && (*end != stop || !end[1])) ||
        read < 1 || read > largest_whole || read != floor(read))
        return mt_fail(err, MT_EINVAL, "a whole number from 1 on is needed at '%s'",
                       *at);
    *value = read;
    *at = *end ? end + 1 : end;
    return MT_OK;
}

/* "x1.5" or "64", behind the second colon; nothing: twice as much each. */
static int read_stride(struct stride *stride, const char *text, struct mt_error *err)
{
    *stride = (struct stride){.factor = 2};
    if (!*text)
        return MT_OK;
    if (*text != 'x') {
        stride->factor = 1;
        return read_whole(&stride->step, &text, 0, err);
    }
    char *end;
    stride->factor = strtod(text + 1, &end);
    if (!isdigit((unsigned char)text[1]) || *end || !(stride->factor > 1) ||
        isinf(stride->factor))
        return mt_fail(err, MT_EINVAL,
                       "a factor is a number above 1, as 'x1.5', not '%s'", text);
    return MT_OK;
}

static int parse_range(struct mt_axis *axis, const char *text, struct mt_error *err)
{
    double from = 0, to = 0;
    struct stride stride = {0};
    int status = read_whole(&from, &text, ':', err);
    if (status == MT_OK)
        status = read_whole(&to, &text, ':', err);
    if (status == MT_OK)
        status = read_stride(&stride, text, err);
    if (status == MT_OK && from > to)
        status = mt_fail(err, MT_EINVAL, "%.15g is more than %.15g: FROM:TO goes up",
                         from, to);
    return status == MT_OK ? add_range(axis, from, to, stride, err) : status;
}

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int parse_list(struct mt_axis *axis, const char *text, struct mt_error *err)
{
    int count = 0, status = MT_OK;
    double *values = calloc(strlen(text) + 1, sizeof *values); /* certainly enough */
    if (!values)
        return fail_memory(err);
    do
        status = read_whole(&values[count++], &text, ',', err);
    while (status == MT_OK && *text);
    if (status == MT_OK)
        qsort(values, (size_t)count, sizeof *values, compare_values);
    for (int i = 0; i < count && status == MT_OK; i++)
        status = add(axis, values[i], err);
    free(values);
    return status;
}

int mt_axis_parse(struct mt_axis *axis, const char *text, struct mt_error *err)
{
    struct mt_axis read = {0};
    struct mt_error reason = {0};
    const int status = strchr(text, ':') ? parse_range(&read, text, &reason)
                                         : parse_list(&read, text, &reason);
    if (status != MT_OK) {
        mt_axis_clear(&read);
        return mt_fail(err, status, "'%s': %s", text, reason.text);
    }
    *axis = read;
    return MT_OK;
}

int mt_axis_parse_nodes(struct mt_axis *axis, const char *text, struct mt_error *err)
{
    const int status = mt_axis_parse(axis, text, err);
    if (status != MT_OK || mt_axis_span(axis).high <= MT_MOST_NODES)
        return status;
    mt_axis_clear(axis);
    return mt_fail(err, MT_EINVAL, "'%s': a machine has %d nodes at most", text,
                   MT_MOST_NODES);
}

int mt_axis_parse_single(double *number, const char *text, struct mt_error *err)
{
    struct mt_axis axis = {0};
    int status = mt_axis_parse(&axis, text, err);
    if (status == MT_OK && axis.count > 1)
        status = mt_fail(err, MT_EINVAL, "'%s': one number is needed", text);
    if (status == MT_OK)
        *number = axis.values[0];
    mt_axis_clear(&axis);
    return status;
}

void mt_axis_clear(struct mt_axis *axis)
{
    free(axis->values);
    *axis = (struct mt_axis){0};
}

struct mt_span mt_axis_span(const struct mt_axis *axis)
{
    return (struct mt_span){axis->values[0], axis->values[axis->count - 1]};
}

int mt_axis_copy(struct mt_axis *copy, const struct mt_axis *axis, struct mt_error *err)
{
    const size_t bytes = (size_t)axis->count * sizeof *axis->values;
    double *values = malloc(bytes);
    if (!values)
        return fail_memory(err);
    memcpy(values, axis->values, bytes);
    copy->values = values;
    copy->count = axis->count;
    return MT_OK;
}

int mt_axis_pick(int i, int count, int most)
{
    return count <= most ? i : (int)lround((double)i * (count - 1) / (most - 1));
}

void mt_axis_thin(struct mt_axis *axis, int most)
{
    if (axis->count <= most)
        return;
    for (int i = 0; i < most; i++)
        axis->values[i] = axis->values[mt_axis_pick(i, axis->count, most)];
    axis->count = most;
}

int mt_axis_of_nodes(struct mt_axis *nodes, double most, struct mt_error *err)
{
    return add_range(nodes, 1, most, (struct stride){.factor = 2}, err);
}

/* Numbers 2^k and 3 * 2^k are easy to read, and each is about 1.4 times the one before.
   This is the largest of them up to `limit`. */
static double round_down(double limit)
{
    const double power = exp2(floor(log2(limit)));
    return limit >= 1.5 * power && power > 1 ? 1.5 * power : power;
}

static int add_round_sizes(struct mt_axis *sizes, double from, double to,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (double power = exp2(floor(log2(from))); power <= to && status == MT_OK;
         power *= 2) {
        if (power >= from)
            status = add(sizes, power, err);
        if (status == MT_OK && power > 1 && 1.5 * power >= from && 1.5 * power <= to)
            status = add(sizes, 1.5 * power, err);
    }
    return status;
}

/* The sizes of interest follow from what fits into the nodes' memory. */
static bool span_of_memory(struct mt_span *span, const struct mt_surface *surface,
                           double nodes)
{
    const double one = mt_surface_memory_limit(surface, 1, 1, largest_whole);
    const double all = mt_surface_memory_limit(surface, nodes, 1, largest_whole);
    if (mt_surface_machine(surface)->memory <= 0 || isnan(all) || all == largest_whole)
        return false;
    span->low = fmax(1, floor(isnan(one) ? all / 64 : one / 16));
    span->high = all;
    return true;
}

int mt_sizes_of_interest(struct mt_span *span, const struct mt_surface *surface,
                         double nodes, struct mt_error *err)
{
    const struct mt_learned_from *learned = &mt_surface_algorithm(surface)->learned;
    if (span_of_memory(span, surface, nodes))
        return MT_OK;
    if (learned->runs == 0)
        return mt_fail(err, MT_EINVAL,
                       "the file of %s does not say by memory which sizes fit",
                       mt_surface_machine(surface)->name);
    *span = (struct mt_span){learned->size_low, 4 * learned->size_high};
    return MT_OK;
}

int mt_axis_of_sizes(struct mt_axis *sizes, const struct mt_surface *surface,
                     double nodes, struct mt_error *err)
{
    struct mt_span span = {0};
    const int status = mt_sizes_of_interest(&span, surface, nodes, err);
    if (status != MT_OK)
        return status;
    return add_round_sizes(sizes, round_down(span.low), span.high, err);
}

double mt_scan_after(double value)
{
    return fmax(value + 1, nextafter(value, INFINITY));
}

double mt_scan_step(struct mt_span span, double value)
{
    if (span.high - span.low <= EVERY_VALUE)
        return 1;
    return fmax(1, floor(value / STEPS_OF_VALUE));
}

double mt_scan_next(struct mt_span span, double value)
{
    const double next = fmax(mt_scan_after(value), value + mt_scan_step(span, value));
    return next > span.high && value < span.high ? span.high : next;
}

bool mt_scan_possible(const struct mt_surface *surface, double size, double high,
                      double *nodes, struct mt_surface_point *point)
{
    double n = *nodes;
    while (n <= high) {
        const struct mt_surface_point there = mt_surface_at(surface, size, n);
        if (there.valid && there.fits) {
            *nodes = n;
            *point = there;
            return true;
        }
        n = mt_scan_after(n);
    }
    return false;
}
