/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface compare: two surfaces side by side, as a table and in words, as CSV
   and as JSON. */
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "contours.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "lib/surface/internal.h"
#include "surface.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A comparison, and the shortest labels that tell the two apart. */
struct labelled {
    struct mt_comparison found;
    char labels[2][MT_SURFACE_LABEL];
};

/* Up to FEW_SIZES sizes are described in words, one by one. Of many changes at one size
   the first and the last SOME_CHANGES are shown. */
enum { FEW_SIZES = 4, SOME_CHANGES = 3 };

static bool is_simulated(const struct labelled *comparison)
{
    return mt_surface_machine(comparison->found.surfaces[0])->simulated ||
           mt_surface_machine(comparison->found.surfaces[1])->simulated;
}

static const char *faster(const struct labelled *comparison,
                          const struct mt_crossing *crossing)
{
    return comparison->labels[crossing->b_faster];
}

static const char *slower(const struct labelled *comparison,
                          const struct mt_crossing *crossing)
{
    return comparison->labels[!crossing->b_faster];
}

/* The changes of who is faster. */
enum { SIZE, NODES, FASTER, SECONDS_A, SECONDS_B, FITS_A, FITS_B, COLUMNS };

/* Their view; the labels are titles. It must stay where it is. */
struct changes {
    struct mt_column columns[COLUMNS];
    char titles[2][MT_SURFACE_LABEL + 1];
    struct mt_view view;
};

static void changes_init(struct changes *changes, const struct labelled *comparison)
{
    struct mt_column *columns = changes->columns;
    for (int i = 0; i < 2; i++)
        snprintf(changes->titles[i], sizeof changes->titles[i], "%s ",
                 comparison->labels[i]);
    columns[SIZE] = (struct mt_column){"size", "N", MT_COLUMN_COUNT};
    columns[NODES] = (struct mt_column){"nodes", "from P on", MT_COLUMN_COUNT};
    columns[FASTER] = (struct mt_column){"faster", "is faster", MT_COLUMN_TEXT};
    columns[SECONDS_A] =
        (struct mt_column){"seconds_a", changes->titles[0], MT_COLUMN_SECONDS};
    columns[SECONDS_B] =
        (struct mt_column){"seconds_b", changes->titles[1], MT_COLUMN_SECONDS};
    columns[FITS_A] = (struct mt_column){"fits_a", NULL, MT_COLUMN_FLAG};
    columns[FITS_B] = (struct mt_column){"fits_b", NULL, MT_COLUMN_FLAG};
    changes->view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
}

/* Add one change; returns whether one of the two runs does not fit into memory. */
static bool add_change(struct mt_view *view, const struct labelled *comparison,
                       double size, const struct mt_crossing *crossing)
{
    bool too_large = false;
    mt_view_row(view);
    mt_view_number(view, SIZE, size);
    mt_view_number(view, NODES, crossing->nodes);
    mt_view_text(view, FASTER, crossing->b_faster ? "b" : "a");
    mt_view_show(view, FASTER, "%s", faster(comparison, crossing));
    for (int i = 0; i < 2; i++) {
        const struct mt_surface_point point =
            mt_surface_at(comparison->found.surfaces[i], size, crossing->nodes);
        char seconds[MT_QUANTITY_TEXT];
        mt_view_number(view, SECONDS_A + i, point.seconds);
        mt_view_show(view, SECONDS_A + i, "%s%s",
                     mt_format_seconds(seconds, point.seconds), point.fits ? " " : "*");
        mt_view_flag(view, FITS_A + i, point.fits);
        too_large |= !point.fits;
    }
    return too_large;
}

static void add_impossible(struct mt_view *view, double size)
{
    mt_view_row(view);
    mt_view_number(view, SIZE, size);
    mt_view_show(view, NODES, "-");
    mt_view_show(view, FASTER, "cannot run");
    mt_view_show(view, SECONDS_A, "- ");
    mt_view_show(view, SECONDS_B, "- ");
}

/* Add the changes at one size, of many the first and the last ones; returns whether
   some run does not fit into memory. */
static bool add_some_changes(struct mt_view *view, const struct labelled *comparison,
                             int index)
{
    const struct mt_crossings *crossings = &comparison->found.crossings[index];
    const double size = comparison->found.sizes.values[index];
    bool too_large = false;
    if (crossings->count == 0)
        add_impossible(view, size);
    for (int i = 0; i < crossings->count; i++) {
        if (i == SOME_CHANGES && crossings->count > 2 * SOME_CHANGES) {
            mt_view_row(view);
            mt_view_show(view, NODES, "...");
            i = crossings->count - SOME_CHANGES;
        }
        too_large |= add_change(view, comparison, size, &crossings->crossings[i]);
        if (i > 0)
            mt_view_show(view, SIZE, "%s", "");
    }
    return too_large;
}

static void print_table(const struct labelled *comparison)
{
    struct changes changes = {0};
    bool too_large = false;
    changes_init(&changes, comparison);
    for (int i = 0; i < comparison->found.sizes.count; i++)
        too_large |= add_some_changes(&changes.view, comparison, i);
    mt_view_print(&changes.view, stdout);
    if (too_large)
        puts("* does not fit into the memory of a node");
}

static void print_csv(const struct labelled *comparison)
{
    const struct mt_comparison *found = &comparison->found;
    struct changes changes = {0};
    changes_init(&changes, comparison);
    mt_view_begin_csv(&changes.view, stdout);
    for (int i = 0; i < found->sizes.count; i++)
        for (int k = 0; k < found->crossings[i].count; k++)
            add_change(&changes.view, comparison, found->sizes.values[i],
                       &found->crossings[i].crossings[k]);
    mt_view_end_csv(&changes.view);
}

