/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare.h"

#include "cli/common/command.h"
#include "draw.h"
#include "surface.h"

#include <stdlib.h>
#include <string.h>

static void clear(struct mt_surface_comparison *comparison)
{
    for (int i = 0; comparison->crossings && i < comparison->sizes.count; i++)
        mt_crossings_clear(&comparison->crossings[i]);
    free(comparison->crossings);
    mt_axis_clear(&comparison->sizes);
    mt_axis_clear(&comparison->nodes);
}

/* Where the machines are different and the algorithms are not, the machines' names
   say enough. Two files can be of the same machine: then the arguments say more. */
static void set_labels(struct mt_surface_comparison *comparison, const char **arguments)
{
    const struct mt_surface *const *surfaces = comparison->surfaces;
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

static int check_different(const struct mt_surface_comparison *comparison,
                           struct mt_error *err)
{
    const struct mt_surface *a = comparison->surfaces[0], *b = comparison->surfaces[1];
    if (strcmp(mt_surface_machine(a)->path, mt_surface_machine(b)->path) != 0 ||
        strcmp(mt_surface_algorithm(a)->name, mt_surface_algorithm(b)->name) != 0)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "'%s' and '%s' are the same: compare with another machine, or with "
                   "another algorithm as MACHINE:ALGORITHM",
                   comparison->labels[0], comparison->labels[1]);
}

static int check_work(const struct mt_surface_comparison *comparison,
                      struct mt_error *err)
{
    const struct mt_shape *shapes[2];
    for (int i = 0; i < 2; i++)
        shapes[i] = &mt_surface_algorithm(comparison->surfaces[i])->shape;
    if (mt_shape_same_work(shapes[0], shapes[1]))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "they do different work, and cannot be compared: %s counts '%s', %s "
                   "'%s'",
                   comparison->labels[0], mt_expr_text(shapes[0]->work),
                   comparison->labels[1], mt_expr_text(shapes[1]->work));
}

/* Up to what both machines have, and what fits into the first, if that is known. */
static int read_axes(struct mt_surface_comparison *comparison, struct mt_error *err)
{
    const char *nodes = mt_surface_options.nodes, *sizes = mt_surface_options.sizes;
    const int first = mt_surface_machine(comparison->surfaces[0])->nodes,
              second = mt_surface_machine(comparison->surfaces[1])->nodes;
    int status = mt_axis_of_nodes(&comparison->nodes, nodes,
                                  first < second ? first : second, err);
    if (status != MT_OK)
        return status;
    const double most = mt_axis_span(&comparison->nodes).high;
    status =
        mt_axis_of_sizes(&comparison->sizes, sizes, comparison->surfaces[0], most, err);
    if (status != MT_EINVAL || sizes)
        return status;
    return mt_axis_of_sizes(&comparison->sizes, NULL, comparison->surfaces[1], most,
                            err);
}

static int find_crossings(struct mt_surface_comparison *comparison,
                          struct mt_error *err)
{
    const struct mt_axis *sizes = &comparison->sizes;
    comparison->crossings = calloc((size_t)sizes->count, sizeof *comparison->crossings);
    if (!comparison->crossings)
        return mt_fail(err, MT_ENOMEM, "no memory to compare surfaces");
    int status = MT_OK;
    for (int i = 0; i < sizes->count && status == MT_OK; i++)
        status = mt_crossings_find(&comparison->crossings[i], comparison->surfaces[0],
                                   comparison->surfaces[1], sizes->values[i],
                                   mt_axis_span(&comparison->nodes), err);
    return status;
}

static int show(const struct mt_surface_comparison *comparison, struct mt_error *err)
{
    if (mt_common.json)
        return mt_surface_comparison_print_json(comparison, err);
    if (mt_surface_options.csv) {
        mt_surface_comparison_print_csv(comparison);
        return MT_OK;
    }
    return mt_surface_comparison_print(comparison, err);
}

static int draw(const struct mt_surface_comparison *comparison, struct mt_error *err)
{
    const struct mt_surface *a = comparison->surfaces[0], *b = comparison->surfaces[1];
    const struct mt_drawing drawing = {
        .surfaces = {a, b},
        .labels = {comparison->labels[0], comparison->labels[1]},
        .nsurfaces = 2,
        .simulated =
            mt_surface_machine(a)->simulated || mt_surface_machine(b)->simulated,
    };
    return mt_surface_draw(&drawing, MT_PICTURE_SPEEDS, &comparison->sizes,
                           &comparison->nodes, err);
}

/* The arguments are MACHINE MACHINE. */
static int compare(const struct mt_surface *a, const struct mt_surface *b,
                   const char **arguments, struct mt_error *err)
{
    struct mt_surface_comparison comparison = {.surfaces = {a, b}};
    set_labels(&comparison, arguments);
    int status = check_different(&comparison, err);
    if (status == MT_OK)
        status = check_work(&comparison, err);
    if (status == MT_OK)
        status = read_axes(&comparison, err);
    if (status == MT_OK)
        status = find_crossings(&comparison, err);
    if (status == MT_OK)
        status = show(&comparison, err);
    if (status == MT_OK)
        status = draw(&comparison, err);
    clear(&comparison);
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
    if (status == MT_OK)
        status = compare(a.surface, b.surface, arguments, err);
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
