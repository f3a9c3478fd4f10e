/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface compare: the number of nodes from which one surface is faster than
   another. */
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "lib/surface/internal.h"
#include "surface.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The crossings of the two surfaces. */
enum { SIZE, NODES, FASTER, SECONDS_A, FITS_A, SECONDS_B, FITS_B, COLUMNS };

/* A comparison, and the shortest distinct labels of the two. */
struct labelled {
    struct mt_comparison found;
    char labels[2][MT_SURFACE_LABEL];
    struct mt_column columns[COLUMNS]; /* with the labels as titles */
};

static bool is_simulated(const struct labelled *comparison)
{
    return mt_surface_machine(comparison->found.surfaces[0])->simulated ||
           mt_surface_machine(comparison->found.surfaces[1])->simulated;
}

static void set_columns(struct labelled *comparison)
{
    const struct mt_column columns[COLUMNS] = {
        [SIZE] = {"size", "N", MT_COLUMN_COUNT},
        [NODES] = {"nodes", "from P on", MT_COLUMN_COUNT},
        [FASTER] = {"faster", "is faster", MT_COLUMN_TEXT},
        [SECONDS_A] = {"seconds_a", comparison->labels[0], MT_COLUMN_SECONDS},
        [FITS_A] = {"fits_a", "fits", MT_COLUMN_FLAG},
        [SECONDS_B] = {"seconds_b", comparison->labels[1], MT_COLUMN_SECONDS},
        [FITS_B] = {"fits_b", "fits", MT_COLUMN_FLAG},
    };
    memcpy(comparison->columns, columns, sizeof columns);
}

static void add_change(struct mt_view *view, const struct labelled *comparison,
                       double size, const struct mt_crossing *crossing)
{
    const struct mt_surface *const *surfaces = comparison->found.surfaces;
    const struct mt_surface_point a = mt_surface_at(surfaces[0], size, crossing->nodes);
    const struct mt_surface_point b = mt_surface_at(surfaces[1], size, crossing->nodes);
    mt_view_row(view);
    mt_view_number(view, SIZE, size);
    mt_view_number(view, NODES, crossing->nodes);
    mt_view_text(view, FASTER, crossing->b_faster ? "b" : "a");
    mt_view_show(view, FASTER, "%s", comparison->labels[crossing->b_faster]);
    mt_view_number(view, SECONDS_A, a.seconds);
    mt_view_flag(view, FITS_A, a.fits);
    mt_view_number(view, SECONDS_B, b.seconds);
    mt_view_flag(view, FITS_B, b.fits);
}

/* A size that neither can run has a row with its size only. */
static struct mt_view view_changes(const struct labelled *comparison)
{
    const struct mt_comparison *found = &comparison->found;
    struct mt_view view = {.columns = comparison->columns, .ncolumns = COLUMNS};
    for (int i = 0; i < found->sizes.count; i++) {
        const struct mt_crossings *crossings = &found->crossings[i];
        const double size = found->sizes.values[i];
        for (int k = 0; k < crossings->count; k++)
            add_change(&view, comparison, size, &crossings->crossings[k]);
        if (crossings->count > 0)
            continue;
        mt_view_row(&view);
        mt_view_number(&view, SIZE, size);
        mt_view_number(&view, NODES, NAN);
        mt_view_text(&view, FASTER, NULL);
    }
    return view;
}

static void print_json(const struct labelled *comparison)
{
    const struct mt_comparison *found = &comparison->found;
    const struct mt_span nodes = mt_axis_span(&found->nodes);
    struct mt_view view = view_changes(comparison);
    mt_document_print("motley/surface-compare", 2,
                      json_pack("{s:b, s:o, s:o, s:[o, o], s:o}", "simulated",
                                (int)is_simulated(comparison), "a",
                                mt_surface_json(found->surfaces[0]), "b",
                                mt_surface_json(found->surfaces[1]), "nodes",
                                mt_json_number(nodes.low), mt_json_number(nodes.high),
                                "changes", mt_view_to_json(&view)),
                      stdout);
}

static void print_text(const struct labelled *comparison)
{
    const struct mt_span nodes = mt_axis_span(&comparison->found.nodes);
    struct mt_view view = view_changes(comparison);
    printf("%s and %s on %.15g to %.15g nodes%s\n", comparison->labels[0],
           comparison->labels[1], nodes.low, nodes.high,
           is_simulated(comparison) ? " (simulated)" : "");
    for (int i = 0; i < 2; i++)
        mt_surface_print_origin(comparison->found.surfaces[i], nodes.high, stdout);
    mt_view_print(&view, stdout);
}

