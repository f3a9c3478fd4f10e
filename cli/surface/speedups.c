/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"
#include "parts.h"

#include <stdio.h>

static int add_speedups(struct mt_lines *lines, const struct mt_drawing *drawing,
                        struct mt_error *err)
{
    int status = MT_OK;
    for (int kind = 0; kind < MT_NSPEEDUPS && status == MT_OK; kind++) {
        status = mt_lines_begin(lines, MT_SERIES_LINE, kind, drawing->nnodes,
                                mt_speedup_name((enum mt_speedup)kind), err);
        for (int i = 0; i < drawing->nnodes && status == MT_OK; i++) {
            double size;
            mt_lines_add(lines, drawing->nodes[i],
                         mt_speedup(drawing->surfaces[0], (enum mt_speedup)kind,
                                    drawing->base, drawing->nodes[i], &size));
        }
    }
    if (status == MT_OK)
        status = mt_lines_begin(lines, MT_SERIES_HINT, MT_SERIES_BLACK, drawing->nnodes,
                                "ideal", err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        mt_lines_add(lines, drawing->nodes[i], drawing->nodes[i]);
    return status;
}

int mt_draw_speedups(const struct mt_drawing *drawing, const char *target,
                     struct mt_error *err)
{
    struct mt_lines lines = {0};
    char y_label[64];
    snprintf(y_label, sizeof y_label, "speed-up over N = %.0f on one node",
             drawing->base);
    int status = add_speedups(&lines, drawing, err);
    if (status == MT_OK)
        status = mt_lines_draw(&lines, drawing,
                               &(struct mt_line_axes){.what = "Speed-ups",
                                                      .nsurfaces = 1,
                                                      .x_label = "nodes P",
                                                      .x = mt_drawing_nodes(drawing),
                                                      .y_label = y_label,
                                                      .log_y = true},
                               target, err);
    mt_lines_clear(&lines);
    return status;
}
