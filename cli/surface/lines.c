/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include "cli/plot/plot.h"
#include "motley/surface.h"
#include "motley/survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The most lines of different colours, and the most series, in a picture. */
enum { LINE_COLORS = 6, MAX_LINES = 4 * LINE_COLORS };

/* Zeroed is empty. */
struct lines {
    struct mt_series series[MAX_LINES];
    double *rooms[MAX_LINES]; /* owned; of the series' numbers */
    char labels[MAX_LINES][128];
    int count;
};

/* What lines are drawn over; all borrowed. */
struct line_axes {
    const char *what; /* of the title, see mt_drawing_title() */
    int nsurfaces;    /* in the title */
    const char *x_label, *y_label;
    struct mt_span x; /* logarithmic */
    bool log_y;
    const double *marks; /* x of vertical lines */
    int nmarks;
};
/* So many names do not cover the lines. */
enum { MOST_INSIDE = 5 };

static int count_names(const struct lines *lines)
{
    int count = 0;
    for (int i = 0; i < lines->count; i++)
        count += lines->series[i].label && lines->series[i].count > 0;
    return count;
}

/* Begin a series that will have up to `room` points. An empty label: it is not in the
   legend. */
static int lines_begin(struct lines *lines, enum mt_series_style style, int color,
                       int room, const char *label, struct mt_error *err)
{
    if (lines->count == MAX_LINES)
        return mt_fail(err, MT_EINVAL, "too many lines for a picture");
    double *x = calloc(2 * (size_t)room, sizeof *x);
    if (!x)
        return mt_fail(err, MT_ENOMEM, "no memory for a line");
    const int i = lines->count++;
    snprintf(lines->labels[i], sizeof lines->labels[i], "%s", label);
    lines->rooms[i] = x;
    lines->series[i] = (struct mt_series){.label = *label ? lines->labels[i] : NULL,
                                          .style = style,
                                          .color = color,
                                          .x = x,
                                          .y = x + room};
    return MT_OK;
}

/* Add a point to the series that was begun last. */
static void lines_add(struct lines *lines, double x, double y)
{
    struct mt_series *series = &lines->series[lines->count - 1];
    double *room = lines->rooms[lines->count - 1];
    room[series->count] = x;
    room[series->y - series->x + series->count] = y;
    series->count++;
}

static void lines_clear(struct lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->rooms[i]);
    *lines = (struct lines){0};
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): each room is of one series */
}

/* Make one diagram of all series, and use it. */
static int lines_plot(const struct lines *lines, const struct mt_drawing *drawing,
                      const struct line_axes *axes, mt_plot_use *use, void *to,
                      struct mt_error *err)
{
    char title[256];
    double ticks[MT_MAX_TICKS];
    mt_drawing_title(title, drawing, axes->what, axes->nsurfaces);
    const struct mt_panel panel = {.y_label = axes->y_label,
                                   .log_y = axes->log_y,
                                   .series = lines->series,
                                   .count = lines->count};
    const struct mt_plot plot = {
        .title = title,
        .subtitle = drawing->simulated ? "simulated" : NULL,
        .x_label = axes->x_label,
        .log_x = true,
        .ticks = ticks,
        .nticks = mt_span_ticks(ticks, axes->x),
        .marks = axes->marks,
        .nmarks = axes->nmarks,
        .key = count_names(lines) > MOST_INSIDE ? MT_KEY_BESIDE : MT_KEY_INSIDE,
        .panels = &panel,
        .count = 1};
    return use(&plot, to, err);
}

/* A line of a picture: its surface, its number of nodes or its size, and its colour. */
struct curve {
    int surface;
    double number;
    int color;
};

/* "LABEL, TEXT", the label only where there are two. */
static void write_label(char label[128], const struct mt_drawing *drawing, int surface,
                        const char *text)
{
    if (drawing->nsurfaces > 1)
        snprintf(label, 128, "%s, %s", drawing->labels[surface], text);
    else
        snprintf(label, 128, "%s", text);
}

static int add_prediction(struct lines *lines, const struct mt_drawing *drawing,
                          const struct curve *curve, struct mt_error *err)
{
    char label[128], text[32];
    snprintf(text, sizeof text, "P = %.0f", curve->number);
    write_label(label, drawing, curve->surface, text);
    int status =
        lines_begin(lines, MT_SERIES_LINE, curve->color, drawing->nsizes, label, err);
    for (int i = 0; i < drawing->nsizes && status == MT_OK; i++) {
        const double size = drawing->sizes[i];
        const struct mt_surface_point point =
            mt_surface_at(drawing->surfaces[curve->surface], size, curve->number);
        if (point.valid)
            lines_add(lines, size, 100 * point.efficiency);
    }
    return status;
}