/* If only the machines differ, their names suffice. Two files can describe the same
   machine: then the arguments are the labels. */
static void set_labels(struct labelled *comparison, const char **arguments)
{
    const struct mt_surface *const *surfaces = comparison->found.surfaces;
    const char *machines[2], *algorithms[2];
    for (int i = 0; i < 2; i++) {
        machines[i] = mt_surface_machine(surfaces[i])->name;
        algorithms[i] = mt_surface_algorithm(surfaces[i])->name;
    }
    const bool enough =
        strcmp(machines[0], machines[1]) != 0 && !strcmp(algorithms[0], algorithms[1]);
    for (int i = 0; i < 2; i++)
        if (enough)
            snprintf(comparison->labels[i], MT_SURFACE_LABEL, "%s", machines[i]);
        else
            mt_surface_label(comparison->labels[i], surfaces[i]);
    if (!strcmp(comparison->labels[0], comparison->labels[1]))
        for (int i = 0; i < 2; i++)
            snprintf(comparison->labels[i], MT_SURFACE_LABEL, "%s", arguments[i]);
}

static int check_different(const struct labelled *comparison, struct mt_error *err)
{
    const struct mt_surface *a = comparison->found.surfaces[0],
                            *b = comparison->found.surfaces[1];
    if (strcmp(mt_surface_machine(a)->path, mt_surface_machine(b)->path) != 0 ||
        strcmp(mt_surface_algorithm(a)->name, mt_surface_algorithm(b)->name) != 0)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "'%s' and '%s' are the same: compare with another machine, or with "
                   "another algorithm as MACHINE:ALGORITHM",
                   comparison->labels[0], comparison->labels[1]);
}

static int check_work(const struct labelled *comparison, struct mt_error *err)
{
    const struct mt_shape *shapes[2];
    for (int i = 0; i < 2; i++)
        shapes[i] = &mt_surface_algorithm(comparison->found.surfaces[i])->shape;
    if (mt_shape_same_work(shapes[0], shapes[1]))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "they do different work, and cannot be compared: %s counts '%s', %s "
                   "'%s'",
                   comparison->labels[0], mt_expr_text(shapes[0]->work),
                   comparison->labels[1], mt_expr_text(shapes[1]->work));
}

static int draw(const struct labelled *comparison, struct mt_error *err)
{
    const struct mt_surface *const *surfaces = comparison->found.surfaces;
    const struct mt_drawing drawing = {
        .surfaces = {surfaces[0], surfaces[1]},
        .labels = {comparison->labels[0], comparison->labels[1]},
        .sizes = &comparison->found.sizes,
        .nodes = &comparison->found.nodes,
        .simulated = is_simulated(comparison),
    };
    return mt_contours_draw(&drawing, err);
}

/* The arguments are MACHINE MACHINE. */
static int compare(struct labelled *comparison, const char **arguments,
                   struct mt_error *err)
{
    struct mt_surface_axes axes = {0};
    set_labels(comparison, arguments);
    set_columns(comparison);
    int status = check_different(comparison, err);
    if (status == MT_OK)
        status = check_work(comparison, err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK) {
        status = mt_comparison_make(&comparison->found, mt_surface_axis(&axes.nodes),
                                    mt_surface_axis(&axes.sizes), err);
        status = mt_surface_need_sizes(status, err);
    }
    if (status == MT_OK) {
        if (mt_common.json)
            print_json(comparison);
        else
            print_text(comparison);
        status = draw(comparison, err);
    }
    mt_comparison_clear(&comparison->found);
    mt_surface_axes_clear(&axes);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input a = {0}, b = {0};
    int status = mt_surface_check_plot(err);
    if (status == MT_OK)
        status = mt_surface_input(&a, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_input(&b, arguments[1], err);
    if (status == MT_OK) {
        struct labelled comparison = {.found.surfaces = {a.surface, b.surface}};
        status = compare(&comparison, arguments, err);
    }
    mt_surface_input_clear(&b);
    mt_surface_input_clear(&a);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size",
                                      "plot",      "json",  NULL};

const struct mt_action mt_surface_compare = {
    .name = "compare",
    .arguments = "MACHINE[:ALGORITHM] MACHINE[:ALGORITHM]",
    .summary = "from how many nodes on the one is faster than the other",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