static json_t *crossing_json(const struct mt_comparison *found, double size,
                             const struct mt_crossing *crossing)
{
    struct mt_surface_point points[2];
    for (int i = 0; i < 2; i++)
        points[i] = mt_surface_at(found->surfaces[i], size, crossing->nodes);
    return json_pack(
        "{s:o, s:s, s:[o, o], s:[b, b]}", "nodes", mt_json_number(crossing->nodes),
        "faster", crossing->b_faster ? "b" : "a", "seconds",
        mt_json_number(points[0].seconds), mt_json_number(points[1].seconds), "fits",
        (int)points[0].fits, (int)points[1].fits);
}

/* What happens at each size; each change is an object of its own. */
static json_t *sizes_json(const struct mt_comparison *found)
{
    json_t *sizes = json_array();
    for (int i = 0; i < found->sizes.count; i++) {
        const struct mt_crossings *crossings = &found->crossings[i];
        const double size = found->sizes.values[i];
        json_t *changes = json_array();
        for (int k = 0; k < crossings->count; k++)
            json_array_append_new(changes,
                                  crossing_json(found, size, &crossings->crossings[k]));
        json_array_append_new(sizes,
                              json_pack("{s:o, s:o}", "size", mt_json_number(size),
                                        "faster_from", changes));
    }
    return sizes;
}

static void print_json(const struct labelled *comparison)
{
    const struct mt_comparison *found = &comparison->found;
    const struct mt_span nodes = mt_axis_span(&found->nodes);
    mt_document_print("motley/surface-compare", 1,
                      json_pack("{s:b, s:o, s:o, s:[o, o], s:o}", "simulated",
                                (int)is_simulated(comparison), "a",
                                mt_surface_json(found->surfaces[0]), "b",
                                mt_surface_json(found->surfaces[1]), "nodes",
                                mt_json_number(nodes.low), mt_json_number(nodes.high),
                                "sizes", sizes_json(found)),
                      stdout);
}

/* "1 to 512 nodes". */
static const char *format_span(char buffer[64], double from, double to)
{
    char last[32];
    mt_format_nodes(last, to);
    if (from == to)
        snprintf(buffer, 64, "%s", last);
    else
        snprintf(buffer, 64, "%.15g to %s", from, last);
    return buffer;
}

/* What happens at one size, in words. */
static void say_size(const struct labelled *comparison, int index)
{
    const struct mt_crossings *crossings = &comparison->found.crossings[index];
    const double size = comparison->found.sizes.values[index];
    if (crossings->count == 0)
        return;
    const struct mt_crossing *first = crossings->crossings,
                             *last = &first[crossings->count - 1];
    const char *winner = faster(comparison, last), *loser = slower(comparison, last);
    char span[64];
    if (crossings->count == 1)
        printf("for N = %.15g %s is faster than %s on %s\n", size, winner, loser,
               format_span(span, first->nodes,
                           mt_axis_span(&comparison->found.nodes).high));
    else if (crossings->count == 2)
        printf("for N = %.15g %s overtakes %s from %.15g nodes on\n", size, winner,
               loser, last->nodes);
    else
        printf("for N = %.15g they overtake each other %d times on %s; in the end "
               "%s is the faster\n",
               size, crossings->count - 1,
               format_span(span, first[1].nodes, last->nodes), winner);
}

/* The sizes at which one overtakes the other on the fewest and on the most nodes. */
static void say_all(const struct labelled *comparison)
{
    int overtaken = 0, first = 0, last = 0;
    double fewest = INFINITY, most = 0;
    for (int i = 0; i < comparison->found.sizes.count; i++) {
        const struct mt_crossings *crossings = &comparison->found.crossings[i];
        if (crossings->count < 2)
            continue;
        const double nodes = crossings->crossings[crossings->count - 1].nodes;
        overtaken++;
        if (nodes < fewest) {
            fewest = nodes;
            first = i;
        }
        if (nodes > most) {
            most = nodes;
            last = i;
        }
    }
    printf("at %d of %d sizes one overtakes the other%s\n", overtaken,
           comparison->found.sizes.count,
           overtaken > 1 ? "; on the fewest nodes, and on the most:" : "");
    if (overtaken > 0)
        say_size(comparison, first);
    if (overtaken > 1)
        say_size(comparison, last);
}

static void print_text(const struct labelled *comparison)
{
    const struct mt_comparison *found = &comparison->found;
    const struct mt_span nodes = mt_axis_span(&found->nodes);
    char span[64];
    printf("%s and %s on %s%s\n", comparison->labels[0], comparison->labels[1],
           format_span(span, nodes.low, nodes.high),
           is_simulated(comparison) ? " (simulated)" : "");
    for (int i = 0; i < 2; i++)
        mt_surface_print_origin(found->surfaces[i], nodes.high, stdout);
    print_table(comparison);
    puts("");
    if (found->sizes.count > FEW_SIZES)
        say_all(comparison);
    for (int i = 0; i < found->sizes.count && found->sizes.count <= FEW_SIZES; i++)
        say_size(comparison, i);
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

static void show(const struct labelled *comparison)
{
    if (mt_common.json) {
        print_json(comparison);
        return;
    }
    if (mt_surface_options.csv)
        print_csv(comparison);
    else
        print_text(comparison);
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
        show(comparison);
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
        struct labelled comparison = {.found.surfaces = {a.surface, b.surface}};
        status = compare(&comparison, arguments, err);
    }
    mt_surface_input_clear(&b);
    mt_surface_input_clear(&a);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size", "plot",
                                      "csv",       "json",  NULL};

const struct mt_action mt_surface_compare = {
    .name = "compare",
    .arguments = "MACHINE[:ALGORITHM] MACHINE[:ALGORITHM]",
    .summary = "from how many nodes on the one is faster than the other",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
