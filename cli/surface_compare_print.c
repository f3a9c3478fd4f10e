/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface_compare.h"

#include "json.h"
#include "table.h"

#include <math.h>
#include <stdio.h>

/* So many sizes are told one by one in words. */
enum { FEW_SIZES = 4 };

static bool any_simulated(const struct mt_surface_comparison *comparison)
{
    return mt_surface_machine(comparison->surfaces[0])->simulated ||
           mt_surface_machine(comparison->surfaces[1])->simulated;
}

static const char *faster(const struct mt_surface_comparison *comparison,
                          const struct mt_crossing *crossing)
{
    return comparison->labels[crossing->b_faster];
}

static const char *slower(const struct mt_surface_comparison *comparison,
                          const struct mt_crossing *crossing)
{
    return comparison->labels[!crossing->b_faster];
}

static void format_time(char text[40], const struct mt_surface_point *point)
{
    char seconds[32];
    snprintf(text, 40, "%s%s", mt_format_seconds(seconds, point->seconds),
             point->fits ? " " : "*");
}

static int print_table(const struct mt_surface_comparison *comparison,
                       struct mt_error *err)
{
    struct mt_table table = {0};
    bool too_large = false;
    char heads[2][MT_SURFACE_LABEL + 4];
    for (int i = 0; i < 2; i++)
        snprintf(heads[i], sizeof heads[i], ">%s ", comparison->labels[i]);
    mt_table_add(&table, ">N", ">from P on", "is faster", heads[0], heads[1], NULL);
    for (int i = 0; i < comparison->sizes.count; i++) {
        const struct mt_crossings *crossings = &comparison->crossings[i];
        char size[32], nodes[32], times[2][40];
        snprintf(size, sizeof size, "%.15g", comparison->sizes.values[i]);
        if (crossings->count == 0)
            mt_table_add(&table, size, "-", "cannot run", "- ", "- ", NULL);
        for (int k = 0; k < crossings->count; k++) {
            const struct mt_crossing *crossing = &crossings->crossings[k];
            for (int j = 0; j < 2; j++) {
                const struct mt_surface_point point =
                    mt_surface_at(comparison->surfaces[j], comparison->sizes.values[i],
                                  crossing->nodes);
                format_time(times[j], &point);
                too_large |= !point.fits;
            }
            snprintf(nodes, sizeof nodes, "%.15g", crossing->nodes);
            mt_table_add(&table, k == 0 ? size : "", nodes,
                         faster(comparison, crossing), times[0], times[1], NULL);
        }
    }
    const int status = mt_table_print(&table, stdout, err);
    if (too_large)
        puts("* does not fit into the memory of a node");
    return status;
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
static void say_size(const struct mt_surface_comparison *comparison, int index)
{
    const struct mt_crossings *crossings = &comparison->crossings[index];
    const double size = comparison->sizes.values[index];
    char span[64];
    if (crossings->count == 1)
        printf("for N = %.15g %s is faster than %s on %s\n", size,
               faster(comparison, crossings->crossings),
               slower(comparison, crossings->crossings),
               format_span(span, crossings->crossings[0].nodes,
                           mt_axis_span(&comparison->nodes).high));
    for (int i = 1; i < crossings->count; i++) {
        const struct mt_crossing *crossing = &crossings->crossings[i];
        printf("for N = %.15g %s overtakes %s from %.15g nodes on\n", size,
               faster(comparison, crossing), slower(comparison, crossing),
               crossing->nodes);
    }
}

/* Where one overtakes the other with the fewest nodes, and where with the most. */
static void say_all(const struct mt_surface_comparison *comparison)
{
    int overtaken = 0, first = 0, last = 0;
    double fewest = INFINITY, most = 0;
    for (int i = 0; i < comparison->sizes.count; i++) {
        const struct mt_crossings *crossings = &comparison->crossings[i];
        if (crossings->count < 2)
            continue;
        const double nodes = crossings->crossings[1].nodes;
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
           comparison->sizes.count,
           overtaken > 1 ? "; on the fewest nodes, and on the most:" : "");
    if (overtaken > 0)
        say_size(comparison, first);
    if (overtaken > 1)
        say_size(comparison, last);
}

int mt_surface_comparison_print(const struct mt_surface_comparison *comparison,
                                struct mt_error *err)
{
    const struct mt_span nodes = mt_axis_span(&comparison->nodes);
    char span[64];
    printf("%s and %s on %s%s\n", comparison->labels[0], comparison->labels[1],
           format_span(span, nodes.low, nodes.high),
           any_simulated(comparison) ? " (simulated)" : "");
    for (int i = 0; i < 2; i++)
        mt_surface_print_origin(comparison->surfaces[i], nodes.high);
    const int status = print_table(comparison, err);
    if (status != MT_OK)
        return status;
    puts("");
    if (comparison->sizes.count > FEW_SIZES)
        say_all(comparison);
    for (int i = 0; i < comparison->sizes.count && comparison->sizes.count <= FEW_SIZES;
         i++)
        say_size(comparison, i);
    return MT_OK;
}

void mt_surface_comparison_print_csv(const struct mt_surface_comparison *comparison)
{
    puts("size,nodes,faster,seconds_a,seconds_b,fits_a,fits_b");
    for (int i = 0; i < comparison->sizes.count; i++)
        for (int k = 0; k < comparison->crossings[i].count; k++) {
            const struct mt_crossing *crossing = &comparison->crossings[i].crossings[k];
            const double size = comparison->sizes.values[i];
            const struct mt_surface_point a = mt_surface_at(comparison->surfaces[0],
                                                            size, crossing->nodes),
                                          b = mt_surface_at(comparison->surfaces[1],
                                                            size, crossing->nodes);
            printf("%.15g,%.15g,%s,%.12g,%.12g,%s,%s\n", size, crossing->nodes,
                   crossing->b_faster ? "b" : "a", a.seconds, b.seconds,
                   a.fits ? "true" : "false", b.fits ? "true" : "false");
        }
}

static json_t *crossing_json(const struct mt_surface_comparison *comparison,
                             double size, const struct mt_crossing *crossing)
{
    const struct mt_surface_point a = mt_surface_at(comparison->surfaces[0], size,
                                                    crossing->nodes),
                                  b = mt_surface_at(comparison->surfaces[1], size,
                                                    crossing->nodes);
    return json_pack(
        "{s:o, s:s, s:[o, o], s:[b, b]}", "nodes", mt_json_number(crossing->nodes),
        "faster", crossing->b_faster ? "b" : "a", "seconds", mt_json_number(a.seconds),
        mt_json_number(b.seconds), "fits", (int)a.fits, (int)b.fits);
}

static json_t *size_json(const struct mt_surface_comparison *comparison, int index)
{
    const struct mt_crossings *crossings = &comparison->crossings[index];
    const double size = comparison->sizes.values[index];
    json_t *array = json_array();
    for (int i = 0; array && i < crossings->count; i++)
        if (json_array_append_new(
                array, crossing_json(comparison, size, &crossings->crossings[i]))) {
            json_decref(array);
            array = NULL;
        }
    return json_pack("{s:o, s:o}", "size", mt_json_number(size), "faster_from", array);
}

int mt_surface_comparison_print_json(const struct mt_surface_comparison *comparison,
                                     struct mt_error *err)
{
    const struct mt_span nodes = mt_axis_span(&comparison->nodes);
    json_t *array = json_array();
    for (int i = 0; array && i < comparison->sizes.count; i++)
        if (json_array_append_new(array, size_json(comparison, i))) {
            json_decref(array);
            array = NULL;
        }
    return mt_json_print(json_pack("{s:b, s:o, s:o, s:[o, o], s:o}", "simulated",
                                   (int)any_simulated(comparison), "a",
                                   mt_surface_json(comparison->surfaces[0]), "b",
                                   mt_surface_json(comparison->surfaces[1]), "nodes",
                                   mt_json_number(nodes.low),
                                   mt_json_number(nodes.high), "sizes", array),
                         stdout, err);
}
