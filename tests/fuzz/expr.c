/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions: 8 bytes a variable, which make a box, and text. Every value at a point
   of the box is within the bounds of interval arithmetic, unless dims() has no value;
   and the same text in a list of terms has the same values. */
#include "fuzz.h"
#include "lib/expr/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_VARIABLE = 8, BOX_BYTES = MT_NVARIABLES * BYTES_PER_VARIABLE };

/* From two bytes, the lower bound and the width of the box: ordinary numbers and
   extreme ones. */
static struct mt_range make_range(const uint8_t *bytes)
{
    static const double scales[] = {1, 1, 100, 1e-3, 1e9, -1, 1e300, 0};
    int16_t low, wide;
    memcpy(&low, bytes, sizeof low);
    memcpy(&wide, bytes + 2, sizeof wide);
    const double start = low * scales[bytes[4] % 8];
    const double width = fabs(wide * scales[bytes[5] % 8]);
    return (struct mt_range){start, start + width};
}

/* A place from 0 to 1 within a range; sometimes whole numbers, which dims() needs. */
static double make_value(struct mt_range range, double place)
{
    const double value = fmin(range.low + place * (range.high - range.low), range.high);
    const double whole = floor(value);
    return whole >= range.low ? whole : value;
}

static void check_point(const struct mt_expr *expr, const struct mt_terms *terms,
                        const double values[MT_NVARIABLES],
                        const struct mt_range *bounds)
{
    double row[64];
    const double value = mt_expr_value(expr, values);
    if (!isnan(bounds->low)) {
        fuzz_demand(isfinite(bounds->low) && isfinite(bounds->high));
        fuzz_demand((value >= bounds->low && value <= bounds->high) ||
                    (isnan(value) && strstr(mt_expr_text(expr), "dims")));
    }
    if (terms && mt_terms_count(terms) == 1) {
        mt_terms_values(terms, values, row);
        fuzz_demand(row[0] == value || (isnan(row[0]) && isnan(value)));
    }
}

static void check_box(const struct mt_expr *expr, const struct mt_terms *terms,
                      const uint8_t bytes[BOX_BYTES])
{
    struct mt_range box[MT_NVARIABLES];
    for (int i = 0; i < MT_NVARIABLES; i++)
        box[i] = make_range(bytes + i * BYTES_PER_VARIABLE);
    const struct mt_range bounds = mt_expr_range(expr, box);
    for (int point = 0; point < 16; point++) {
        double values[MT_NVARIABLES];
        for (int i = 0; i < MT_NVARIABLES; i++) {
            const double inside = bytes[i * BYTES_PER_VARIABLE + 6 + point % 2] / 255.0;
            const double places[] = {0, 1, inside, 1 - inside};
            values[i] = make_value(box[i], places[(point >> (i % 3)) % 4]);
        }
        check_point(expr, terms, values, &bounds);
    }
}

void fuzz_begin(void)
{
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_expr *expr = NULL;
    struct mt_terms *terms = NULL;
    struct mt_error err;
    if (size < BOX_BYTES)
        return;
    char *text = fuzz_text(data + BOX_BYTES, size - BOX_BYTES);
    const int listed = mt_terms_parse(&terms, text, &err);
    if (mt_expr_parse(&expr, text, &err) == MT_OK) {
        fuzz_demand(listed == MT_OK);
        check_box(expr, terms, data);
    }
    mt_terms_free(terms);
    mt_expr_free(expr);
    free(text);
}
