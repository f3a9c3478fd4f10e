/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare.h"

#include "cli/common/json.h"
#include "cli/common/table.h"

#include <math.h>
#include <stdio.h>

/* So many sizes are told one by one in words; and of the changes at one size so many
   first ones and last ones are shown. */
enum { FEW_SIZES = 4, SOME_CHANGES = 3 };

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

static void add_crossing(struct mt_table *table,
                         const struct mt_surface_comparison *comparison,
                         const char *size, const struct mt_crossing *crossing,
                         const struct mt_surface_point points[2])
{
    char nodes[32], times[2][40];
    snprintf(nodes, sizeof nodes, "%.15g", crossing->nodes);
    for (int i = 0; i < 2; i++)
        format_time(times[i], &points[i]);
    mt_table_add(table, size, nodes, faster(comparison, crossing), times[0], times[1],
                 NULL);
}

/* The changes at one size: the first ones and the last ones, when they are many.
   Returns whether a time is that of a run that does not fit. */
static bool add_size(struct mt_table *table,
                     const struct mt_surface_comparison *comparison, int index)
{
    const struct mt_crossings *crossings = &comparison->crossings[index];
    const double size = comparison->sizes.values[index];
    bool too_large = false;
    char text[32];
    snprintf(text, sizeof text, "%.15g", size);
    if (crossings->count == 0)
        mt_table_add(table, text, "-", "cannot run", "- ", "- ", NULL);
    for (int i = 0; i < crossings->count; i++) {
        const struct mt_crossing *crossing = &crossings->crossings[i];
        struct mt_surface_point points[2];
        if (i == SOME_CHANGES && crossings->count > 2 * SOME_CHANGES) {
            mt_table_add(table, "", "...", "", "", "", NULL);
            i = crossings->count - SOME_CHANGES - 1;
            continue;
        }
        for (int j = 0; j < 2; j++) {
            points[j] = mt_surface_at(comparison->surfaces[j], size, crossing->nodes);
            too_large |= !points[j].fits;
        }
        add_crossing(table, comparison, i == 0 ? text : "", crossing, points);
    }
    return too_large;
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
    for (int i = 0; i < comparison->sizes.count; i++)
        too_large |= add_size(&table, comparison, i);
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
    if (crossings->count == 0)
        return;
    const struct mt_crossing *first = crossings->crossings,
                             *last = &first[crossings->count - 1];
    const char *winner = faster(comparison, last), *loser = slower(comparison, last);
    char span[64];
    if (crossings->count == 1)
        printf("for N = %.15g %s is faster than %s on %s\n", size, winner, loser,
               format_span(span, first->nodes, mt_axis_span(&comparison->nodes).high));
    else if (crossings->count == 2)
        printf("for N = %.15g %s overtakes %s from %.15g nodes on\n", size, winner,
               loser, last->nodes);
    else
        printf("for N = %.15g they overtake each other %d times on %s; in the end "
               "%s is the faster\n",
               size, crossings->count - 1,
               format_span(span, first[1].nodes, last->nodes), winner);
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