/* What was measured is of the first surface. Points have the colours of their lines, so
   the legend need not list them all. */
static int add_measured(struct lines *lines, const struct mt_drawing *drawing,
                        const struct curve *curve, struct mt_error *err)
{
    char label[128] = "";
    if (curve->color == 0)
        write_label(label, drawing, 0, "measured");
    int status = lines_begin(lines, MT_SERIES_POINTS, curve->color, drawing->nmeasured,
                             label, err);
    for (int i = 0; i < drawing->nmeasured && status == MT_OK; i++)
        if (drawing->measured[i].nodes == curve->number)
            lines_add(lines, drawing->measured[i].size,
                      100 * drawing->measured[i].efficiency);
    return status;
}

/* Mark the largest size that fits into memory on each number of nodes that is drawn. */
static int add_size_limits(struct lines *lines, const struct mt_drawing *drawing,
                           int sections, struct mt_error *err)
{
    const struct mt_span sizes = mt_drawing_sizes(drawing);
    int status = lines_begin(lines, MT_SERIES_POINTS, MT_SERIES_BLACK,
                             drawing->nsurfaces * sections, "memory limit", err);
    for (int i = 0; i < drawing->nsurfaces * sections && status == MT_OK; i++) {
        const struct mt_surface *surface = drawing->surfaces[i / sections];
        const double nodes =
            drawing->nodes[mt_axis_pick(i % sections, drawing->nnodes, sections)];
        double limit = mt_surface_memory_limit(surface, nodes, sizes.low, sizes.high);
        if (isnan(limit))
            limit = sizes.low;
        if (limit < sizes.high)
            lines_add(lines, limit,
                      100 * mt_surface_at(surface, limit, nodes).efficiency);
    }
    return status;
}

static int add_sections(struct lines *lines, const struct mt_drawing *drawing,
                        struct mt_error *err)
{
    const int most = LINE_COLORS / drawing->nsurfaces;
    const int sections = drawing->nnodes < most ? drawing->nnodes : most;
    int status = MT_OK, color = 0;
    for (int s = 0; s < drawing->nsurfaces; s++) {
        for (int i = 0; i < sections && status == MT_OK; i++, color++) {
            const int node = mt_axis_pick(i, drawing->nnodes, sections);
            const struct curve curve = {s, drawing->nodes[node], color};
            status = add_prediction(lines, drawing, &curve, err);
            if (status == MT_OK && s == 0 && drawing->nmeasured > 0)
                status = add_measured(lines, drawing, &curve, err);
        }
    }
    return status == MT_OK ? add_size_limits(lines, drawing, sections, err) : status;
}

int mt_plot_sections(const struct mt_drawing *drawing, mt_plot_use *use, void *to,
                     struct mt_error *err)
{
    struct lines lines = {0};
    int status = add_sections(&lines, drawing, err);
    if (status == MT_OK)
        status = lines_plot(&lines, drawing,
                            &(struct line_axes){.what = "Efficiency",
                                                .nsurfaces = drawing->nsurfaces,
                                                .x_label = "problem size N",
                                                .x = mt_drawing_sizes(drawing),
                                                .y_label = "efficiency [%]"},
                            use, to, err);
    lines_clear(&lines);
    return status;
}

