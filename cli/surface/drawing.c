/* SPDX-License-Identifier: BSD-3-Clause */
#include "drawing.h"

#include <math.h>
#include <stdio.h>

struct mt_span mt_drawing_nodes(const struct mt_drawing *drawing)
{
    return (struct mt_span){.low = drawing->nodes[0],
                            .high = drawing->nodes[drawing->nnodes - 1]};
}

struct mt_span mt_drawing_sizes(const struct mt_drawing *drawing)
{
    return (struct mt_span){.low = drawing->sizes[0],
                            .high = drawing->sizes[drawing->nsizes - 1]};
}

void mt_drawing_title(char title[256], const struct mt_drawing *drawing,
                      const char *what, int nsurfaces)
{
    const bool two = nsurfaces > 1;
    snprintf(title, 256, "%s of %s%s%s", what, drawing->labels[0], two ? " and " : "",
             two ? drawing->labels[1] : "");
}

/* A step of 1, 2 or 5 times a power of ten that gives a few ticks. */
static double round_step(double width)
{
    const double power = pow(10, floor(log10(width)));
    if (width / power > 6)
        return 2 * power;
    return width / power > 3 ? power : power / 2;
}

int mt_span_ticks(double ticks[MT_MAX_TICKS], struct mt_span span)
{
    const int first = (int)ceil(log2(span.low)), last = (int)floor(log2(span.high));
    const int octaves = (last - first) / MT_MAX_TICKS + 1;
    int count = 0;
    if (last - first >= 2 || span.low == span.high) {
        for (int power = first; power <= last; power += octaves)
            ticks[count++] = exp2(power);
        return count;
    }
    const double step = fmax(round_step(span.high - span.low), 1);
    for (double tick = ceil(span.low / step) * step;
         tick <= span.high && count < MT_MAX_TICKS; tick += step)
        ticks[count++] = tick;
    return count;
}
