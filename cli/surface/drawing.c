/* SPDX-License-Identifier: BSD-3-Clause */
#include "drawing.h"

#include "cli/common/plot_script.h"

#include <math.h>

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

/* 1, 2 or 5 times a power of ten, so that it goes a few times into the span. */
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

void mt_write_title(struct mt_plot_script *script, const struct mt_drawing *drawing,
                    const char *what)
{
    char title[256], all[280];
    mt_drawing_title(title, drawing, what, 1);
    snprintf(all, sizeof all, "%s%s", title, drawing->simulated ? " (simulated)" : "");
    mt_plot_script_title(script, all);
}

void mt_write_cell_axis(FILE *script, const char *axis, const char *name,
                        struct mt_span span, int cells)
{
    double ticks[MT_MAX_TICKS];
    const int count = mt_span_ticks(ticks, span);
    char setting[16];
    snprintf(setting, sizeof setting, "%slabel", axis);
    mt_plot_write_setting(script, setting, name);
    fprintf(script, "set %srange [0:%d]\nset %stics (", axis, cells - 1, axis);
    for (int i = 0; i < count; i++)
        fprintf(script, "%s'%.0f' %.6g", i > 0 ? ", " : "", ticks[i],
                mt_span_cell(span, ticks[i], cells));
    fputs(")\n", script);
}

/* From dark to light, in an order that colour-blind readers see, too. */
void mt_write_efficiency_colors(FILE *script, int step)
{
    fprintf(
        script,
        "set palette defined (0 '#440154', 0.14 '#46327e', 0.29 '#365c8d', "
        "0.43 '#277f8e', 0.57 '#1fa187', 0.71 '#4ac16d', 0.86 '#a0da39', "
        "1 '#fde725') maxcolors 10\n"
        "set cbrange [0:%d]\nset cbtics %d\nset cblabel 'efficiency [%%]' offset 1,0\n",
        10 * step, step);
}

void mt_write_cells(FILE *script, const struct mt_surface_map *map)
{
    fputs("$cells << EOD\n", script);
    for (int row = 0; row < map->rows; row++) {
        for (int column = 0; column < map->columns; column++) {
            double efficiency = map->efficiency[row * map->columns + column];
            if (isnan(efficiency))
                fputs("NaN ", script);
            else
                fprintf(script, "%.4g ", 100 * efficiency);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}