static int add_speedups(struct lines *lines, const struct mt_drawing *drawing,
                        struct mt_error *err)
{
    int status = MT_OK;
    for (int kind = 0; kind < MT_NSPEEDUPS && status == MT_OK; kind++) {
        status = lines_begin(lines, MT_SERIES_LINE, kind, drawing->nnodes,
                             mt_speedup_name((enum mt_speedup)kind), err);
        for (int i = 0; i < drawing->nnodes && status == MT_OK; i++) {
            double size;
            lines_add(lines, drawing->nodes[i],
                      mt_speedup(drawing->surfaces[0], (enum mt_speedup)kind,
                                 drawing->base, drawing->nodes[i], &size));
        }
    }
    if (status == MT_OK)
        status = lines_begin(lines, MT_SERIES_HINT, MT_SERIES_BLACK, drawing->nnodes,
                             "ideal", err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        lines_add(lines, drawing->nodes[i], drawing->nodes[i]);
    return status;
}

int mt_plot_speedups(const struct mt_drawing *drawing, mt_plot_use *use, void *to,
                     struct mt_error *err)
{
    struct lines lines = {0};
    char y_label[64];
    snprintf(y_label, sizeof y_label, "speed-up over N = %.0f on one node",
             drawing->base);
    int status = add_speedups(&lines, drawing, err);
    if (status == MT_OK)
        status = lines_plot(&lines, drawing,
                            &(struct line_axes){.what = "Speed-ups",
                                                .nsurfaces = 1,
                                                .x_label = "nodes P",
                                                .x = mt_drawing_nodes(drawing),
                                                .y_label = y_label,
                                                .log_y = true},
                            use, to, err);
    lines_clear(&lines);
    return status;
}

/* The unit of speed that suits the numbers of a picture. */
struct unit {
    const char *name;
    double value;
};

static struct unit find_unit(double most)
{
    static const struct unit units[] = {
        {"Tf", 1e12}, {"Gf", 1e9}, {"Mf", 1e6}, {"kf", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (most >= units[i].value)
            return units[i];
    return (struct unit){"f", 1};
}

/* Operations per second of all nodes together; NaN where it is not valid. */
static double speed_of_all(const struct mt_surface *surface, double size, double nodes)
{
    return nodes * mt_surface_at(surface, size, nodes).speed;
}

static double highest_speed(const struct mt_drawing *drawing)
{
    double most = 0;
    for (int s = 0; s < drawing->nsurfaces; s++)
        for (int i = 0; i < drawing->nsizes; i++)
            for (int j = 0; j < drawing->nnodes; j++)
                most = fmax(most, speed_of_all(drawing->surfaces[s], drawing->sizes[i],
                                               drawing->nodes[j]));
    return most;
}

static int add_speeds(struct lines *lines, const struct mt_drawing *drawing,
                      const struct curve *curve, double unit, struct mt_error *err)
{
    const struct mt_surface *surface = drawing->surfaces[curve->surface];
    char label[128], text[32];
    snprintf(text, sizeof text, "N = %.0f", curve->number);
    write_label(label, drawing, curve->surface, text);
    int status =
        lines_begin(lines, MT_SERIES_LINE, curve->color, drawing->nnodes, label, err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        lines_add(lines, drawing->nodes[i],
                  speed_of_all(surface, curve->number, drawing->nodes[i]) / unit);
    return status;
}

/* Mark the fewest of the drawing's nodes on which each size fits into memory. */
static int add_node_limits(struct lines *lines, const struct mt_drawing *drawing,
                           int nsizes, double unit, struct mt_error *err)
{
    int status = lines_begin(lines, MT_SERIES_POINTS, MT_SERIES_BLACK,
                             drawing->nsurfaces * nsizes, "memory limit", err);
    for (int i = 0; i < drawing->nsurfaces * nsizes && status == MT_OK; i++) {
        const struct mt_surface *surface = drawing->surfaces[i / nsizes];
        const double size =
            drawing->sizes[mt_axis_pick(i % nsizes, drawing->nsizes, nsizes)];
        int first = 0;
        while (first < drawing->nnodes - 1 &&
               !mt_surface_at(surface, size, drawing->nodes[first]).fits)
            first++;
        if (first > 0)
            lines_add(lines, drawing->nodes[first],
                      speed_of_all(surface, size, drawing->nodes[first]) / unit);
    }
    return status;
}

/* Numbers of nodes at which one of two surfaces overtakes the other. */
struct marks {
    double nodes[MAX_LINES];
    int count;
};

static int add_marks(struct marks *marks, const struct mt_drawing *drawing, double size,
                     struct mt_error *err)
{
    struct mt_crossings crossings = {0};
    int status =
        mt_crossings_find(&crossings, drawing->surfaces[0], drawing->surfaces[1], size,
                          mt_drawing_nodes(drawing), err);
    /* The first one only says which is faster at the start. */
    for (int i = 1; i < crossings.count && marks->count < MAX_LINES; i++)
        marks->nodes[marks->count++] = crossings.crossings[i].nodes;
    mt_crossings_clear(&crossings);
    return status;
}

static int add_all_speeds(struct lines *lines, struct marks *marks,
                          const struct mt_drawing *drawing, double unit,
                          struct mt_error *err)
{
    const int most = LINE_COLORS / drawing->nsurfaces;
    const int nsizes = drawing->nsizes < most ? drawing->nsizes : most;
    int status = MT_OK, color = 0;
    for (int i = 0; i < nsizes && status == MT_OK; i++) {
        const double size = drawing->sizes[mt_axis_pick(i, drawing->nsizes, nsizes)];
        for (int s = 0; s < drawing->nsurfaces && status == MT_OK; s++, color++)
            status =
                add_speeds(lines, drawing, &(struct curve){s, size, color}, unit, err);
        if (status == MT_OK && drawing->nsurfaces > 1)
            status = add_marks(marks, drawing, size, err);
    }
    return status == MT_OK ? add_node_limits(lines, drawing, nsizes, unit, err)
                           : status;
}

int mt_plot_speeds(const struct mt_drawing *drawing, mt_plot_use *use, void *to,
                   struct mt_error *err)
{
    const struct unit unit = find_unit(highest_speed(drawing));
    struct lines lines = {0};
    struct marks marks = {0};
    char y_label[64];
    snprintf(y_label, sizeof y_label, "speed of all nodes [%s]", unit.name);
    int status = add_all_speeds(&lines, &marks, drawing, unit.value, err);
    if (status == MT_OK)
        status = lines_plot(&lines, drawing,
                            &(struct line_axes){.what = "Speeds",
                                                .nsurfaces = drawing->nsurfaces,
                                                .x_label = "nodes P",
                                                .x = mt_drawing_nodes(drawing),
                                                .y_label = y_label,
                                                .log_y = true,
                                                .marks = marks.nodes,
                                                .nmarks = marks.count},
                            use, to, err);
    lines_clear(&lines);
    return status;
}

/* The largest size of the span that fits on so many nodes; false: none does. */
static bool find_limit(double *limit, const struct mt_surface *surface, double nodes,
                       struct mt_span sizes)
{
    *limit = mt_surface_memory_limit(surface, nodes, sizes.low, sizes.high);
    return !isnan(*limit);
}

/* One side of what reaches an efficiency: the smallest sizes, or the largest. Where the
   span or the memory ends first, there is no point; behind a gap another series begins
   while there is room. */
static int add_side(struct lines *lines, const struct mt_drawing *drawing, double level,
                    int color, bool upper, struct mt_error *err)
{
    const struct mt_surface *surface = drawing->surfaces[0];
    const struct mt_span sizes = mt_drawing_sizes(drawing);
    char label[128] = "";
    bool begun = false, any_begun = false;
    int status = MT_OK;
    if (!upper)
        snprintf(label, sizeof label, "%.4g %%", 100 * level);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++) {
        const double nodes = drawing->nodes[i];
        struct mt_span reached;
        double limit;
        const bool any = find_limit(&limit, surface, nodes, sizes) &&
                         mt_iso_efficiency(surface, level, nodes, sizes, &reached);
        if (!any || (upper ? reached.high >= limit : reached.low <= sizes.low)) {
            begun = any_begun && lines->count >= MAX_LINES / 2;
            continue;
        }
        if (!begun)
            status =
                lines_begin(lines, MT_SERIES_LINE, color, drawing->nnodes, label, err);
        if (status == MT_OK)
            lines_add(lines, nodes, upper ? reached.high : reached.low);
        begun = any_begun = true;
        *label = 0;
    }
    return status;
}

/* The best size on each number of nodes, and the largest that fits where not all do. */
static int add_bounds(struct lines *lines, const struct mt_drawing *drawing,
                      struct mt_error *err)
{
    const struct mt_surface *surface = drawing->surfaces[0];
    const struct mt_span sizes = mt_drawing_sizes(drawing);
    struct mt_surface_point point;
    double size;
    int status = lines_begin(lines, MT_SERIES_POINTS, LINE_COLORS - 1, drawing->nnodes,
                             "best size", err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        if (mt_best_size(surface, drawing->nodes[i], sizes, &point, &size))
            lines_add(lines, drawing->nodes[i], size);
    if (status == MT_OK)
        status = lines_begin(lines, MT_SERIES_LINE, MT_SERIES_BLACK, drawing->nnodes,
                             "memory limit", err);
    for (int i = 0; i < drawing->nnodes && status == MT_OK; i++)
        if (find_limit(&size, surface, drawing->nodes[i], sizes) && size < sizes.high)
            lines_add(lines, drawing->nodes[i], size);
    return status;
}

static int add_levels(struct lines *lines, const struct mt_drawing *drawing,
                      const double *levels, int count, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < count && i < MT_MOST_LEVELS && status == MT_OK; i++) {
        const double level = levels[mt_axis_pick(i, count, MT_MOST_LEVELS)];
        status = add_side(lines, drawing, level, i, false, err);
        if (status == MT_OK)
            status = add_side(lines, drawing, level, i, true, err);
    }
    return status == MT_OK ? add_bounds(lines, drawing, err) : status;
}

int mt_plot_levels(const struct mt_drawing *drawing, const double *levels, int count,
                   mt_plot_use *use, void *to, struct mt_error *err)
{
    struct lines lines = {0};
    int status = add_levels(&lines, drawing, levels, count, err);
    if (status == MT_OK)
        status = lines_plot(&lines, drawing,
                            &(struct line_axes){.what = "Levels of efficiency",
                                                .nsurfaces = 1,
                                                .x_label = "nodes P",
                                                .x = mt_drawing_nodes(drawing),
                                                .y_label = "problem size N",
                                                .log_y = true},
                            use, to, err);
    lines_clear(&lines);
    return status;
}
