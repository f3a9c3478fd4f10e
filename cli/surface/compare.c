/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_views.h"
#include "picture.h"
#include "surface.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* If only the machines differ, their names suffice. Two files can describe the same
   machine: then the arguments are the labels. */
static void set_labels(struct mt_labelled *comparison, const char **arguments)
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

static int check_different(const struct mt_labelled *comparison, struct mt_error *err)
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

static int check_work(const struct mt_labelled *comparison, struct mt_error *err)
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

static int show(const struct mt_labelled *comparison, struct mt_error *err)
{
    if (mt_common.json)
        return mt_labelled_print_json(comparison, err);
    return mt_surface_options.csv ? mt_labelled_print_csv(comparison, err)
                                  : mt_labelled_print(comparison, err);
}

static int draw(const struct mt_labelled *comparison, struct mt_error *err)
{
    const struct mt_surface *const *surfaces = comparison->found.surfaces;
    const struct mt_drawing drawing = {
        .surfaces = {surfaces[0], surfaces[1]},
        .labels = {comparison->labels[0], comparison->labels[1]},
        .nsurfaces = 2,
        .simulated = mt_labelled_simulated(comparison),
    };
    return mt_surface_draw(&drawing, MT_PICTURE_SPEEDS, &comparison->found.sizes,
                           &comparison->found.nodes, err);
}

/* The arguments are MACHINE MACHINE. */
static int compare(struct mt_labelled *comparison, const char **arguments,
                   struct mt_error *err)
{
    struct mt_surface_axes axes = {0};
    set_labels(comparison, arguments);
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
    if (status == MT_OK)
        status = show(comparison, err);
    if (status == MT_OK)
        status = draw(comparison, err);
    mt_comparison_clear(&comparison->found);
    mt_surface_axes_clear(&axes);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input a = {0}, b = {0};
    int status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = mt_surface_input(&a, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_input(&b, arguments[1], err);
    if (status == MT_OK) {
        struct mt_labelled comparison = {.found.surfaces = {a.surface, b.surface}};
        status = compare(&comparison, arguments, err);
    }
    mt_surface_input_clear(&b);
    mt_surface_input_clear(&a);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size", "plot",
                                      "picture",   "csv",   "json", NULL};

const struct mt_action mt_surface_compare = {
    .name = "compare",
    .arguments = "MACHINE[:ALGORITHM] MACHINE[:ALGORITHM]",
    .summary = "from how many nodes on the one is faster than the other",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
